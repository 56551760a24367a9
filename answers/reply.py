"""Finding the table in an agent's reply: Markdown, HTML, CSV or JSON, with text around it.

Each format has its reader, which finds the tables that could be meant; here it is decided which
one is. All of it works in linear time and never raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from answers.found import MAX_CELLS, MAX_COLUMNS, MAX_TABLES, Found
from answers.read_csv import csv_tables
from answers.read_html import html_tables
from answers.read_json import json_runs, json_tables, json_texts
from answers.read_markdown import markdown_tables

__all__ = ["MAX_CELLS", "MAX_COLUMNS", "MAX_TABLES", "ReplyTable", "Unreadable", "read_reply"]


@dataclass(frozen=True)
class ReplyTable:
    """The table of a reply, its cells free of markup.

    Attributes:
        columns: the headings.
        rows: the rows, each as long as `columns`: short ones filled up with "", long ones cut.
        cut_rows: how many rows were cut.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cut_rows: int = 0


@dataclass(frozen=True)
class Unreadable:
    """A reply in which no table was found, and why, in one line."""

    reason: str


def read_reply(text: str, columns: Sequence[str] = ()) -> ReplyTable | Unreadable:
    """Read the table that an agent's reply holds, in a fence or bare, with text around it.

    Args:
        text: the reply, whatever it is.
        columns: the headings that were asked for. Of several tables the one with most of them is
            read, the last of equals; without `columns`, the last one with plausible headings.
            CSV outside a fence is found by them alone, since any prose has commas.
    """
    found = _tables(text, columns)
    if not found:
        return Unreadable("the reply is empty" if not text.strip() else "the reply holds no table")
    found = [table for table in found if any(table.header)]
    if not found:
        return Unreadable("the table has no headings")
    found = [table for table in found if len(table.header) <= MAX_COLUMNS]
    if not found:
        return Unreadable(f"the table has more than {MAX_COLUMNS} columns")
    return _read(_choose(found, columns))


def _tables(text: str, columns: Sequence[str], *, is_inner: bool = False) -> list[Found]:
    """The tables of a reply in the order in which they stand there."""
    # Lone surrogates can be neither stored nor sent.
    text = text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    found = [*markdown_tables(lines), *csv_tables(lines, columns), *html_tables(text, columns)]
    runs = json_runs(text)
    found += json_tables(text, runs)
    if not is_inner:
        for line, inner in json_texts(text, runs):
            found += [replace(table, line=line) for table in _tables(inner, columns, is_inner=True)]
    return sorted(found, key=lambda table: table.line)[-MAX_TABLES:]


def _choose(found: Sequence[Found], columns: Sequence[str]) -> Found:
    """The table to read: the last of those that fit best."""
    return max(reversed(found), key=lambda table: (table.fit(columns), table.is_plausible))


def _read(table: Found) -> ReplyTable | Unreadable:
    width = len(table.header)
    if width * table.height > MAX_CELLS:
        return Unreadable(f"the table has more than {MAX_CELLS:,} cells")
    rows, cut = [], 0
    for row in table.rows():
        filled = tuple(map(table.clean, row[:width]))
        rows.append(filled + ("",) * (width - len(filled)) if len(filled) < width else filled)
        cut += len(row) > width and any(cell.strip() for cell in row[width:])
    return ReplyTable(table.header, tuple(rows), cut)
