"""The check of rules: that their SQL can run on the blueprint's tables, and only reads."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from worldgen.blueprint import Blueprint
from worldgen.checks.common import Check

_READING = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


def rules_are_queries(blueprint: Blueprint) -> Iterator[str]:
    """Each rule is one SELECT that SQLite can prepare on the blueprint's tables."""
    with closing(sqlite3.connect(":memory:")) as connection:
        if problem := _declare(connection, blueprint):
            yield problem
            return
        connection.set_authorizer(_allow_reading)
        for rule in blueprint.rules:
            try:
                connection.execute(f"EXPLAIN {rule.broken}")
            except (sqlite3.Error, sqlite3.Warning) as error:
                yield (
                    f"rule {rule.says!r}: {error}; "
                    "`broken` must be one SELECT over the blueprint's tables"
                )


def _declare(connection: sqlite3.Connection, blueprint: Blueprint) -> str | None:
    """Declare the tables; why that fails, or None."""
    from worldgen.tables import create_statements

    for table, statement in zip(blueprint.tables, create_statements(blueprint), strict=True):
        try:
            connection.execute(statement)
        except sqlite3.Error as error:
            return f"table {table.name!r} can't be declared: {error}; rename it or its columns"
    return None


def _allow_reading(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


CHECKS: tuple[Check, ...] = (rules_are_queries,)
