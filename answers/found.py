"""A table that was found in a reply, before it is decided which one is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from answers.headings import find_columns

MAX_COLUMNS = 256
"""A header with more columns is not taken for one."""

MAX_CELLS = 1_000_000
"""A table with more cells, short rows filled up, is not read."""

MAX_TABLES = 200
"""Of a reply with more tables, the last ones are looked at."""


def unchanged(cell: str) -> str:
    """A cell that needs no cleaning."""
    return cell


@dataclass(frozen=True)
class Found:
    """A table in a reply.

    Attributes:
        line: the number of the line where it starts.
        header: its headings, clean.
        height: how many rows it has.
        rows: gives the cells of each row, of any length.
        clean: frees a cell of markup.
    """

    line: int
    header: tuple[str, ...]
    height: int
    rows: Callable[[], Iterable[Sequence[str]]]
    clean: Callable[[str], str] = unchanged

    @property
    def is_plausible(self) -> bool:
        """Whether the header looks like headings: mostly filled, and not all numbers."""
        filled = [cell for cell in self.header if cell]
        return 2 * len(filled) >= len(self.header) and any(
            any(map(str.isalpha, cell)) for cell in filled
        )

    def fit(self, columns: Sequence[str]) -> int:
        """How many of the columns that were asked for it has."""
        return count_columns(columns, self.header)


def count_columns(columns: Sequence[str], header: Sequence[str]) -> int:
    """How many columns stand among some headings."""
    if len(header) > MAX_COLUMNS:
        return 0
    return sum(place is not None for place in find_columns(columns, header))
