"""The recorder: trajectories of a server's episodes, appended to a file as they end."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from search_sim.trajectory import Trajectory
from worldgen.errors import ConfigurationError

LEFT_OPEN = "the server stopped before an answer was given"


class Recorder:
    """Writes one JSON line an episode, whole or not at all."""

    def __init__(self, path: Path) -> None:
        """Append to `path`, which is made if there is none.

        Raises:
            ConfigurationError: the file can't be written to.
        """
        try:
            self._file = path.open("a", encoding="utf-8", newline="\n")
        except OSError as error:
            message = f"{path}: can't be written to: {error.strerror}"
            raise ConfigurationError(message) from error
        self._lock = threading.Lock()

    def write(self, trajectory: Trajectory) -> None:
        """Append an episode that has ended."""
        line = trajectory.model_dump_json() + "\n"
        with self._lock:
            self._file.write(line)
            self._file.flush()

    def close(self, left: Iterable[Trajectory]) -> None:
        """Append the episodes that are left open, as such, and close the file."""
        for trajectory in left:
            self.write(trajectory.model_copy(update={"failure": LEFT_OPEN}))
        self._file.close()
