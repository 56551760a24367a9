"""Language models for tests: one says what it is told to, one keeps what it is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from search_sim.materials import Material
from search_sim.open_world import OpenWorld
from worldgen.errors import LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Reply, Request
from worldgen.masking import mask

Said = str | Reply | Exception


class Scripted:
    """Says one thing after the other, the last one again and again; an error is raised."""

    name = "scripted"

    def __init__(self, *said: Said | Callable[[Request], Said]) -> None:
        self._said = list(said)
        self.asked: list[Request] = []

    async def complete(self, request: Request, timeout: float) -> Reply:
        said = self._said[min(len(self.asked), len(self._said) - 1)]
        self.asked.append(request)
        told = said(request) if callable(said) else said
        if isinstance(told, Exception):
            raise told
        return told if isinstance(told, Reply) else Reply(told)

    async def close(self) -> None:
        """Nothing to close."""


class Listening:
    """Passes on to another model, and keeps every request."""

    def __init__(self, inner: LanguageModel) -> None:
        self._inner = inner
        self.asked: list[Request] = []

    @property
    def name(self) -> str:
        return self._inner.name

    async def complete(self, request: Request, timeout: float) -> Reply:
        self.asked.append(request)
        return await self._inner.complete(request, timeout)

    async def close(self) -> None:
        await self._inner.close()


class Gate:
    """Replies to nobody before a number of requests wait at the same time."""

    name = "gate"

    def __init__(self, inner: LanguageModel, wanted: int) -> None:
        self._inner, self._wanted, self._waiting = inner, wanted, 0
        self._open = asyncio.Event()

    async def complete(self, request: Request, timeout: float) -> Reply:
        self._waiting += 1
        if self._waiting == self._wanted:
            self._open.set()
        await self._open.wait()
        return await self._inner.complete(request, timeout)

    async def close(self) -> None:
        await self._inner.close()


def late() -> LanguageModelError:
    return LanguageModelError("late", "nothing in 1 s")


def page_of(materials: Sequence[Material], snippets: Sequence[str]) -> str:
    """A reply in the public format, with everything but the snippets as it was given."""
    from search_sim.observation import write_date

    blocks = [
        f"[{number}] {m.url}\nTitle: {m.title}\nSnippet: {text}\nDate: {write_date(m.date)}"
        for number, (m, text) in enumerate(zip(materials, snippets, strict=True), 1)
    ]
    text = "\n\n".join(blocks)
    return f"<think>hm</think><predicted_observation>\n{text}\n</predicted_observation>"


def truth_of(opened: OpenWorld) -> dict[str, list[str]]:
    """What a leaking server would have to know: per page, the statements that search masks."""
    roles = opened.world.roles
    truth = {
        page.url: [s.text for s in page.statements if mask(s, roles) != s.text]
        for page in opened.web.pages
    }
    return {url: texts for url, texts in truth.items() if texts}
