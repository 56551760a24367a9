"""So many requests at a time."""

from __future__ import annotations

import asyncio
import time

from worldgen.lm.late import within
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Reply, Request
from worldgen.lm.wrapper import Wrapper


class Bounded(Wrapper):
    """Lets a number of requests through at a time; the others wait within their own timeout."""

    def __init__(self, inner: LanguageModel, concurrency: int) -> None:
        """Let `concurrency` requests through at a time."""
        super().__init__(inner)
        self._concurrency, self._places = concurrency, asyncio.Semaphore(concurrency)

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Wait for a place, then ask.

        Raises:
            LanguageModelError: `late` if no place was free in time; else as the inner model says.
        """
        deadline = time.monotonic() + timeout
        async with within(timeout, f"waiting for {self._concurrency} other requests"):
            await self._places.acquire()
        try:
            return await self._inner.complete(request, deadline - time.monotonic())
        finally:
            self._places.release()
