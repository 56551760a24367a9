"""Traffic: what a server has done, for its metrics."""

from __future__ import annotations

import logging
import threading
from collections import Counter

from search_sim.trajectory import Turn

_LOG = logging.getLogger("worldgen")


class Traffic:
    """Counts, safe to add to from several threads.

    Attributes:
        calls: calls of tools by name.
        episodes: episodes that were made.
        alarms: guarded facts beyond the disclosure that a model wrote and an agent was shown.
    """

    def __init__(self) -> None:
        """Start at nothing."""
        self._lock = threading.Lock()
        self.calls: Counter[str] = Counter()
        self.episodes = self.alarms = 0

    def made(self) -> None:
        """Count an episode."""
        with self._lock:
            self.episodes += 1

    def saw(self, turn: Turn) -> None:
        """Count a call, and raise the alarm if a model said what it must not."""
        alarms = sum(searched.alarms for searched in turn.searched)
        with self._lock:
            self.calls[turn.tool] += 1
            self.alarms += alarms
        if alarms:
            queries = [searched.query for searched in turn.searched if searched.alarms]
            _LOG.warning("ALARM: %d undisclosed facts stated for %r", alarms, queries)
