"""A model that is asked on behalf of a long run: where its server is busy or away, runs wait."""

from __future__ import annotations

import asyncio
import time

from worldgen.errors import LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Reply, Request
from worldgen.lm.wrapper import Wrapper

PAUSE = 5.0
"""Seconds before a busy server is asked again, unless it says how many."""

_GATEWAY = (502, 503, 504)


class Patient(Wrapper):
    """Asks again, as long as the time lasts, while a server is busy.

    One that has replied before is also waited for while it is away (it may be started again);
    one that hasn't may not be there at all, and the error is raised at once.
    """

    def __init__(self, inner: LanguageModel, pause: float = PAUSE) -> None:
        """Ask again after `pause` seconds."""
        super().__init__(inner)
        self._pause, self._met = pause, False

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Ask until there is a reply, or no time for another try.

        Raises:
            LanguageModelError: as the inner model said the last time.
        """
        deadline = time.monotonic() + timeout
        while True:
            try:
                reply = await self._inner.complete(request, deadline - time.monotonic())
            except LanguageModelError as error:
                pause = max(error.retry_after or 0.0, self._pause)
                if not self._may_wait(error) or time.monotonic() + pause >= deadline:
                    raise
            else:
                self._met = True
                return reply
            await asyncio.sleep(pause)

    def _may_wait(self, error: LanguageModelError) -> bool:
        busy = error.kind in ("overloaded", "resting") or error.status in _GATEWAY
        return busy or (self._met and is_away(error))


def is_away(error: LanguageModelError) -> bool:
    """Whether there is no server."""
    return error.kind == "unreachable"
