"""A circuit breaker: a server that fails again and again is left alone for a while."""

from __future__ import annotations

import time
from collections.abc import Callable

from worldgen.errors import LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Reply, Request
from worldgen.lm.wrapper import Wrapper

_ALMOST = 0.95
"""The part of its time after which a request that is given up counts as late."""


class Breaker(Wrapper):
    """Rests after a number of failures in a row, then lets one request through as a probe.

    Only failures that may be the server's count: `late`, `overloaded`, `server`, `unreachable`,
    `unreadable`, and a request that is given up when its time is all but over. A reply, or a
    refusal of the request, shows that the server is well.
    """

    def __init__(
        self,
        inner: LanguageModel,
        failures: int,
        rest: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Rest for `rest` seconds after `failures` in a row."""
        super().__init__(inner)
        self._most, self._rest, self._clock = failures, rest, clock
        self._failures, self._until, self._last = 0, 0.0, ""

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Ask, unless the model rests.

        Raises:
            LanguageModelError: `resting`, at once; else as the inner model says.
        """
        probing, start = self._failures >= self._most, self._clock()
        if probing:
            self._refuse_while_resting()
            # Nobody else may ask while the probe is out.
            self._until = start + timeout
        try:
            reply = await self._inner.complete(request, timeout)
        except LanguageModelError as error:
            self._failed(error, probing)
            raise
        except BaseException:
            if self._clock() - start >= _ALMOST * timeout:
                # Whoever gave up kept the same deadline, and was a moment earlier.
                self._failed(LanguageModelError("late", "given up in the end"), probing)
            elif probing:
                self._until = self._clock()
            raise
        self._failures = 0
        return reply

    def _refuse_while_resting(self) -> None:
        left = self._until - self._clock()
        if left > 0:
            message = f"after {self._failures} failures in a row; the last one: {self._last}"
            fault = LanguageModelError("resting", message, retry_after=left)
            raise fault

    def _failed(self, error: LanguageModelError, probing: bool) -> None:
        if not (error.passing or error.kind == "unreadable"):
            self._failures = 0
            return
        resting = self._failures >= self._most
        self._failures, self._last = self._failures + 1, str(error)
        # Stragglers sent before the rest began don't make it longer.
        if self._failures >= self._most and (probing or not resting):
            self._until = self._clock() + self._rest
