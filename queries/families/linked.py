"""Pairs of linked rows: which rows in scope are linked to which rows of a group, and how."""

from __future__ import annotations

from random import Random

from queries.families.common import FEWEST_ROWS, base_source, outputs
from queries.families.links import Ends, pick_link
from queries.plan import BASE, Plan, Source
from queries.scene import Scene

FEWEST_OUTPUTS = 2
"""Where a link has fewer guarded columns, one of the base fills the answer up."""


def propose(scene: Scene, rng: Random) -> Plan | None:
    """For example: the calls of a line's vessels at the ports of a county, with their fares."""
    about = pick_link(scene, rng, FEWEST_ROWS, _pairs)
    if about is None:
        return None
    link = about.link
    columns = [c for c in link.details if scene.roles.guarded_column(link.name, c.name)]
    stated = outputs(rng, "link", columns, rng.choice((FEWEST_OUTPUTS, 3)))
    if len(stated) < FEWEST_OUTPUTS:
        stated += outputs(rng, BASE, scene.guarded(about.home), 1)
    if not stated:
        return None
    return Plan(
        family="linked",
        base=about.home.name,
        sources=(
            base_source(about.home),
            *about.scope.sources,
            Source(alias="link", table=link.name, via="link", of=BASE),
            Source(alias="far", table=about.far.name, via="far", of="link"),
        ),
        conditions=(*about.scope.conditions, about.group.model_copy(update={"alias": "far"})),
        pairs=True,
        outputs=tuple(stated),
    )


def _pairs(ends: Ends, scope: frozenset[int], group: frozenset[int]) -> int:
    return sum(home in scope and far in group for home, far in ends)
