"""Rows that belong to something whose guarded column passes a threshold."""

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
from queries.plan import BASE, Plan, Source
from queries.scene import Compared, Scene, parent_alias


def propose(scene: Scene, rng: Random) -> Plan | None:
    """For example: the catamarans of lines with a staff of more than 400, with their build cost."""
    table = pick_table(scene, rng)
    parents = (
        [(r, p) for r, p in scene.open_parents(table) if scene.guarded(p, comparable)]
        if table
        else []
    )
    if not table or not parents:
        return None
    reference, parent = rng.choice(parents)
    scopes = [
        scope
        for scope in scene.scopes(table, FEWEST_ROWS + 2, MOST_CANDIDATES)
        if not scope.sources and all(c.column != reference.name for c in scope.conditions)
    ]
    if not scopes:
        return None
    scope, column = rng.choice(scopes), rng.choice(scene.guarded(parent, comparable))
    parent_of = {i: int(scene.value(table.name, (i,), reference.name)) for i in scope.ids}
    values = [scene.value(parent.name, (parent_of[i],), column.name) for i in scope.ids]
    condition = scene.threshold(
        rng, Compared(parent_alias(parent), column, values), FEWEST_ROWS, MOST_ROWS
    )
    if condition is None:
        return None
    source = Source(
        alias=parent_alias(parent), table=parent.name, via="parent", of=BASE, column=reference.name
    )
    return Plan(
        family="parent",
        base=table.name,
        sources=(base_source(table), source),
        conditions=(*scope.conditions, condition),
        outputs=tuple(outputs(rng, BASE, scene.guarded(table), rng.choice((2, 3)))),
    )
