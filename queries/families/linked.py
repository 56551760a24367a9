"""Pairs of linked rows: which rows in scope are linked to which rows of a group, and how."""

from __future__ import annotations

from random import Random

from queries.families.common import FEWEST_ROWS, MOST_CANDIDATES, MOST_ROWS, base_source, outputs
from queries.plan import BASE, Condition, Plan, Source
from queries.scene import Scene, Scope
from worldgen.blueprint import Table


def propose(scene: Scene, rng: Random) -> Plan | None:
    """For example: the calls of a line's vessels at the ports of a county, with their fares."""
    links = [link for link in scene.blueprint.links() if link.has]
    if not links:
        return None
    link = rng.choice(links)
    table = scene.blueprint.table(link.home_side.to or "")
    far = scene.blueprint.table(link.far_side.to or "")
    able = [
        (scope, group)
        for scope in scene.scopes(table, FEWEST_ROWS, MOST_CANDIDATES)
        for group in scene.scopes(far, 2, len(scene.world.ids(far.name)) - 1)
        if not group.sources
        and len(group.conditions) == 1
        and FEWEST_ROWS <= _pairs(scene, link, scope, group) <= MOST_ROWS
    ]
    columns = [c for c in link.details if scene.roles.guarded_column(link.name, c.name)]
    if not able or not columns:
        return None
    scope, group = rng.choice(able)
    condition: Condition = group.conditions[0].model_copy(update={"alias": "far"})
    stated = outputs(rng, "link", columns, rng.choice((2, 3)))
    if len(stated) < 2:
        stated += outputs(rng, BASE, scene.guarded(table), 1)
    return Plan(
        family="linked",
        base=table.name,
        sources=(
            base_source(table),
            *scope.sources,
            Source(alias="link", table=link.name, via="link", of=BASE),
            Source(alias="far", table=far.name, via="far", of="link"),
        ),
        conditions=(*scope.conditions, condition),
        pairs=True,
        outputs=tuple(stated),
    )


def _pairs(scene: Scene, link: Table, scope: Scope, group: Scope) -> int:
    home, far = (link.key_columns.index(side.name) for side in (link.home_side, link.far_side))
    rows = scene.world.tables[link.name]
    return sum(key[home] in set(scope.ids) and key[far] in set(group.ids) for key in rows)
