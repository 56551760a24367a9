"""Rows in scope that are linked to no row of a group."""

from __future__ import annotations

from random import Random

from queries.families.common import FEWEST_ROWS, MOST_CANDIDATES, MOST_ROWS, base_source, outputs
from queries.plan import BASE, Absence, Plan
from queries.scene import Scene, Scope
from worldgen.blueprint import Table


def propose(scene: Scene, rng: Random) -> Plan | None:
    """For example: the vessels of a line that call at none of the ports of a county."""
    links = [link for link in scene.blueprint.links() if link.has_none]
    if not links:
        return None
    link = rng.choice(links)
    table = scene.blueprint.table(link.home_side.to or "")
    far = scene.blueprint.table(link.far_side.to or "")
    able = [
        (scope, group)
        for scope in scene.scopes(table, FEWEST_ROWS + 2, MOST_CANDIDATES)
        for group in scene.scopes(far, 2, len(scene.world.ids(far.name)) - 1)
        if not group.sources
        and len(group.conditions) == 1
        and FEWEST_ROWS
        <= _unlinked(scene, link, scope, group)
        <= min(MOST_ROWS, len(scope.ids) - 1)
    ]
    if not able or not scene.guarded(table):
        return None
    scope, group = rng.choice(able)
    (condition,) = group.conditions
    assert condition.value is not None  # noqa: S101 - a scope's condition has a value
    return Plan(
        family="absent",
        base=table.name,
        sources=(base_source(table), *scope.sources),
        conditions=scope.conditions,
        absence=Absence(link=link.name, column=condition.column, value=condition.value),
        outputs=tuple(outputs(rng, BASE, scene.guarded(table), rng.choice((2, 3)))),
    )


def _unlinked(scene: Scene, link: Table, scope: Scope, group: Scope) -> int:
    home, far = (link.key_columns.index(side.name) for side in (link.home_side, link.far_side))
    linked = {key[home] for key in scene.world.tables[link.name] if key[far] in set(group.ids)}
    return sum(i not in linked for i in scope.ids)
