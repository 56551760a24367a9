"""What the checks share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from worldgen.blueprint import Blueprint, Column, Role, Table
from worldgen.errors import UnknownNameError

Check = Callable[[Blueprint], Iterator[str]]


class Place(NamedTuple):
    """A column and its table; as text, the place that messages name."""

    table: Table
    column: Column

    def __str__(self) -> str:
        """For example `port.depth_m`."""
        return f"{self.table.name}.{self.column.name}"

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that the column may get; columns of the row's key are always keys."""
        return ("key",) if self.column.name in self.table.key_columns else self.column.roles


def places(blueprint: Blueprint) -> Iterator[Place]:
    """Every column, in order."""
    for table in blueprint.tables:
        for column in table.columns:
            yield Place(table, column)


def twice(items: Iterable[str]) -> list[str]:
    """The items that stand more than once, each once."""
    found = list(items)
    return [item for item in dict.fromkeys(found) if found.count(item) > 1]


def unknown(name: str, kind: str, known: Iterable[str]) -> str:
    """That a name is unknown, with the nearest one that exists."""
    return str(UnknownNameError(name, kind, known))


def unknown_column(table: Table, name: str) -> str | None:
    """That a table has no column of that name, or None if it has."""
    names = [column.name for column in table.columns]
    return None if name in names else unknown(name, f"column of {table.name}", names)
