"""The scripted model as a language model of this process: the same replies, and no socket."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from search_sim.fake_model.fake import MODEL, FakeModel
from search_sim.fake_model.refusal import RefusedRequestError
from worldgen.errors import LanguageModelError
from worldgen.lm.records import Reply, Request
from worldgen.lm.wire import body_of, failure, read_reply

_OK = 200


class FakeLanguageModel:
    """A scripted model as `worldgen.lm.model.LanguageModel`."""

    def __init__(
        self,
        fake: FakeModel,
        model: str = MODEL,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Ask `fake` for `model`.

        Args:
            fake: the scripted model.
            model: one of its names.
            sleep: waits some seconds.
        """
        self._fake, self._model, self._sleep = fake, model, sleep

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Reply as the server would over HTTP.

        Raises:
            LanguageModelError: the request is refused, or meets a fault.
        """
        try:
            outgoing = self._fake.respond(body_of(request, self._model))
        except RefusedRequestError as error:
            fault = LanguageModelError("refused", str(error), error.status)
            raise fault from error
        if outgoing.delay:
            await self._sleep(min(outgoing.delay, timeout))
        if outgoing.delay > timeout:
            fault = LanguageModelError("late", f"{self._model} took more than {timeout:.3g} s")
            raise fault
        if outgoing.cut:
            fault = LanguageModelError("unreachable", f"{self._model} closed the connection")
            raise fault
        if outgoing.status != _OK:
            raise failure(outgoing.status, outgoing.headers, outgoing.body)
        return read_reply(outgoing.body)

    async def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
