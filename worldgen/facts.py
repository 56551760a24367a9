"""Facts: the addresses of everything that a world can be asked about.

A fact is an address, not a value: values live in the tables, claims about them on the pages.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Value = str | int | float
"""What a cell holds. Dates are ISO 8601 text, references are the id of the row they point to."""

RowKey = tuple[int, ...]
"""A row's key: `(id,)` for an entity; the linked ids, then the year if there is one, for a link."""

FactKind = Literal["cell", "row", "list", "top"]
_KINDS: tuple[FactKind, ...] = get_args(FactKind)


class Fact(NamedTuple):
    """The address of one fact.

    kind    key                      column             the fact
    cell    the row's key            the column         what stands in the cell
    row     the row's key            ""                 that the link row exists
    list    `(id,)` of an entity     the link's side    how many link rows the entity has, and that
                                                        the list of them is complete
    top     `(id,)` of the group     the column         which row of the group has the highest value
    """

    kind: FactKind
    table: str
    key: RowKey
    column: str

    def __str__(self) -> str:
        """The fact's id in files and logs, for example `cell:port:12:depth_m`."""
        return f"{self.kind}:{self.table}:{'.'.join(map(str, self.key))}:{self.column}"

    @classmethod
    def parse(cls, text: str) -> Fact:
        """Read back what `str` wrote.

        Raises:
            ValueError: the text is no fact's id.
        """
        kind, table, key, column = text.split(":")
        numbers = tuple(int(part) for part in key.split("."))
        for known in _KINDS:
            if kind == known and str(fact := cls(known, table, numbers, column)) == text:
                return fact
        message = f"{text!r} is no fact's id"
        raise ValueError(message)


def cell(table: str, key: RowKey, column: str) -> Fact:
    """The fact that stands in one cell."""
    return Fact("cell", table, key, column)


def row(table: str, key: RowKey) -> Fact:
    """The fact that a link row exists."""
    return Fact("row", table, key, "")


def complete_list(table: str, side: str, entity_id: int) -> Fact:
    """The fact of how many rows of link `table` have `entity_id` at `side`, all of them named."""
    return Fact("list", table, (entity_id,), side)


def top(table: str, group_id: int, column: str) -> Fact:
    """The fact of which row of the group has the highest value in `column`."""
    return Fact("top", table, (group_id,), column)
