"""Finding the HTML tables of a reply."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from answers.found import MAX_CELLS, MAX_COLUMNS, Found, count_columns

_START = re.compile(r"<t(?:able|r|head|body)\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(table|tr|t[hd])\b([^<>]*)>", re.IGNORECASE)
_SPAN = re.compile(r"\b(row|col)span\s{0,9}=\s{0,9}[\"']?([0-9]{1,6})", re.IGNORECASE)
_COMMENT_START, _COMMENT_END = "<!--", "-->"
_FOOTNOTE = re.compile(r"(?<=[0-9\s])<sup\b[^<>]*>[^<]*</sup>|<sup\b[^<>]*>\[[^<]*</sup>", re.I)
_BREAK = re.compile(r"<(?:br|/p|/div|/li)\b[^<>]*>", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_TITLE_ROWS = 3


@dataclass
class _Cell:
    column_span: int
    row_span: int
    parts: list[str] = field(default_factory=list)


@dataclass
class _Table:
    start: int
    rows: list[list[_Cell]] = field(default_factory=list)
    cell: _Cell | None = None


def html_tables(text: str, columns: Sequence[str]) -> Iterator[Found]:
    """The HTML tables in a text, each before those within it.

    Args:
        text: the reply.
        columns: the headings that were asked for, which tell a title row from the header.
    """
    if not _START.search(text):
        return
    line, at = 0, 0
    for table in _tables(_without_comments(text)):
        line, at = line + text.count("\n", at, table.start), table.start
        rows = _grid(table)
        if rows:
            number = _header_row(rows, columns)
            body = rows[number + 1 :]
            yield Found(line, tuple(rows[number]), len(body), body.__iter__)


def _without_comments(text: str) -> str:
    """Text whose comments are blanked, so that what follows keeps its place."""
    pieces: list[str] = []
    end = 0
    while (start := text.find(_COMMENT_START, end)) >= 0:
        stop = text.find(_COMMENT_END, start)
        if stop < 0:
            break
        pieces += [text[end:start], re.sub(r"[^\n]", " ", text[start : stop + 3])]
        end = stop + 3
    return "".join([*pieces, text[end:]])


def _tables(text: str) -> list[_Table]:
    """The tables in the order in which they start. Rows outside of any are one of their own."""
    found: list[_Table] = []
    open_tables: list[_Table] = []
    end = 0
    for tag in _TAG.finditer(text):
        if open_tables and open_tables[-1].cell:
            open_tables[-1].cell.parts.append(text[end : tag.start()])
        end = tag.end()
        name, closes = tag[2].lower(), bool(tag[1])
        if closes and name == "table":
            del open_tables[-1:]
        elif name == "table" or not (open_tables or closes):
            open_tables.append(_Table(tag.start()))
            found.append(open_tables[-1])
        if open_tables and name != "table":
            _take(open_tables[-1], name, tag[3], closes=closes)
    return found


def _take(table: _Table, name: str, attributes: str, *, closes: bool) -> None:
    table.cell = None
    if closes:
        return
    if name == "tr" or not table.rows:
        table.rows.append([])
    if name != "tr":
        spans = {which.lower(): int(size) for which, size in _SPAN.findall(attributes)}
        table.cell = _Cell(spans.get("col", 1) or 1, spans.get("row", 1) or 1)
        table.rows[-1].append(table.cell)


def _grid(table: _Table) -> list[list[str]]:
    """The cells' texts, each repeated in all rows and columns that its cell spans."""
    grid: list[list[str]] = []
    pending: dict[int, tuple[str, int]] = {}
    left = MAX_CELLS
    for cells in table.rows:
        row: list[str] = []
        for cell in cells:
            _fill(row, pending)
            text = _text("".join(cell.parts))
            for _ in range(min(cell.column_span, MAX_COLUMNS + 1 - len(row))):
                if cell.row_span > 1:
                    pending[len(row)] = (text, cell.row_span - 1)
                row.append(text)
        _fill(row, pending)
        left -= len(row)
        if left < 0:
            break
        if row:
            grid.append(row)
    return grid


def _fill(row: list[str], pending: dict[int, tuple[str, int]]) -> None:
    """Append the cells of rows above that reach down to where a row has come."""
    while len(row) in pending:
        text, rows = pending.pop(len(row))
        if rows > 1:
            pending[len(row)] = (text, rows - 1)
        row.append(text)


def _text(source: str) -> str:
    if "<" in source:
        source = _ANY_TAG.sub("", _BREAK.sub(" ", _FOOTNOTE.sub("", source)))
    return " ".join(html.unescape(source).split())


def _header_row(rows: Sequence[Sequence[str]], columns: Sequence[str]) -> int:
    """Which of the first rows is the header: the one that fits best, and the first of equals."""
    return max(range(len(rows[:_TITLE_ROWS])), key=lambda n: (count_columns(columns, rows[n]), -n))
