from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.compare import matches, normalise_text
from answers.markdown import to_markdown
from answers.score import Score, score
from answers.table import AnswerColumn, AnswerTable
from worldgen.facts import Value

PORT = AnswerColumn(name="Port", kind="name", key=True)
OPERATOR = AnswerColumn(name="Operator", kind="name", guarded=True)
DEPTH = AnswerColumn(name="Depth (m)", kind="number", guarded=True, decimals=1, unit="m")
OPENED = AnswerColumn(name="Opened", kind="date")
GOLD = AnswerTable(
    columns=(PORT, OPERATOR, DEPTH, OPENED),
    rows=(
        ("Ossary", "Marrick Ferries", 7.2, "2029-03-14"),
        ("Kell Brae", "Tarn Lines", 12.0, "2030-01-02"),
        ("Velmora", "Marrick Ferries", 4.5, "2028-11-30"),
        ("Tarn Hollow", "Ash/Elm Line", 9.0, "2031-06-05"),
    ),
    aliases={"Marrick Ferries": ("Marrick",), "Kell Brae": ("Kell",)},
)
HEADINGS = [column.name for column in GOLD.columns]
MEASURES = [name for name in Score.model_fields if name.endswith(("_f1", "precision", "recall"))]

Row = Sequence[Value | None]


def reply(*rows: Row, headings: Sequence[str] = HEADINGS) -> str:
    return to_markdown(headings, rows)


def measures(result: Score) -> dict[str, float]:
    return {name: getattr(result, name) for name in MEASURES}


def items(result: Score) -> tuple[float, float]:
    return result.item_precision, result.item_recall


def rows(result: Score) -> tuple[float, float]:
    return result.row_precision, result.row_recall


def guarded(result: Score) -> tuple[float, float]:
    return result.guarded_precision, result.guarded_recall


A, B, C, D = GOLD.rows


def test_the_answer_itself_scores_one() -> None:
    result = score(GOLD, reply(A, B, C, D), {"policy": "open"})
    assert set(measures(result).values()) == {1.0}
    assert result.success
    assert (result.gold_rows, result.said_rows, result.problem) == (4, 4, None)
    assert (result.missing_columns, result.extra_columns, result.guarded_columns) == ((), (), 2)
    assert result.tags == {"policy": "open"}


def test_other_words_for_the_same_score_one() -> None:
    text = (
        "Sure:\n\n| opened | **Depth** | PORT | Operator |\n|---|---|---|---|\n"
        "| 14 March 2029 | 7.2 m | Ossary | Marrick |\n"
        "| 5 June 2031 | 9 | tarn hollow | Ash / Elm Line |\n"
        "| Jan 2, 2030 | 12.0 | Kell | Tarn Lines |\n"
        "| 2028-11-30 | 4.5 metres | Velmora | marrick ferries |\n"
    )
    assert score(GOLD, text).success


def test_one_wrong_cell_costs_one_item_of_16_and_one_row_of_4() -> None:
    result = score(GOLD, reply(A, B, C, ("Tarn Hollow", "Tarn Lines", 9.0, "2031-06-05")))
    assert items(result) == (15 / 16, 15 / 16)
    assert result.item_f1 == 15 / 16
    assert rows(result) == (3 / 4, 3 / 4)
    assert guarded(result) == (7 / 8, 7 / 8)
    assert result.key_f1 == 1.0
    assert not result.success


def test_a_missing_row_costs_recall_alone() -> None:
    result = score(GOLD, reply(A, B, C))
    assert items(result) == (1.0, 12 / 16)
    assert result.item_f1 == pytest.approx(2 * 0.75 / 1.75)
    assert rows(result) == (1.0, 3 / 4)
    assert result.key_f1 == pytest.approx(2 * 0.75 / 1.75)
    assert not result.success


def test_a_row_too_many_costs_precision_alone() -> None:
    result = score(GOLD, reply(A, B, C, D, ("Nowhere", "Tarn Lines", 9.0, "2031-06-05")))
    assert items(result) == (16 / 20, 1.0)
    assert rows(result) == (4 / 5, 1.0)
    assert guarded(result) == (8 / 10, 1.0)
    assert not result.success


def test_a_wrong_key_costs_its_whole_row() -> None:
    result = score(GOLD, reply(A, B, C, ("Nowhere", *D[1:])))
    assert items(result) == (12 / 16, 12 / 16)
    assert rows(result) == (3 / 4, 3 / 4)
    assert result.key_f1 == 3 / 4


def test_keys_alone_score_a_quarter_of_the_items_and_nothing_guarded() -> None:
    result = score(GOLD, reply(*((port, None, None, None) for port, *_ in GOLD.rows)))
    assert items(result) == (4 / 16, 4 / 16)
    assert result.row_f1 == result.guarded_f1 == 0.0
    assert result.key_f1 == 1.0


def test_a_missing_column_costs_its_cells_only() -> None:
    text = reply(*(row[:3] for row in GOLD.rows), headings=HEADINGS[:3])
    result = score(GOLD, text)
    assert items(result) == (12 / 16, 12 / 16)
    assert rows(result) == (0.0, 0.0)
    assert guarded(result) == (1.0, 1.0)
    assert result.missing_columns == ("Opened",)
    assert not result.success


def test_an_extra_column_costs_nothing() -> None:
    result = score(
        GOLD, reply(*((*row, "portal") for row in GOLD.rows), headings=[*HEADINGS, "Source"])
    )
    assert result.success
    assert result.extra_columns == ("Source",)


def test_a_column_in_another_unit_is_missing() -> None:
    result = score(GOLD, reply(A, B, C, D, headings=["Port", "Operator", "Depth (km)", "Opened"]))
    assert result.missing_columns == ("Depth (m)",)
    assert result.extra_columns == ("Depth (km)",)
    assert items(result) == (12 / 16, 12 / 16)


@pytest.mark.parametrize(
    "heading", ["Depth", "depth (metres)", "**Depth** [m]", "Depth, m", "DEPTH (meters)"]
)
def test_a_heading_is_the_same_with_and_without_its_unit(heading: str) -> None:
    assert score(GOLD, reply(A, B, C, D, headings=["Port", "Operator", heading, "Opened"])).success


def test_a_bare_heading_that_fits_two_columns_is_neither() -> None:
    gold = AnswerTable(
        columns=(
            PORT,
            AnswerColumn(name="Fee (2028)", kind="number"),
            AnswerColumn(name="Fee (2029)", kind="number"),
        ),
        rows=(("Ossary", 1, 2),),
    )
    assert score(gold, reply(("Ossary", 1), headings=["Port", "Fee"])).missing_columns == (
        "Fee (2028)",
        "Fee (2029)",
    )
    assert score(gold, reply(*gold.rows, headings=["Port", "Fee (2028)", "Fee (2029)"])).success


def test_the_unit_of_a_column_whose_heading_lacks_it_counts() -> None:
    gold = AnswerTable(
        columns=(PORT, AnswerColumn(name="Depth", kind="number", unit="m")), rows=(("Ossary", 7),)
    )
    assert score(gold, "| Port | Depth (metres) |\n|---|---|\n| Ossary | 7 |").success
    assert not score(gold, "| Port | Depth (feet) |\n|---|---|\n| Ossary | 7 |").success


def test_exact_duplicates_count_once_however_they_are_written() -> None:
    again = ("OSSARY", "Marrick", "7.20 m", "14 March 2029")
    result = score(GOLD, reply(A, B, B, C, D, again, ("Kell", *B[1:])))
    assert result.success
    assert result.said_rows == 4


def test_of_contradictory_rows_the_first_counts_and_the_other_is_wrong() -> None:
    wrong = ("Ossary", "Marrick Ferries", 8.2, "2029-03-14")
    result = score(GOLD, reply(wrong, A, B, C, D))
    assert items(result) == (15 / 20, 15 / 16)
    assert rows(result) == (3 / 5, 3 / 4)
    result = score(GOLD, reply(A, wrong, B, C, D))
    assert items(result) == (16 / 20, 1.0)
    assert rows(result) == (4 / 5, 1.0)
    assert not result.success


def test_a_hedge_in_a_key_finds_no_row() -> None:
    result = score(GOLD, reply(("Ossary or Velmora", *A[1:]), B, C, D))
    assert items(result) == (12 / 16, 12 / 16)


def test_rows_of_blanks_are_one_wrong_row_for_each_way_of_writing_them() -> None:
    result = score(GOLD, reply(A, B, C, D, (None,) * 4, (None,) * 4, ("-", "N/A", "unknown", "?")))
    assert items(result) == (16 / 24, 1.0)


def test_long_rows_are_read_without_their_end() -> None:
    assert score(GOLD, reply(A, B, C, (*D, "more"))).success


def test_the_table_with_the_answers_columns_is_scored() -> None:
    notes = "\n\nSources:\n\n| Page | Site |\n|---|---|\n| 1 | portal |\n"
    draft = reply(("Ossary", None, 1, None), headings=HEADINGS)
    assert score(GOLD, f"{draft}\nCorrected:\n\n{reply(A, B, C, D)}{notes}").success


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "there is no reply"),
        ("", "the reply is empty"),
        ("Nothing found.", "the reply holds no table"),
    ],
)
def test_a_reply_that_cannot_be_read_scores_nothing(text: str | None, problem: str) -> None:
    result = score(GOLD, text, {"seed": "1"})
    assert set(measures(result).values()) == {0.0}
    assert (result.problem, result.success, result.said_rows) == (problem, False, 0)
    assert result.missing_columns == tuple(HEADINGS)
    assert (result.gold_rows, result.guarded_columns, result.tags) == (4, 2, {"seed": "1"})


def test_a_table_with_other_columns_scores_nothing() -> None:
    result = score(GOLD, "| Ship | Crew |\n|---|---|\n| Ossary | 7 |")
    assert set(measures(result).values()) == {0.0}
    assert (result.problem, result.said_rows) == (None, 1)


EMPTY = AnswerTable(columns=GOLD.columns, rows=())


def test_an_empty_answer_is_met_by_an_empty_table() -> None:
    result = score(EMPTY, reply())
    assert set(measures(result).values()) == {1.0}
    assert result.success
    assert score(EMPTY, reply((None,) * 4, ("-", "N/A", "unknown", "?"))).success


def test_an_empty_answer_is_not_met_by_rows_or_by_no_table() -> None:
    for text in (reply(A), reply(headings=["Ship"]), "None.", None):
        result = score(EMPTY, text)
        assert set(measures(result).values()) == {0.0}
        assert not result.success


def test_an_empty_reply_to_an_answer_with_rows_scores_nothing() -> None:
    result = score(GOLD, reply())
    assert set(measures(result).values()) == {0.0}
    assert not result.success


SEASONS = AnswerTable(
    columns=(
        AnswerColumn(name="Club", kind="name", key=True),
        AnswerColumn(name="Season", kind="number", key=True),
        AnswerColumn(name="Wins", kind="number", guarded=True),
    ),
    rows=(("Ash", 2028, 3), ("Ash", 2029, 5), ("Elm", 2029, 7)),
)


def test_rows_are_joined_on_the_whole_key() -> None:
    headings = ["Club", "Season", "Wins"]
    swapped = [("Ash", 2029, 3), ("Ash", 2028, 5), ("Elm", 2029, 7)]
    result = score(SEASONS, reply(*swapped, headings=headings))
    assert items(result) == (7 / 9, 7 / 9)
    assert rows(result) == (1 / 3, 1 / 3)


def test_without_a_key_column_only_rows_that_are_still_told_apart_are_joined() -> None:
    # Ash has two seasons, so that its rows are not found; Elm has one: 2 of its 3 cells are right.
    result = score(SEASONS, reply(("Ash", 3), ("Ash", 5), ("Elm", 7), headings=["Club", "Wins"]))
    assert items(result) == (2 / 9, 2 / 9)
    assert guarded(result) == (1 / 3, 1 / 3)
    assert result.key_f1 == result.row_f1 == 0.0


def test_an_answer_without_key_columns_has_one_row() -> None:
    gold = AnswerTable(
        columns=(AnswerColumn(name="Ports", kind="number", guarded=True),), rows=((14,),)
    )
    assert score(gold, "| Ports |\n|---|\n| 14 |").success
    assert score(gold, "| Ports |\n|---|\n| 15 |\n| 14 |").item_f1 == 0.0


def test_keys_that_differ_in_punctuation_alone_are_still_joined() -> None:
    gold = AnswerTable(columns=(PORT, DEPTH), rows=(("Ash-Elm", 1.0), ("Ash Elm", 2.0)))
    assert score(gold, reply(*reversed(gold.rows), headings=["Port", "Depth"])).success


def test_an_alias_of_two_rows_names_neither_but_a_name_goes_before_an_alias() -> None:
    gold = AnswerTable(
        columns=(PORT, DEPTH),
        rows=(("Ash North", 1.0), ("Ash South", 2.0), ("Elm", 3.0)),
        aliases={"Ash North": ("Ash", "Elm"), "Ash South": ("Ash",)},
    )
    result = score(gold, reply(("Ash", 1), ("Elm", 3), headings=["Port", "Depth"]))
    assert items(result) == (2 / 4, 2 / 6)


def test_without_guarded_columns_nothing_guarded_is_had() -> None:
    gold = AnswerTable(columns=(PORT,), rows=(("Ossary",),))
    result = score(gold, reply(("Ossary",), headings=["Port"]))
    assert result.success
    assert (result.guarded_columns, result.guarded_f1) == (0, 0.0)


def test_a_score_survives_a_trip_through_json() -> None:
    result = score(GOLD, "| Port\ud800 |\n|---|\n| a |", {"seed": "1"})
    assert Score.model_validate_json(result.model_dump_json()) == result


def test_500_rows_by_500_are_scored_fast() -> None:
    gold = AnswerTable(
        columns=GOLD.columns,
        rows=tuple((f"Port {n}", f"Line {n % 7}", n / 10, "2029-03-14") for n in range(500)),
    )
    text = reply(*reversed(gold.rows))
    start = time.perf_counter()
    assert score(gold, text).success
    assert time.perf_counter() - start < 2


def test_a_megabyte_of_rows_is_scored_in_linear_time() -> None:
    start = time.perf_counter()
    result = score(GOLD, reply() + "| Ossary | Marrick | 7.2 | 14 March 2029 |\n" * 20_000)
    assert time.perf_counter() - start < 20
    assert result.said_rows == 1


NAMES = st.text(
    st.characters(exclude_categories=["Cs", "Co", "Cc"]), min_size=1, max_size=10
).filter(lambda name: matches(PORT, name, name, {}))
CELLS: dict[str, st.SearchStrategy[Value]] = {
    "name": NAMES,
    "category": st.sampled_from(["A+", "A-", "ro-ro", "Salt & Sons", "A|B", "*"]),
    "number": st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6).map(lambda x: round(x, 4)),
    "date": st.dates().map(str),
}


@st.composite
def tables(draw: st.DrawFn) -> AnswerTable:
    kinds = ["name", *draw(st.lists(st.sampled_from(sorted(CELLS)), max_size=3))]
    columns = tuple(
        AnswerColumn.model_validate(
            {
                "name": f"Column {place}",
                "kind": kind,
                "key": place == 0,
                "guarded": draw(st.booleans()),
                "decimals": draw(st.integers(0, 3)),
            }
        )
        for place, kind in enumerate(kinds)
    )
    cells = st.tuples(*(CELLS[kind] for kind in kinds))
    return AnswerTable(
        columns=columns,
        rows=tuple(
            draw(st.lists(cells, max_size=6, unique_by=lambda row: normalise_text(str(row[0]))))
        ),
    )


def write(gold: AnswerTable, body: Sequence[Row], order: Sequence[int] | None = None) -> str:
    places = range(len(gold.columns)) if order is None else order
    headings = [gold.columns[place].name for place in places]
    return to_markdown(headings, [[row[place] for place in places] for row in body])


@st.composite
def attempts(draw: st.DrawFn) -> tuple[AnswerTable, list[list[Value | None]]]:
    """An answer, and a reply with some of its rows, each in its order and some cells wrong.

    Wrong cells are blank or say what no cell of an answer says; wrong keys are all different, since
    rows that are the same count once.
    """
    gold = draw(tables())
    body: list[list[Value | None]] = []
    for number, row in enumerate(gold.rows):
        wrong = f"wrong row {number} zzzzzzzz"
        key = draw(st.sampled_from((row[0], row[0], wrong)))
        body.append([key, *(draw(st.sampled_from((cell, cell, None, wrong))) for cell in row[1:])])
    return gold, body


@given(tables(), st.randoms(use_true_random=False))
def test_the_answer_in_any_order_of_rows_and_columns_scores_one(
    gold: AnswerTable, rng: random.Random
) -> None:
    order = rng.sample(range(len(gold.columns)), len(gold.columns))
    result = score(gold, write(gold, rng.sample(gold.rows, len(gold.rows)), order))
    assert result.success
    for name, value in measures(result).items():
        if result.guarded_columns or not name.startswith("guarded"):
            assert value == 1.0


@given(attempts(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(
    attempt: tuple[AnswerTable, list[list[Value | None]]], rng: random.Random
) -> None:
    gold, body = attempt
    before = score(gold, write(gold, body))
    assert score(gold, write(gold, rng.sample(body, len(body)))) == before


@given(attempts(), st.booleans(), st.data())
def test_a_wrong_row_more_never_raises_a_score(
    attempt: tuple[AnswerTable, list[list[Value | None]]], new: bool, data: st.DataObject
) -> None:
    gold, body = attempt
    said = [row[0] for row in body if row[0] is not None]
    key = "no key zzzzzzzz" if new or not said else data.draw(st.sampled_from(said))
    wrong: list[Value | None] = [key, *("wrong zzzzzzzz" for _ in gold.columns[1:])]
    before = measures(score(gold, write(gold, body)))
    for more in ([*body, wrong], [wrong, *body]):
        after = measures(score(gold, write(gold, more)))
        assert after["item_f1"] <= before["item_f1"]
        assert after["row_f1"] <= before["row_f1"]


@given(attempts(), st.data())
def test_a_cell_put_right_never_lowers_a_score(
    attempt: tuple[AnswerTable, list[list[Value | None]]], data: st.DataObject
) -> None:
    gold, body = attempt
    before = score(gold, write(gold, body))
    for number, row in enumerate(gold.rows):
        place = data.draw(st.integers(0, len(row) - 1))
        body[number][place] = row[place]
        after = score(gold, write(gold, body))
        for name, value in measures(before).items():
            assert getattr(after, name) >= value - 1e-12, name
        before = after


@given(tables(), st.text() | st.binary().map(lambda data: data.decode("latin-1")), st.booleans())
def test_no_text_raises_and_every_measure_lies_between_0_and_1(
    gold: AnswerTable, text: str, headed: bool
) -> None:
    result = score(gold, write(gold, []) + text if headed else text)
    assert all(0.0 <= value <= 1.0 for value in measures(result).values())
