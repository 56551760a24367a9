"""Checks of columns: their names, what they point to, their units and roles."""

from __future__ import annotations

from collections.abc import Iterator

from worldgen.blueprint import Blueprint, TableKind
from worldgen.checks.common import Check, places, twice

RESERVED: dict[TableKind, frozenset[str]] = {
    "entity": frozenset({"id", "name"}),
    "link": frozenset(),
    "yearly": frozenset({"name", "year"}),
}
"""Per kind of table, the names that its rows, or the texts about them, have already."""


def names_are_unique(blueprint: Blueprint) -> Iterator[str]:
    """Within a table no two columns have one name, nor that of a column which every table has."""
    for table in blueprint.tables:
        for name in twice(column.name for column in table.columns):
            yield f"table {table.name!r} has two columns of the name {name!r}; rename one"
    for place in places(blueprint):
        if place.column.name in RESERVED[place.table.kind]:
            yield f"{place} has a name that {place.table.kind} tables use themselves; rename it"


def phrases_are_unique(blueprint: Blueprint) -> Iterator[str]:
    """Texts name columns by label or alias, so within a table each must mean one column."""
    for table in blueprint.tables:
        for phrase in twice(x for c in table.columns for x in (c.label, *c.aliases)):
            yield f"table {table.name!r}: two columns are called {phrase!r}; rename one"


def references_point_to_entities(blueprint: Blueprint) -> Iterator[str]:
    """References, and they alone, point to an entity table that stands earlier."""
    order = [table.name for table in blueprint.tables]
    for place in places(blueprint):
        table, column = place
        if column.kind != "ref" and column.to is not None:
            yield f"{place} points to {column.to!r} but is no reference; drop `to`"
        if column.kind == "ref" and column.to not in order[: order.index(table.name)]:
            yield (
                f"{place} points to {column.to!r}, which is no earlier table; "
                "let `to` name one that stands above"
            )
        elif column.kind == "ref" and blueprint.table(column.to or "").kind != "entity":
            yield f"{place} points to {column.to!r}, which is no entity table; point to entities"


def amounts_have_units(blueprint: Blueprint) -> Iterator[str]:
    """Money and measures have a unit."""
    for place in places(blueprint):
        if place.column.kind in ("money", "measure") and not place.column.unit:
            yield f"{place} needs a unit"


def roles_fit(blueprint: Blueprint) -> Iterator[str]:
    """Every column may get a role, and only columns of the row's key are keys."""
    for place in places(blueprint):
        if not place.column.roles:
            yield f"{place} has no roles; name at least one of locator, guarded"
        if "key" in place.column.roles and place.column.name not in place.table.key_columns:
            yield f"{place} can't be a key; use the roles locator and guarded"


CHECKS: tuple[Check, ...] = (
    names_are_unique,
    phrases_are_unique,
    references_point_to_entities,
    amounts_have_units,
    roles_fit,
)
