"""Checks of tables: what each kind of table needs, and how its rows are counted and named."""

from __future__ import annotations

from collections.abc import Iterator

from worldgen.blueprint import Blueprint, Names, Table, slug
from worldgen.checks.common import Check, twice


def names_are_unique(blueprint: Blueprint) -> Iterator[str]:
    """No two tables have one name."""
    for name in twice(table.name for table in blueprint.tables):
        yield f"two tables have the same name: {name!r}; rename one"


def labels_are_unique(blueprint: Blueprint) -> Iterator[str]:
    """Questions call tables by label and plural, so each must mean one table."""
    labels = [table.label for table in blueprint.tables]
    plurals = [table.plural for table in blueprint.tables]
    for label in (*twice(labels), *twice(plurals)):
        yield f"two tables are called {label!r}; change the label and plural of one"


def entities_are_counted(blueprint: Blueprint) -> Iterator[str]:
    """Entity tables have names, and a number of rows."""
    for table in _of_kind(blueprint, "entity"):
        if table.names is None or table.rows[0] < 1:
            yield f"entity table {table.name!r} needs names and a number of rows"
        yield from _reversed(f"entity table {table.name!r}", "rows", table.rows)


def names_suffice(blueprint: Blueprint) -> Iterator[str]:
    """There are names for all rows of an entity table."""
    for table in _of_kind(blueprint, "entity"):
        names = table.names or Names()
        where = f"entity table {table.name!r}"
        if not names.patterns and not names.listed:
            yield f"{where} needs patterns, or a listed name for each row"
        for name in twice(names.listed):
            yield f"{where} lists the name {name!r} twice; list each once"
        for leaf in twice(slug(name) for name in names.listed):
            yield f"{where} lists two names that are {leaf!r} in a URL; change one"
        if names.listed and len(names.listed) < table.rows[1]:
            yield (
                f"{where} can have {table.rows[1]} rows but lists {len(names.listed)} names; "
                "list one for each row"
            )


def links_join_two(blueprint: Blueprint) -> Iterator[str]:
    """Link tables have two references, one of them as home, and rows with a role."""
    for table in _of_kind(blueprint, "link"):
        where = f"link table {table.name!r}"
        if len(table.refs) != 2 or table.home not in table.key_columns:
            yield f"{where} needs two references and one of them as home"
        if not table.row_roles:
            yield f"{where} has no row_roles; name at least one of key, locator, guarded"
        yield from _reversed(where, "per_home", table.per_home)
        if table.per_home[0] < 0 or table.per_home[1] < 1:
            yield f"{where} has no rows; say in per_home how many each home entity has"


def links_are_worded(blueprint: Blueprint) -> Iterator[str]:
    """Link tables have the phrases by which questions and pages speak of them."""
    for table in _of_kind(blueprint, "link"):
        if not (table.has and table.has_none and table.complete):
            yield f"link table {table.name!r} needs the phrases has, has_none and complete"


def years_are_over(blueprint: Blueprint) -> Iterator[str]:
    """Yearly tables have one reference and a span of years, all of them over."""
    for table in _of_kind(blueprint, "yearly"):
        where = f"yearly table {table.name!r}"
        first, last = table.years
        if len(table.refs) != 1 or not 1 <= first <= last:
            yield f"{where} needs one reference and a span of years, the first one first"
        if last >= blueprint.today.year:
            yield (
                f"{where} runs to {last}, which isn't over on {blueprint.today}; "
                f"end it in {blueprint.today.year - 1} or earlier"
            )


def _of_kind(blueprint: Blueprint, kind: str) -> Iterator[Table]:
    return (table for table in blueprint.tables if table.kind == kind)


def _reversed(where: str, what: str, span: tuple[int, int]) -> Iterator[str]:
    if span[0] > span[1]:
        yield f"{where}: {what} = {list(span)} is reversed; give the fewest first"


CHECKS: tuple[Check, ...] = (
    names_are_unique,
    labels_are_unique,
    entities_are_counted,
    names_suffice,
    links_join_two,
    links_are_worded,
    years_are_over,
)
