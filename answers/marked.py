"""Answer and reply as tables of marked cells, cut to what a reader can take in."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from answers.join import RowMatch
from answers.score import Explanation, Mark
from answers.table import AnswerTable

MOST_COLUMNS = 40
"""Columns beyond are left out, but for those of a reply that are the answer's."""

_MOST_ROWS, _MOST_CELLS = 100, 800
_LONGEST_CELL, _LONGEST_HEADING = 200, 100
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_IN_REPLY: dict[Mark, str] = {
    "right": "right: the reply states it",
    "wrong": "wrong: the reply states another value",
    "missing": "missing: the reply does not state it",
}


class Heading(NamedTuple):
    """The heading of a column, and what is to be said of the column."""

    text: str
    words: tuple[str, ...] = ()


class Cell(NamedTuple):
    """A cell, what it is, and why."""

    text: str
    mark: Mark | Literal["plain"]
    note: str


class MarkedTable(NamedTuple):
    """A table, and what of it was left out, in words."""

    headings: list[Heading]
    rows: list[list[Cell]]
    left_out: str


def gold_table(gold: AnswerTable, found: Explanation) -> MarkedTable:
    """The answer, its cells marked by whether the reply states them."""
    columns = range(len(gold.columns))[:MOST_COLUMNS]
    rows = range(len(gold.rows))[: _most_rows(len(columns))]
    headings = [
        Heading(
            printable(column.name, _LONGEST_HEADING),
            ("key",) * column.key + ("guarded",) * column.guarded,
        )
        for column in gold.columns[: len(columns)]
    ]
    cells = [
        [_gold_cell(str(gold.rows[row][at]), found.gold_marks[row][at]) for at in columns]
        for row in rows
    ]
    missing = _left_out(len(gold.rows) - len(rows), len(gold.columns) - len(columns))
    return MarkedTable(headings, cells, missing)


def _gold_cell(text: str, mark: Mark) -> Cell:
    return Cell(printable(text), mark, _IN_REPLY[mark])


def said_table(gold: AnswerTable, found: Explanation) -> MarkedTable | None:
    """The reply as it was read, its cells marked by what they are; None if it wasn't read."""
    reply = found.reply
    if reply is None:
        return None
    asked = {place: column for column, place in enumerate(found.places) if place is not None}
    width = len(reply.columns)
    columns = [at for at in range(width) if at in asked or at < MOST_COLUMNS]
    rows = range(len(reply.rows))[: _most_rows(len(columns))]
    headings = [
        Heading(
            printable(reply.columns[at], _LONGEST_HEADING),
            () if at in asked else ("not asked for",),
        )
        for at in columns
    ]
    cells = [
        [
            Cell(
                printable(reply.rows[row][at]),
                found.said_marks[row][at],
                note(gold, found.rows[row], found.said_marks[row][at], asked.get(at)),
            )
            for at in columns
        ]
        for row in rows
    ]
    missing = _left_out(len(reply.rows) - len(rows), width - len(columns))
    return MarkedTable(headings, cells, missing)


def plain_table(gold: AnswerTable) -> MarkedTable:
    """The answer alone, without marks."""
    columns = range(len(gold.columns))[:MOST_COLUMNS]
    rows = range(len(gold.rows))[: _most_rows(len(columns))]
    headings = [
        Heading(printable(column.name, _LONGEST_HEADING), ("key",) * column.key)
        for column in gold.columns[: len(columns)]
    ]
    cells = [
        [Cell(printable(str(gold.rows[row][at])), "plain", "") for at in columns] for row in rows
    ]
    missing = _left_out(len(gold.rows) - len(rows), len(gold.columns) - len(columns))
    return MarkedTable(headings, cells, missing)


def note(gold: AnswerTable, match: RowMatch, mark: Mark, column: int | None) -> str:
    """Why a cell of the reply has its mark, in one line that starts with it."""
    if column is None:
        return f"{mark}: nobody asked for this column"
    if match.use == "joined":
        wanted = printable(str(gold.rows[match.gold_row or 0][column]))
        return mark if mark == "right" else f"{mark}: wanted is {wanted}"
    return f"{mark}: {row_note(match)}"


def row_note(match: RowMatch) -> str:
    """Why a row of the reply counts or doesn't, in one line."""
    if match.use == "blank":
        return "a table of blanks has no rows"
    if match.use == "repeat":
        return "the same row was said before"
    if match.gold_row is None:
        return "no row that was wanted has this key"
    if match.use == "surplus":
        return "a second row for this key"
    if match.near:
        return "its key is nearly that of a row that was wanted"
    return "its key is that of a row that was wanted"


def printable(text: str, longest: int = _LONGEST_CELL) -> str:
    """Text cut to a length, without characters that can't be shown."""
    cut = text if len(text) <= longest else f"{text[:longest]}…"
    return _UNPRINTABLE.sub("\ufffd", cut.replace("\r\n", "\n").replace("\r", "\n"))


def counted(count: int, what: str) -> str:
    """A count with its noun: `1 row`, `2 rows`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _most_rows(columns: int) -> int:
    return min(_MOST_ROWS, max(1, _MOST_CELLS // max(columns, 1)))


def _left_out(rows: int, columns: int) -> str:
    parts = [
        counted(count, f"more {what}")
        for count, what in ((rows, "row"), (columns, "column"))
        if count
    ]
    return f"{' and '.join(parts)} not shown." if parts else ""
