"""What holds for every reply: bounds, wrong rows, cells put right, bytes without sense."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.markdown import to_markdown
from answers.numbers import read_number, rounded
from answers.plain_numbers import NumberReader
from answers.score import Score, score
from answers.table import AnswerColumn, AnswerTable
from answers.units import parse_unit
from worldgen.facts import Value
from worldgen.seeds import generator

KEYS = ("Ossary", "Velmora", "Kell Brae", "Tarn Hollow", "Isk", "Longpier 12", "Longpier 13")
COLUMNS = (
    AnswerColumn(name="Port", kind="name", key=True),
    AnswerColumn(name="Operator", kind="name", guarded=True),
    AnswerColumn(name="Depth (m)", kind="number", decimals=1, unit="m", guarded=True),
    AnswerColumn(name="Opened", kind="date", guarded=True),
    AnswerColumn(name="Open", kind="category", guarded=True),
)
OPERATORS = ("Marrick Ferries", "Tarn Lines", "N/A")
ALIASES: dict[str, tuple[str, ...]] = {"Marrick Ferries": ("Marrick",), "Kell Brae": ("Kell",)}
Body = list[list[Value | None]]


@st.composite
def answers(draw: st.DrawFn) -> AnswerTable:
    """An answer whose columns, but for the key, have few values, so that many cells are equal."""
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, unique=True))
    cells = st.tuples(
        st.sampled_from(OPERATORS),
        st.sampled_from((7.2, 12.0, 1234.5)),
        st.sampled_from(("2029-03-14", "2030-01-02")),
        st.sampled_from(("yes", "no")),
    )
    return AnswerTable(
        columns=COLUMNS, rows=tuple((key, *draw(cells)) for key in keys), aliases=ALIASES
    )


@st.composite
def attempts(draw: st.DrawFn) -> tuple[AnswerTable, Body]:
    """An answer and a reply with a row for each of its rows, some of whose cells are wrong."""
    gold = draw(answers())
    body: Body = []
    for number, (key, *cells) in enumerate(gold.rows):
        said = draw(st.sampled_from((key, key, slip(str(key)), f"no port {number}")))
        wrong = st.sampled_from
        body.append([said, *(draw(wrong((cell, cell, "?", None, "wrong"))) for cell in cells)])
    return gold, body


def slip(name: str) -> str:
    """A name with a letter too many."""
    return f"{name[:3]}q{name[3:]}"


def said(body: Sequence[Sequence[Value | None]]) -> str:
    return to_markdown([column.name for column in COLUMNS], body)


def f1s(result: Score) -> tuple[float, ...]:
    return result.item_f1, result.row_f1, result.guarded_f1, result.key_f1


@given(attempts(), st.data())
def test_a_wrong_row_more_never_raises_a_score(
    attempt: tuple[AnswerTable, Body], data: st.DataObject
) -> None:
    gold, body = attempt
    before = f1s(score(gold, said(body)))
    keys = [str(row[0]) for row in gold.rows]
    stated = [str(row[0]) for row in body]
    key = data.draw(st.sampled_from(("no port", *map(slip, keys), *stated)))
    place = data.draw(st.integers(0, len(body)))
    body.insert(place, [key, "wrong", "wrong", "wrong", "wrong"])
    after = f1s(score(gold, said(body)))
    assert all(new <= old for new, old in zip(after, before, strict=True))


@given(attempts(), st.data())
def test_a_cell_put_right_never_lowers_a_score(
    attempt: tuple[AnswerTable, Body], data: st.DataObject
) -> None:
    gold, body = attempt
    before = f1s(score(gold, said(body)))
    places = st.sampled_from([(row, at) for row in range(len(body)) for at in range(len(COLUMNS))])
    for row, at in data.draw(st.lists(places, max_size=8)):
        body[row][at] = gold.rows[row][at]
        after = f1s(score(gold, said(body)))
        assert all(new >= old - 1e-12 for new, old in zip(after, before, strict=True))
        before = after


@given(attempts(), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(
    attempt: tuple[AnswerTable, Body], rng: random.Random
) -> None:
    gold, body = attempt
    assert f1s(score(gold, said(body))) == f1s(score(gold, said(rng.sample(body, len(body)))))


@given(answers())
def test_a_slip_in_every_key_costs_the_keys_and_every_row(gold: AnswerTable) -> None:
    rows = [row for row in gold.rows if len(str(row[0])) >= 6]
    result = score(gold, said([(slip(str(key)), *cells) for key, *cells in rows]))
    assert result.key_f1 == result.row_f1 == 0.0
    assert result.guarded_recall == pytest.approx(len(rows) / len(gold.rows))


PIECES = [
    b"|",
    b"\n",
    b"| Port |",
    b"Port,Operator\n",
    b'{"Port":',
    b"[",
    b"]",
    b"}",
    b"<td>",
    b"```",
]
PIECES += [
    b"<table>",
    b"</table>",
    b"Ossary",
    b"7.2 m",
    b'"',
    b",",
    b"14 March 2029",
    b"\xff",
    b"\0",
]


def check_bytes(count: int) -> None:
    gold = AnswerTable(
        columns=COLUMNS, rows=(("Ossary", "Marrick Ferries", 7.2, "2029-03-14", "yes"),)
    )
    rng = generator(5, "bytes", count)
    for number in range(count):
        data = rng.randbytes(rng.randrange(200))
        if number % 2:
            data = b"".join(rng.choices(PIECES, k=rng.randrange(40))) + data[:20]
        if number % 3 == 0:
            data = said([]).encode() + b"| Ossary | " + data + b" | " + data + b" |\n"
        text = data.decode("latin-1") if number % 5 else data.decode("utf-8", "surrogateescape")
        assert all(0.0 <= value <= 1.0 for value in f1s(score(gold, text)))


def test_3_000_byte_strings_never_raise() -> None:
    check_bytes(3_000)


@pytest.mark.slow
def test_100_000_byte_strings_never_raise() -> None:
    check_bytes(100_000)


UNITS = (None, "m", "USD", "%", "million USD", "person-days")
USUAL = st.from_regex(r"-?[0-9]{0,4}(,[0-9]{2,4}){0,2}(\.[0-9]{0,4})?", fullmatch=True)
ENDINGS = st.sampled_from(
    ["", " m", "m", "%", " USD", "k", " million", " or", " deep", "e", "x", "."]
)


@given(USUAL, ENDINGS, st.sampled_from(UNITS), st.integers(0, 7))
def test_the_usual_numbers_are_read_as_all_others_are(
    number: str, ending: str, unit: str | None, decimals: int
) -> None:
    own = parse_unit(unit) if unit else None
    found = read_number(number + ending, own, decimals=decimals)
    form = None if found is None else rounded(found, decimals)
    assert NumberReader(own, frozenset(), decimals)(number + ending) == form
