"""Choosing what a question about a link is about: rows at one side, a group at the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from queries.families.common import MOST_CANDIDATES
from queries.plan import Condition
from queries.scene import FEWEST_ROWS, MOST_ROWS, Scene, Scope
from worldgen.blueprint import Table

Ends = list[tuple[int, int]]
"""The link's rows, each as the id at the home side and the id at the far side."""
Count = Callable[[Ends, frozenset[int], frozenset[int]], int]
"""How many rows a question has, by the link's ends, the ids in scope and the ids of the group."""


@dataclass(frozen=True)
class Linked:
    """A link, the rows in scope at its home side, and what says which group they are linked to."""

    link: Table
    home: Table
    far: Table
    scope: Scope
    group: Condition


def pick_link(scene: Scene, rng: Random, fewest_in_scope: int, count: Count) -> Linked | None:
    """A link, a scope and a group for which a question has an acceptable number of rows.

    Links from a table to itself are left out: their pairs have no words to be told apart by.
    """
    links = [link for link in scene.blueprint.links() if link.home_side.to != link.far_side.to]
    if not links:
        return None
    link = rng.choice(links)
    home = scene.blueprint.table(link.home_side.to or "")
    far = scene.blueprint.table(link.far_side.to or "")
    ends = _ends(scene, link)
    able = [
        (scope, group.conditions[0])
        for scope in scene.scopes(home, fewest_in_scope, MOST_CANDIDATES)
        for group in scene.scopes(far, 2, len(scene.world.ids(far.name)) - 1)
        if not group.sources
        and len(group.conditions) == 1
        and FEWEST_ROWS <= count(ends, frozenset(scope.ids), frozenset(group.ids)) <= MOST_ROWS
    ]
    if not able:
        return None
    scope, condition = rng.choice(able)
    return Linked(link, home, far, scope, condition)


def _ends(scene: Scene, link: Table) -> Ends:
    home, far = (link.key_columns.index(side.name) for side in (link.home_side, link.far_side))
    return [(key[home], key[far]) for key in scene.world.tables[link.name]]
