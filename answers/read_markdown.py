"""Finding the Markdown tables of a reply.

The reader follows GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-) and
is laxer where agents are: ragged rows, no outer pipes, a missing delimiter row, a blank line
between rows, pipes within a cell.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from answers.cells import clean_cell, split_row
from answers.found import Found

_PREFIX = re.compile(r"^(?:[\s\ufeff]|>\s*(?=[|>])|(?:```|~~~)[ \w]*(?=\|))*")
_DASHES = frozenset("-–—=")
_STRONG = ("--", "==", "–", "—", ":")
_SPACED_PIPE = re.compile(r"\s\|\s")
_RULERS = _DASHES | frozenset("|: \t")


@dataclass
class _Block:
    line: int
    header: tuple[str, ...]
    lines: list[str] = field(default_factory=list)

    def rows(self) -> Iterator[Sequence[str]]:
        """The cells of each row. A row that is too long can have pipes within its cells."""
        width = len(self.header)
        for line in self.lines:
            row = split_row(line)
            if len(row) > width and len(spaced := _SPACED_PIPE.split("|".join(row))) == width:
                # The pipes between cells have spaces around them, those within have none.
                row = spaced
            yield row


def markdown_tables(lines: Sequence[str]) -> list[Found]:
    """The Markdown tables in a text's lines, in their order."""
    stripped = [_strip(line) for line in lines]
    blocks = _blocks(stripped) or _blocks_without_delimiter(stripped)
    return [
        Found(block.line, block.header, len(block.lines), block.rows, clean_cell)
        for block in blocks
    ]


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
    for number, (line, after) in enumerate(itertools.pairwise([*lines, ""])):
        if "|" not in line:
            inside, gap = inside and not line, True
            continue
        inside = inside and not (gap and line[0] != "|")
        starts = _is_delimiter(after) and not _is_delimiter(line)
        if starts and (gap or not inside):
            blocks.append(_Block(number, _header(line)))
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
    number = 0
    for is_row, run in itertools.groupby(lines, lambda line: line[:1] == "|" and "|" in line[1:]):
        rows = list(run)
        if is_row and len(rows) > 1:
            blocks.append(_Block(number, _header(rows[0]), rows[1:]))
        number += len(rows)
    return blocks


def _header(line: str) -> tuple[str, ...]:
    return tuple(map(clean_cell, split_row(line)))
