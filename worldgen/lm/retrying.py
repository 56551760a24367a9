"""Trying again after failures that may pass."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random

from tenacity import AsyncRetrying, RetryCallState

from worldgen.errors import LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Reply, Request
from worldgen.lm.wrapper import Wrapper
from worldgen.seeds import generator


@dataclass(frozen=True)
class Patience:
    """How often to try, and how long to wait in between.

    Attributes:
        attempts: the most for one request.
        attempt_timeout: the seconds that one attempt may take; None lets it take all that is left.
        first_pause: seconds before the second attempt; each later pause is twice as long.
        longest_pause: seconds that a pause grows to.
        seed: draws the jitter: a pause is a half to the whole of its length.
    """

    attempts: int = 4
    attempt_timeout: float | None = None
    first_pause: float = 0.5
    longest_pause: float = 10.0
    seed: int = 0


@dataclass(frozen=True)
class Time:
    """Where the time comes from; tests bring their own."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Retrying(Wrapper):
    """Asks again while the error may pass and the time lasts.

    A pause is at least as long as the server's `Retry-After` says. Where a pause would use up the
    time, the last error is raised at once instead.
    """

    def __init__(
        self,
        inner: LanguageModel,
        patience: Patience,
        on_retry: Callable[[], None] = lambda: None,
        time: Time | None = None,
    ) -> None:
        """Ask with `patience`; `on_retry` is called before each attempt but the first."""
        super().__init__(inner)
        self._patience, self._on_retry, self._time = patience, on_retry, time or Time()
        self._jitter = generator(patience.seed, "language model", "jitter")

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Ask until there is a reply, or no hope or time.

        Raises:
            LanguageModelError: as the inner model said the last time.
        """
        deadline = self._time.clock() + timeout
        most = self._patience.attempt_timeout or timeout

        async def attempt() -> Reply:
            left = deadline - self._time.clock()
            return await self._inner.complete(request, min(left, most))

        def stop(state: RetryCallState) -> bool:
            spent = state.attempt_number >= self._patience.attempts
            return spent or self._time.clock() + state.upcoming_sleep >= deadline

        def wait(state: RetryCallState) -> float:
            return pause(_passing(state), state.attempt_number, self._patience, self._jitter)

        retrying = AsyncRetrying(
            sleep=self._time.sleep,
            stop=stop,
            wait=wait,
            retry=lambda state: _passing(state) is not None,
            before_sleep=lambda _: self._on_retry(),
            reraise=True,
        )
        return await retrying(attempt)


def pause(
    error: LanguageModelError | None, attempt: int, patience: Patience, jitter: Random
) -> float:
    """The seconds to wait after an attempt that failed, the first being number 1.

    The back-off comes on top of what the server asks for, so that not all ask again at once.
    """
    asked = error.retry_after if error else None
    length = min(patience.longest_pause, patience.first_pause * 2.0 ** (attempt - 1))
    return (asked or 0.0) + length * jitter.uniform(0.5, 1.0)


def _passing(state: RetryCallState) -> LanguageModelError | None:
    """The error of the last attempt, if it may pass."""
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, LanguageModelError) and error.passing else None
