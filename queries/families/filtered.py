"""Rows in scope whose guarded column passes a threshold."""

from __future__ import annotations

from random import Random

from queries.families.common import (
    FEWEST_ROWS,
    MOST_CANDIDATES,
    MOST_ROWS,
    base_source,
    comparable,
    outputs,
    pick_table,
)
from queries.plan import BASE, Plan
from queries.scene import Compared, Scene


def propose(scene: Scene, rng: Random) -> Plan | None:
    """For example: the vessels of a line that are longer than 60 m, with length and launch date."""
    table = pick_table(scene, rng)
    scope = table and scene.pick_scope(rng, table, FEWEST_ROWS + 2, MOST_CANDIDATES)
    columns = table and scene.guarded(table, comparable)
    if not table or not scope or not columns:
        return None
    column = rng.choice(columns)
    values = [scene.value(table.name, (i,), column.name) for i in scope.ids]
    condition = scene.threshold(rng, Compared(BASE, column, values), FEWEST_ROWS, MOST_ROWS)
    if condition is None:
        return None
    stated = None if column.kind == "category" else column
    able = [c for c in scene.guarded(table) if c != column or stated]
    return Plan(
        family="filtered",
        base=table.name,
        sources=(base_source(table), *scope.sources),
        conditions=(*scope.conditions, condition),
        outputs=tuple(outputs(rng, BASE, able, rng.choice((2, 3)), stated)),
    )
