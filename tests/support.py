"""What tests of several packages share: built worlds, and their republished twins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from search_sim.build import BuiltWorld, build_world
from search_sim.open_world import OpenWorld
from worldgen.library import domain
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.world import World

SEED = 11
TASKS = 6


@dataclass(frozen=True)
class Case:
    """A world with its tasks, open for searching."""

    built: BuiltWorld
    opened: OpenWorld

    @property
    def world(self) -> World:
        return self.opened.world


@cache
def make_case(name: str) -> Case:
    built = build_world(domain(name), SEED, TASKS)
    return Case(built, OpenWorld.of(built.file))


def republished(case: Case, redraw: int = 1) -> OpenWorld:
    """The twin: every guarded fact drawn anew within the rules, published under the same seed."""
    world = case.world
    twin = populate(world.blueprint, world.seed, world.id, redraw)
    return OpenWorld(twin, publish(twin), case.built.tasks)
