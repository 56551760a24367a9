"""Counts of what a model was asked and what came of it."""

from __future__ import annotations

import bisect
import threading
import time
from collections import Counter
from itertools import accumulate
from typing import Any

from worldgen.errors import LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Reply, Request
from worldgen.lm.wrapper import Wrapper

BOUNDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0)
"""Upper bounds of the latency histogram's buckets, in seconds; the last bucket has none."""
_NUMBERS = (
    *("requests", "replies", "cached", "abandoned", "retries"),
    *("prompt_tokens", "completion_tokens"),
)


class Counts:
    """Counts of whole requests, however many attempts each took; any thread may read them.

    Attributes of a snapshot:
        requests: all that were made: `replies`, `failures`, `abandoned` and `in_flight` together.
        replies: those that got a reply; `cached` are among them.
        cached: those whose reply came from a cache.
        failures: those that got none, by the error's kind.
        abandoned: those that ended otherwise, mostly because whoever asked gave up.
        in_flight: those that are still going on.
        retries: attempts beyond the first of each.
        prompt_tokens, completion_tokens: of replies that didn't come from a cache.
        seconds: how long the requests took that no cache answered and nobody abandoned.
        buckets: how many of them took at most so many seconds.
    """

    def __init__(self) -> None:
        """Start at nothing."""
        self._lock = threading.Lock()
        self._numbers: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._seconds, self._buckets = 0.0, [0] * (len(BOUNDS) + 1)

    def began(self) -> None:
        """A request was made."""
        with self._lock:
            self._numbers["requests"] += 1

    def retried(self) -> None:
        """A request is tried again."""
        with self._lock:
            self._numbers["retries"] += 1

    def replied(self, reply: Reply, seconds: float) -> None:
        """A request got a reply."""
        with self._lock:
            self._numbers["replies"] += 1
            if reply.cached:
                self._numbers["cached"] += 1
                return
            self._numbers["prompt_tokens"] += reply.prompt_tokens
            self._numbers["completion_tokens"] += reply.completion_tokens
            self._took(seconds)

    def failed(self, kind: str, seconds: float) -> None:
        """A request got no reply."""
        with self._lock:
            self._failures[kind] += 1
            self._took(seconds)

    def abandoned(self) -> None:
        """A request ended with neither a reply nor a model's error."""
        with self._lock:
            self._numbers["abandoned"] += 1

    def snapshot(self) -> dict[str, Any]:
        """All counts at one moment, as plain data."""
        with self._lock:
            numbers, failures = dict(self._numbers), dict(sorted(self._failures.items()))
            seconds, buckets = self._seconds, list(accumulate(self._buckets))
        counted = {name: numbers.get(name, 0) for name in _NUMBERS}
        ended = counted["replies"] + counted["abandoned"] + sum(failures.values())
        bounds = [*map(str, BOUNDS), "+Inf"]
        return {
            **counted,
            "failures": failures,
            "in_flight": counted["requests"] - ended,
            "seconds": seconds,
            "buckets": dict(zip(bounds, buckets, strict=True)),
        }

    def _took(self, seconds: float) -> None:
        self._seconds += seconds
        self._buckets[bisect.bisect_left(BOUNDS, seconds)] += 1


class Counting(Wrapper):
    """Counts every request that passes, and how it ends.

    Attributes:
        counts: the counts.
    """

    def __init__(self, inner: LanguageModel, counts: Counts) -> None:
        """Count into `counts`."""
        super().__init__(inner)
        self.counts = counts

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Ask the inner model.

        Raises:
            LanguageModelError: as the inner model says.
        """
        self.counts.began()
        start = time.monotonic()
        try:
            reply = await self._inner.complete(request, timeout)
        except LanguageModelError as error:
            self.counts.failed(error.kind, time.monotonic() - start)
            raise
        except BaseException:
            self.counts.abandoned()
            raise
        self.counts.replied(reply, time.monotonic() - start)
        return reply
