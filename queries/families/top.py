"""The rows in scope with the highest or lowest values of a guarded column."""

from __future__ import annotations

from random import Random

from queries.families.common import (
    FEWEST_ROWS,
    MOST_CANDIDATES,
    base_source,
    orderable,
    outputs,
    pick_table,
)
from queries.plan import BASE, Order, Plan
from queries.scene import Scene

LONGEST = 10
"""The longest such list that a question asks for."""


def propose(scene: Scene, rng: Random) -> Plan | None:
    """For example: the seven ports of a county with the deepest harbours, deepest first."""
    table = pick_table(scene, rng)
    scope = table and scene.pick_scope(rng, table, FEWEST_ROWS + 2, MOST_CANDIDATES)
    columns = table and scene.guarded(table, orderable)
    if not table or not scope or not columns:
        return None
    column, descending = rng.choice(columns), rng.choice((True, True, False))
    values = sorted(
        (scene.value(table.name, (i,), column.name) for i in scope.ids), reverse=descending
    )
    cuts = [
        n
        for n in range(FEWEST_ROWS, min(LONGEST, len(values) - 1) + 1)
        if values[n - 1] != values[n]
    ]
    if not cuts:
        return None
    return Plan(
        family="top",
        base=table.name,
        sources=(base_source(table), *scope.sources),
        conditions=scope.conditions,
        outputs=tuple(outputs(rng, BASE, scene.guarded(table), rng.choice((2, 3)), column)),
        order=Order(output=0, descending=descending, limit=rng.choice(cuts)),
    )
