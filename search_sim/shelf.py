"""The shelf: the worlds of a folder, opened on demand and dropped least recently used."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from random import Random

from search_sim.engines import MakeEngine
from search_sim.open_world import OpenWorld
from worldgen.errors import ConfigurationError, UnknownNameError, WorldFileError
from worldgen.worldfile import Header, read_header

CAPACITY = 64
"""Worlds that are kept open at a time."""


class Shelf:
    """Worlds by id.

    Attributes:
        headers: what each world file says of itself.
        problems: what is wrong with files that are no worlds; the others are served all the same.
    """

    def __init__(
        self, paths: Iterable[Path], engine: MakeEngine | None = None, capacity: int = CAPACITY
    ) -> None:
        """Look at the headers of `paths`.

        Raises:
            ConfigurationError: none of them is a world with tasks.
        """
        self.headers: dict[str, Header] = {}
        self.problems: list[WorldFileError] = []
        for path in paths:
            try:
                header = read_header(path)
            except WorldFileError as error:
                self.problems.append(error)
                continue
            self.headers[header.id] = header
        self.headers = dict(sorted(self.headers.items()))
        if not self.headers:
            first = f": {self.problems[0]}" if self.problems else ""
            message = f"there is no world to serve{first}"
            raise ConfigurationError(message)
        self._world_of = {task: i for i in self.headers for task in self.tasks(i)}
        self._engine, self._capacity = engine, capacity
        self._open: OrderedDict[str, OpenWorld] = OrderedDict()
        self._lock = threading.Lock()

    def header(self, world_id: str) -> Header:
        """The header of a world.

        Raises:
            UnknownNameError: there is no such world.
        """
        if world_id not in self.headers:
            raise UnknownNameError(world_id, "world", self.headers)
        return self.headers[world_id]

    def open(self, world_id: str) -> OpenWorld:
        """A world, opened now if it is not open already.

        Raises:
            UnknownNameError: there is no such world.
            WorldFileError: its file is damaged.
        """
        header = self.header(world_id)
        with self._lock:
            if world_id not in self._open:
                self._open[world_id] = OpenWorld.read(header.path, self._engine)
            self._open.move_to_end(world_id)
            while len(self._open) > self._capacity:
                self._open.popitem(last=False)
            return self._open[world_id]

    def tasks(self, world_id: str) -> tuple[str, ...]:
        """The ids of a world's tasks.

        Raises:
            UnknownNameError: there is no such world.
        """
        return self.header(world_id).section_ids.get("tasks", ())

    def draw(self, rng: Random, world_id: str | None, task_id: str | None) -> tuple[str, str]:
        """A world and one of its tasks: those that are given, the rest drawn.

        Raises:
            UnknownNameError: there is no such world or task.
        """
        if world_id is None and task_id is not None:
            if task_id not in self._world_of:
                raise UnknownNameError(task_id, "task", self._world_of)
            world_id = self._world_of[task_id]
        if world_id is None:
            world_id = rng.choice([i for i in self.headers if self.tasks(i)])
        tasks = self.tasks(world_id)
        if task_id is not None and task_id not in tasks:
            raise UnknownNameError(task_id, f"task of {world_id}", tasks)
        return world_id, task_id if task_id is not None else rng.choice(tasks)
