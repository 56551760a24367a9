"""Rows in scope that are linked to no row of a group."""

from __future__ import annotations

from random import Random

from queries.families.common import FEWEST_ROWS, base_source, outputs
from queries.families.links import Ends, pick_link
from queries.plan import BASE, Absence, Plan
from queries.scene import Scene


def propose(scene: Scene, rng: Random) -> Plan | None:
    """For example: the vessels of a line that call at none of the ports of a county."""
    about = pick_link(scene, rng, FEWEST_ROWS + 2, _unlinked)
    if about is None or not scene.guarded(about.home):
        return None
    assert about.group.value is not None  # noqa: S101 - a scope's condition has a value
    value = about.group.value
    return Plan(
        family="absent",
        base=about.home.name,
        sources=(base_source(about.home), *about.scope.sources),
        conditions=about.scope.conditions,
        absence=Absence(link=about.link.name, column=about.group.column, value=value),
        outputs=tuple(outputs(rng, BASE, scene.guarded(about.home), rng.choice((2, 3)))),
    )


def _unlinked(ends: Ends, scope: frozenset[int], group: frozenset[int]) -> int:
    """The rows without a link into the group; 0 where that is all of them, which asks nothing."""
    linked = {home for home, far in ends if far in group}
    unlinked = len(scope - linked)
    return unlinked if unlinked < len(scope) else 0
