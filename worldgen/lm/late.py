"""Time limits: what isn't done in time is late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from worldgen.errors import LanguageModelError


@asynccontextmanager
async def within(timeout: float, what: str) -> AsyncIterator[None]:
    """Cancel the block after `timeout` seconds.

    Args:
        timeout: the seconds; 0 or less leaves the block no wait at all.
        what: what then took too long, for the message.

    Raises:
        LanguageModelError: `late`.
    """
    try:
        async with asyncio.timeout(timeout):
            yield
    except TimeoutError as error:
        fault = LanguageModelError("late", f"{what} took more than {timeout:.3g} s")
        raise fault from error
