"""The tally: what became of the pages that a model was to write, over all episodes."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence

from search_sim.materials import Rendering

BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0)
"""Upper bounds of the histogram's buckets, in seconds."""


class Tally:
    """Counts, safe to read and add to from several threads.

    Attributes:
        results: results by author and reason, for example `("template", "fault")`.
        searches, pages, sent_back: searches rendered, their pages, and replies beyond the first.
        faults: faults that were found in replies.
        seconds: what rendering took, summed.
        within: searches that took no longer than each of `BOUNDS`.
    """

    def __init__(self) -> None:
        """Start at nothing."""
        self._lock = threading.Lock()
        self.results: Counter[tuple[str, str]] = Counter()
        self.searches = self.pages = self.sent_back = self.faults = 0
        self.seconds = 0.0
        self.within = [0] * len(BOUNDS)

    def add(self, renderings: Sequence[Rendering], seconds: float) -> None:
        """Count one search."""
        with self._lock:
            self.searches += 1
            self.pages += len(renderings)
            self.seconds += seconds
            for place, bound in enumerate(BOUNDS):
                self.within[place] += seconds <= bound
            for rendering in renderings:
                self.sent_back += max(rendering.attempts - 1, 0)
                self.faults += len(rendering.faults)
                self.results.update((one.by, one.reason) for one in rendering.results)

    def share(self, author: str) -> float:
        """The share of results that are by an author; 0 where there are none."""
        with self._lock:
            total = self.results.total()
            return sum(n for (by, _), n in self.results.items() if by == author) / max(total, 1)
