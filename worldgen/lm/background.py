"""Asynchronous work for synchronous callers: one event loop in one thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

Result = TypeVar("Result")


class Background:
    """Runs coroutines for any number of threads in one event loop, which starts when first needed.

    A process that was forked from one with a running loop gets a loop of its own.
    """

    def __init__(self) -> None:
        """Start nothing yet."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._loop: asyncio.AbstractEventLoop
        self._end: asyncio.Event

    def run(self, coroutine: Coroutine[Any, Any, Result], timeout: float | None = None) -> Result:
        """The result of a coroutine.

        Args:
            coroutine: what to run; it is cancelled if the caller gives up.
            timeout: the seconds to wait for it; None waits as long as it takes.

        Raises:
            TimeoutError: it took longer.
            RuntimeError: this is closed, or asked from its own thread, which can't wait for itself.
            concurrent.futures.CancelledError: it was closed meanwhile.
        """
        try:
            with self._lock:
                future = asyncio.run_coroutine_threadsafe(coroutine, self._running())
        except RuntimeError:
            coroutine.close()
            raise
        try:
            return future.result(timeout)
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what still runs, and end the thread."""
        with self._lock:
            self._closed, thread = True, self._thread
            if thread is not None and thread.is_alive():
                self._loop.call_soon_threadsafe(self._end.set)
        if thread is not None:
            thread.join()

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._closed:
            message = "the background loop is closed"
            raise RuntimeError(message)
        if threading.current_thread() is self._thread:
            message = "the background loop can't wait for itself; await the coroutine instead"
            raise RuntimeError(message)
        # In a forked process the thread is there, but not alive.
        if self._thread is None or not self._thread.is_alive():
            self._start()
        return self._loop

    def _start(self) -> None:
        started = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._main(started)), name="background", daemon=True
        )
        self._thread.start()
        started.wait()

    async def _main(self, started: threading.Event) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        started.set()
        await self._end.wait()


@cache
def background() -> Background:
    """The one of this process, for whoever needs none of their own."""
    return Background()
