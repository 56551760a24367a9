"""The worlds that cases are drawn from: those of a folder, or some built for the purpose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from search_sim.build import build_world
from search_sim.open_world import OpenWorld
from search_sim.shelf import Shelf
from worldgen.identity import world_seed
from worldgen.library import domain, domains

TASKS = 2
"""Tasks of a world that is built for the purpose."""


class Worlds(Protocol):
    """Worlds by id."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of those that have tasks, in order."""
        ...

    def open(self, world_id: str) -> OpenWorld:
        """One of them.

        Raises:
            WorldgenError: it can't be opened.
        """
        ...


@dataclass(frozen=True)
class InMemory:
    """Worlds that are open already."""

    by_id: Mapping[str, OpenWorld]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of those that have tasks, in order."""
        return tuple(i for i, world in self.by_id.items() if world.tasks)

    def open(self, world_id: str) -> OpenWorld:
        """One of them."""
        return self.by_id[world_id]


@dataclass(frozen=True)
class OnShelf:
    """Worlds of a folder, opened when they are needed."""

    shelf: Shelf

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of those that have tasks, in order."""
        return tuple(i for i in self.shelf.headers if self.shelf.tasks(i))

    def open(self, world_id: str) -> OpenWorld:
        """One of them.

        Raises:
            WorldFileError: its file is damaged.
        """
        return self.shelf.open(world_id)


def build_worlds(seed: int, names: Sequence[str] = ()) -> InMemory:
    """A world of each of some blueprints.

    Args:
        seed: the root of their seeds.
        names: ids of blueprints of the library, or paths of blueprint files; all of the library's
            if empty.

    Raises:
        UnknownNameError: the library hasn't got one of them.
        BlueprintError: a file holds no blueprint.
        GenerationError: a world could not be made under this seed.
    """
    found = {}
    for index, name in enumerate(names or domains()):
        built = build_world(domain(name), world_seed(seed, index), TASKS)
        found[built.file.world.id] = OpenWorld.of(built.file)
    return InMemory(found)
