from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.markdown import to_markdown
from answers.marked import MOST_COLUMNS, Cell, gold_table, printable, said_table
from answers.score import Explanation, explain, score
from answers.table import AnswerColumn, AnswerTable
from worldgen.facts import Value

GOLD = AnswerTable(
    columns=(
        AnswerColumn(name="Port", kind="name", key=True),
        AnswerColumn(name="Operator", kind="name", guarded=True),
        AnswerColumn(name="Depth (m)", kind="number", guarded=True, decimals=1, unit="m"),
    ),
    rows=(("Ossary", "Marrick Ferries", 7.2), ("Kell", "Tarn Lines", 12.0), ("Elm", "Ash", 4.5)),
    aliases={"Marrick Ferries": ("Marrick",)},
)
HEADINGS = [column.name for column in GOLD.columns]
LETTERS = {"right": "r", "wrong": "w", "missing": "m", "invented": "i", "ignored": "."}

Row = Sequence[Value | None]


def explained(*rows: Row, headings: Sequence[str] = HEADINGS) -> Explanation:
    return explain(GOLD, to_markdown(headings, rows))


def marks(found: Explanation) -> tuple[list[str], list[str]]:
    """The marks of the answer's rows and of the reply's, a letter a cell."""
    gold, said = (
        ["".join(LETTERS[mark] for mark in row) for row in rows]
        for rows in (found.gold_marks, found.said_marks)
    )
    return gold, said


def test_right_wrong_and_missing_cells() -> None:
    found = explained(("Kell", None, "12 m"), ("Ossary", "Marrick", "7 or 8"))
    assert marks(found) == (["rrw", "rmr", "mmm"], ["rmr", "rrw"])


def test_a_row_that_no_key_names_is_invented() -> None:
    found = explained(("Nowhere", "Marrick", 7.2), ("Elm", "Ash", 4.5))
    assert marks(found) == (["mmm", "mmm", "rrr"], ["iii", "rrr"])


def test_a_second_row_for_a_key_is_invented_and_the_same_again_ignored() -> None:
    found = explained(("Elm", "Ash", 4.5), ("Elm", "Oak", 4.5), ("ELM", "ash", "4.50"))
    assert marks(found) == (["mmm", "mmm", "rrr"], ["rrr", "iii", "..."])


def test_columns_that_nobody_asked_for_are_ignored_and_lacking_ones_missing() -> None:
    found = explained(("x", 4.5, "Elm"), headings=["Source", "Depth", "Port"])
    assert marks(found) == (["mmm", "mmm", "rmr"], [".rr"])


def test_a_table_of_blanks_is_ignored() -> None:
    assert marks(explained((None, "-", "n/a"))) == (["mmm"] * 3, ["..."])


@pytest.mark.parametrize("text", [None, "", "nothing"])
def test_without_a_table_all_is_missing(text: str | None) -> None:
    found = explain(GOLD, text)
    assert marks(found) == (["mmm"] * 3, [])
    assert found.reply is None
    assert said_table(GOLD, found) is None


VALUES = st.sampled_from([*(cell for row in GOLD.rows for cell in row), None, "Marrick", "x", 7])


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=6), st.permutations(range(3)))
def test_marks_and_score_never_disagree(body: list[Row], order: list[int]) -> None:
    text = to_markdown([HEADINGS[at] for at in order], [[row[at] for at in order] for row in body])
    found = explain(GOLD, text)
    assert found.score == score(GOLD, text)
    gold, said = marks(found)
    rights = "".join(gold).count("r")
    assert rights == "".join(said).count("r")
    assert found.score.item_recall == rights / 9
    counted = [row for row in said if "." not in row]
    assert found.score.said_rows == len(counted)
    assert found.score.item_precision == (rights / (3 * len(counted)) if counted else 0.0)
    assert found.score.row_recall == gold.count("rrr") / 3
    assert found.score.success == (gold == ["rrr"] * 3 and "i" not in "".join(said))


def test_tables_are_shown_with_what_is_to_be_said_of_them() -> None:
    found = explained(("Kell", "Ash", None, "p"), ("Oak", 1, 2, "p"), headings=[*HEADINGS, "Page"])
    gold, said = gold_table(GOLD, found), said_table(GOLD, found)
    assert said
    assert [(heading.text, heading.words) for heading in gold.headings] == [
        ("Port", ("key",)),
        ("Operator", ("guarded",)),
        ("Depth (m)", ("guarded",)),
    ]
    assert [heading.words for heading in said.headings] == [(), (), (), ("not asked for",)]
    assert gold.rows[1][1] == Cell("Tarn Lines", "wrong", "wrong: the reply states another value")
    assert said.rows == [
        [
            Cell("Kell", "right", "right"),
            Cell("Ash", "wrong", "wrong: wanted is Tarn Lines"),
            Cell("", "missing", "missing: wanted is 12.0"),
            Cell("p", "ignored", "ignored: nobody asked for this column"),
        ],
        [
            Cell("Oak", "invented", "invented: no row that was wanted has this key"),
            Cell("1", "invented", "invented: no row that was wanted has this key"),
            Cell("2", "invented", "invented: no row that was wanted has this key"),
            Cell("p", "ignored", "ignored: nobody asked for this column"),
        ],
    ]
    assert gold.left_out == said.left_out == ""


def test_why_a_row_does_not_count_is_said() -> None:
    row: Row = ("Elm", "Ash", 4.5)
    for found, notes in (
        (explained(row, row), ["right", "ignored: the same row was said before"]),
        (explained(row, ("Elm", 1, 1)), ["right", "invented: a second row for this key"]),
        (explained((None, None, None)), ["ignored: a table of blanks has no rows"]),
    ):
        said = said_table(GOLD, found)
        assert said
        assert [cells[0].note for cells in said.rows] == notes


def test_large_tables_are_cut_but_for_columns_that_were_asked_for() -> None:
    extra = [f"Extra {number}" for number in range(60)]
    row: Row = [*["e" * 5000] * 60, "Elm", "Ash"]
    found = explained(*([*row, number] for number in range(300)), headings=extra + HEADINGS)
    said = said_table(GOLD, found)
    assert said
    assert len(said.headings) == MOST_COLUMNS + 3
    assert [heading.text for heading in said.headings[-3:]] == HEADINGS
    assert sum(map(len, said.rows)) <= 800
    assert said.left_out == "282 more rows and 20 more columns not shown."
    assert max(len(cell.text) for row in said.rows for cell in row) == 201


@given(st.text() | st.text(st.characters(categories=["Cc", "Cs", "Cf"])), st.integers(1, 50))
def test_printable_text_is_short_and_can_be_written(text: str, longest: int) -> None:
    shown = printable(text, longest)
    assert len(shown.encode().decode()) <= longest + 1
    assert not set(shown) & {"\x00", "\r", "\x1b", "\x7f"}
