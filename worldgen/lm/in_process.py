"""The transport to an engine in this process, which takes many requests in one call."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from worldgen.errors import LanguageModelError
from worldgen.lm.late import within
from worldgen.lm.records import Reply, Request

_GATHER = 0.01
"""Seconds for which an idle engine waits for more requests after a first one."""


class Engine(Protocol):
    """What replies to many requests at once."""

    def chat(self, requests: Sequence[Request]) -> list[Reply]:
        """The replies, in the order of the requests.

        Raises:
            LanguageModelError: `refused`: some request can't be taken, and none was.
        """
        ...


class _Asked(NamedTuple):
    """A request and where its reply goes."""

    request: Request
    reply: asyncio.Future[Reply]
    loop: asyncio.AbstractEventLoop


class VllmModel:
    """A model in vLLM, in this process.

    One thread runs the engine. Requests that arrive while it is busy are taken together into its
    next call. A request that is given up before its call is left out of it.
    """

    def __init__(self, model: str, engine: Engine | None = None, **options: Any) -> None:
        """Load a model, which takes minutes.

        Args:
            model: its name or folder, as vLLM takes it.
            engine: what to use instead of vLLM.
            options: further arguments of `vllm.LLM`, for example `max_model_len`.

        Raises:
            ConfigurationError: vLLM isn't installed, or can't load the model.
        """
        if engine is None:
            from worldgen.lm.vllm_engine import VllmEngine

            engine = VllmEngine(model, **options)
        self._model, self._engine = model, engine
        self._asked: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="vllm", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Wait for the reply of one of the engine's calls.

        Raises:
            LanguageModelError: `late`, while the engine goes on; `refused`: it can't take the
                request; `server`: it failed.
        """
        loop = asyncio.get_running_loop()
        reply: asyncio.Future[Reply] = loop.create_future()
        self._asked.put(_Asked(request, reply, loop))
        async with within(timeout, self._model):
            return await reply

    async def close(self) -> None:
        """Let the engine finish what it was asked, and end its thread."""
        self._asked.put(None)
        await asyncio.to_thread(self._thread.join)

    def _work(self) -> None:
        going = True
        while going:
            taken = [self._asked.get()]
            time.sleep(_GATHER)
            while not self._asked.empty():
                taken.append(self._asked.get())
            going = None not in taken
            self._run([asked for asked in taken if asked and not asked.reply.cancelled()])

    def _run(self, batch: list[_Asked]) -> None:
        if not batch:
            return
        try:
            replies = self._engine.chat([asked.request for asked in batch])
        except LanguageModelError as error:
            if len(batch) > 1:
                # One that can't be taken mustn't cost the others their replies.
                self._run(batch[: len(batch) // 2])
                self._run(batch[len(batch) // 2 :])
            else:
                _fail(batch, error)
        except Exception as error:
            _fail(batch, LanguageModelError("server", f"{type(error).__name__}: {error}"[:300]))
        else:
            for asked, reply in zip(batch, replies, strict=True):
                _tell(asked, asked.reply.set_result, reply)


def _fail(batch: Sequence[_Asked], error: LanguageModelError) -> None:
    for asked in batch:
        _tell(asked, asked.reply.set_exception, error)


def _tell(asked: _Asked, tell: Callable[[Any], None], what: object) -> None:
    def unless_given_up() -> None:
        if not asked.reply.done():
            tell(what)

    if not asked.loop.is_closed():
        asked.loop.call_soon_threadsafe(unless_given_up)
