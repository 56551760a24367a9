"""The renderer behind which a language world model writes; the template stands in wherever it must.

For each query the model is asked once. What it wrote is read and checked, value-blind; a result
that doesn't pass goes back with the fault named, twice at most, and then gets the template's
snippet. Whatever fails, the page is there within the deadline.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from search_sim.audit.auditor import MOST_CHARACTERS
from search_sim.lwm.draft import Draft
from search_sim.lwm.reply import Prediction, read_json, read_text, schema
from search_sim.lwm.tally import Tally
from search_sim.materials import Asked, Past, Rendering, Scene
from search_sim.prompts.instruction import fill
from search_sim.prompts.prompt import Parts, messages, observation_message, parts_of
from search_sim.prompts.variant import Variant, read_variant
from worldgen.errors import LanguageModelError
from worldgen.lm.background import background
from worldgen.lm.counting import Counting, Counts
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Message, Reply, Request, Sampling
from worldgen.seeds import child_seed

RETRIES = 2
"""How often a reply is sent back."""
LONGEST_QUOTE = 8_000
"""Characters of its own reply that a model is shown when it is sent back."""
MOST_FAULTS = 20
"""Faults that are named to a model at a time."""
SEED_SHIFT = 33
"""Leaves 31 bits, which every server takes."""
GRACE = 1.0
"""Seconds after the deadline in which what was asked must have given up by itself."""


@dataclass(frozen=True)
class Settings:
    """How the model is asked.

    Attributes:
        deadline: seconds that the pages of one search may take, all queries and retries together.
        history_tokens: what the turns so far may take up of a prompt, as an estimate.
    """

    variant: Variant = field(default_factory=read_variant)
    sampling: Sampling = field(default_factory=Sampling)
    deadline: float = 20.0
    history_tokens: int = 16_000


class ModelRenderer:
    """Writes pages of results with a language model.

    Attributes:
        settings: how the model is asked.
        tally: what became of the pages, for metrics.
        counts: what became of the requests, for metrics.
    """

    def __init__(self, model: LanguageModel, settings: Settings | None = None) -> None:
        """Render with `model`, whose calls run on the process's background loop."""
        self._model = Counting(model, Counts()) if not isinstance(model, Counting) else model
        self.settings = settings or Settings()
        self.tally, self.counts = Tally(), self._model.counts

    @property
    def variant(self) -> Variant:
        """The prompt that the model is asked with."""
        return self.settings.variant

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        """A rendering for each query, in order, within the deadline."""
        start = time.monotonic()
        parts = parts_of(self.settings.variant, scene.about)
        pages = [_Page(one, scene, parts, Draft(one, scene.vocabulary)) for one in asked]
        reasons = self._write_all(pages, start + self.settings.deadline)
        found = [page.draft.finish(why) for page, why in zip(pages, reasons, strict=True)]
        self.tally.add(found, time.monotonic() - start)
        return found

    def close(self) -> None:
        """Let go of the model; nothing may be rendered after that."""
        background().run(self._model.close())

    def _write_all(self, pages: Sequence[_Page], end: float) -> list[str]:
        async def together() -> list[str]:
            return await asyncio.gather(*(self._write(page, end) for page in pages))

        try:
            return background().run(together(), end - time.monotonic() + GRACE)
        except TimeoutError:
            return ["late"] * len(pages)

    async def _write(self, page: _Page, end: float) -> str:
        """Let the model write one page; whatever goes wrong is a reason, never an error."""
        try:
            async with asyncio.timeout(end - time.monotonic()):
                await self._ask(page, end)
        except LanguageModelError as error:
            return error.kind
        except TimeoutError:
            return "late"
        except Exception as error:
            return f"error: {type(error).__name__}"
        return ""

    async def _ask(self, page: _Page, end: float) -> None:
        correction: tuple[Message, ...] = ()
        for attempt in range(RETRIES + 1):
            if not page.draft.missing:
                return
            request = self._request(page, correction, attempt)
            try:
                reply = await self._model.complete(request, end - time.monotonic())
            except LanguageModelError as error:
                if error.kind != "refused" or not page.history:
                    raise
                # Most often the chat is longer than the model's context.
                page.history = ()
                continue
            prediction = self._read(reply)
            page.draft.take(prediction)
            correction = self._sent_back(page.draft, prediction)

    def _request(self, page: _Page, correction: tuple[Message, ...], attempt: int) -> Request:
        settings, asked = self.settings, page.asked
        chat = messages(page.parts, page.history, asked, settings.history_tokens)
        urls = [material.url for material in page.draft.missing]
        return Request(
            messages=(*chat, *correction),
            sampling=settings.sampling,
            schema=schema(urls, MOST_CHARACTERS) if settings.variant.reply == "json" else None,
            seed=child_seed(page.scene.seed, "lwm", asked.query, asked.page, attempt) >> SEED_SHIFT,
        )

    def _read(self, reply: Reply) -> Prediction:
        return read_json(reply) if self.settings.variant.reply == "json" else read_text(reply)

    def _sent_back(self, draft: Draft, prediction: Prediction) -> tuple[Message, ...]:
        """A model's own reply and what is wrong with it, as the chat goes on."""
        missing = draft.missing
        fields = {
            "faults": "\n".join(f"- {fault}" for fault in draft.latest[:MOST_FAULTS]),
            "missing": len(missing),
            "urls": "\n".join(material.url for material in missing),
        }
        quoted = prediction.text[:LONGEST_QUOTE] or "..."
        if self.settings.variant.reply == "text":
            said = observation_message(quoted)
        else:
            said = Message("assistant", quoted)
        return (said, Message("user", fill(self.settings.variant.correction, fields)))


@dataclass
class _Page:
    """One page of results on its way: what is asked, and what is written so far."""

    asked: Asked
    scene: Scene
    parts: Parts
    draft: Draft
    history: Sequence[Past] = ()

    def __post_init__(self) -> None:
        self.history = self.scene.history
