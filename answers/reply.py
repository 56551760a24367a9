"""Finding the table in an agent's reply.

The reader follows GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-) and
is laxer where agents are: ragged rows, no outer pipes, a missing delimiter row, a blank line
between rows. It works in linear time and never raises.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from answers.cells import clean_cell, split_row
from answers.headings import find_columns

MAX_COLUMNS = 256
"""A header with more columns is not taken for one."""

MAX_CELLS = 1_000_000
"""A table with more cells, short rows filled up, is not read."""

MAX_TABLES = 200
"""Of a reply with more tables, the last ones are looked at."""

_PREFIX = re.compile(r"^(?:[\s\ufeff]|>\s*(?=[|>])|(?:```|~~~)[ \w]*(?=\|))*")
_DASHES = frozenset("-–—=")
_STRONG = ("--", "==", "–", "—", ":")
_RULERS = _DASHES | frozenset("|: \t")


@dataclass(frozen=True)
class ReplyTable:
    """The table of a reply, its cells free of Markdown.

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


@dataclass
class _Block:
    header: tuple[str, ...]
    lines: list[str] = field(default_factory=list)

    @property
    def plausible(self) -> bool:
        """Whether the header looks like headings: mostly filled, and not all numbers."""
        filled = [cell for cell in self.header if cell]
        return 2 * len(filled) >= len(self.header) and any(
            any(map(str.isalpha, cell)) for cell in filled
        )


def read_reply(text: str, columns: Sequence[str] = ()) -> ReplyTable | Unreadable:
    """Read the table that an agent's reply holds, in a fence or bare, with text around it.

    Args:
        text: the reply, whatever it is.
        columns: the headings that were asked for. Of several tables the one with most of them is
            read, the last of equals; without `columns`, the last one with plausible headings.
    """
    # Lone surrogates can be neither stored nor sent.
    lines = text.encode("utf-8", "replace").decode().replace("\r\n", "\n").replace("\r", "\n")
    stripped = [_strip(line) for line in lines.split("\n")]
    blocks = _blocks(stripped) or _blocks_without_delimiter(stripped)
    if not blocks:
        return Unreadable("the reply is empty" if not text.strip() else "the reply holds no table")
    fitting = [block for block in blocks if any(block.header)]
    if not fitting:
        return Unreadable("the table has no headings")
    fitting = [block for block in fitting if len(block.header) <= MAX_COLUMNS]
    if not fitting:
        return Unreadable(f"the table has more than {MAX_COLUMNS} columns")
    return _table(_choose(fitting[-MAX_TABLES:], columns))


def _strip(line: str) -> str:
    """A line without what stands before its table: indent, quote marks, a fence's first words."""
    if "|" not in line:
        line = line.replace("｜", "|")  # noqa: RUF001 - full-width pipes, as Chinese replies have
    return _PREFIX.sub("", line).rstrip() if "|" in line else line.strip()


def _is_delimiter(line: str, *, strong: bool = False) -> bool:
    """Whether a line rules off a header: `|---|:--:|`.

    A strong one has two dashes in a row, or a colon, so that it is no row of blanks: `| - | - |`.
    """
    if "|" not in line or not set(line) <= _RULERS or _DASHES.isdisjoint(line):
        return False
    return not strong or any(mark in line for mark in _STRONG)


def _blocks(lines: Sequence[str]) -> list[_Block]:
    """The tables that have a delimiter row."""
    blocks: list[_Block] = []
    inside, gap = False, False
    for line, after in itertools.pairwise([*lines, ""]):
        if "|" not in line:
            inside, gap = inside and not line, True
            continue
        inside = inside and not (gap and line[0] != "|")
        starts = _is_delimiter(after) and not _is_delimiter(line)
        if starts and (gap or not inside):
            blocks.append(_Block(_header(line)))
            inside = True
        elif inside and not _is_ruling(line, blocks[-1], starts=starts):
            blocks[-1].lines.append(line)
        gap = False
    return blocks


def _is_ruling(line: str, block: _Block, *, starts: bool) -> bool:
    """Whether a line within a table is a delimiter row, or its header said again above one."""
    if starts:
        return _header(line) == block.header
    return _is_delimiter(line, strong=bool(block.lines))


def _blocks_without_delimiter(lines: Sequence[str]) -> list[_Block]:
    """Runs of two or more lines that start with a pipe and have another."""
    blocks: list[_Block] = []
    for is_row, run in itertools.groupby(lines, lambda line: line[:1] == "|" and "|" in line[1:]):
        rows = list(run)
        if is_row and len(rows) > 1:
            blocks.append(_Block(_header(rows[0]), rows[1:]))
    return blocks


def _header(line: str) -> tuple[str, ...]:
    return tuple(map(clean_cell, split_row(line)))


def _choose(blocks: Sequence[_Block], columns: Sequence[str]) -> _Block:
    """The table to read: the last of those that fit best."""

    def fit(block: _Block) -> tuple[int, bool]:
        places = find_columns(columns, block.header)
        return sum(place is not None for place in places), block.plausible

    return max(reversed(blocks), key=fit)


def _table(block: _Block) -> ReplyTable | Unreadable:
    width = len(block.header)
    if width * len(block.lines) > MAX_CELLS:
        return Unreadable(f"the table has more than {MAX_CELLS:,} cells")
    rows = [split_row(line) for line in block.lines]
    filled = (tuple(map(clean_cell, row[:width])) + ("",) * (width - len(row)) for row in rows)
    cut = sum(any(cell.strip() for cell in row[width:]) for row in rows)
    return ReplyTable(block.header, tuple(filled), cut)
