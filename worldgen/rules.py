"""Rules: what the rows of every world obey, checked by SQL."""

from __future__ import annotations

import sqlite3

from worldgen.errors import GenerationError, RuleBrokenError
from worldgen.world import World

FEWEST_ROWS, MOST_ROWS = 300, 500
"""The bounds of a world's rows, over all tables."""


def check_rules(world: World, connection: sqlite3.Connection) -> None:
    """Check size, rules and foreign keys on a database that holds the world.

    Raises:
        GenerationError: the world has too few or too many rows.
        RuleBrokenError: some rows break a rule.
    """
    if not FEWEST_ROWS <= world.row_count <= MOST_ROWS:
        problem = f"{world.row_count} rows; a world has {FEWEST_ROWS} to {MOST_ROWS}"
        raise GenerationError(world.blueprint.id, world.seed, problem)
    for rule in world.blueprint.rules:
        if broken := connection.execute(rule.broken).fetchmany(3):
            raise RuleBrokenError(world.blueprint.id, world.seed, rule.says, broken)
    if broken := connection.execute("PRAGMA foreign_key_check").fetchmany(3):
        raise RuleBrokenError(
            world.blueprint.id, world.seed, "references point to rows that exist", broken
        )
