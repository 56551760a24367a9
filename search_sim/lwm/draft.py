"""A page of results in the making: what a model wrote well is kept, the rest is asked for again."""

from __future__ import annotations

from collections.abc import Iterator

from search_sim.audit.auditor import audit
from search_sim.audit.given import Given
from search_sim.audit.vocabulary import Vocabulary
from search_sim.lwm.reply import Claimed, Prediction
from search_sim.materials import Asked, Material, Rendering, Written
from search_sim.observation import write_date
from search_sim.render import snippet

FAULT, MISSING = "fault", "missing"
"""Why the template stands in where a model did reply: its snippet didn't pass, or there is none."""


class Draft:
    """What is written of one page so far.

    Attributes:
        attempts: how often a model replied.
        faults: what was wrong with the replies, in order.
        latest: what was wrong with the last one.
    """

    def __init__(self, asked: Asked, vocabulary: Vocabulary) -> None:
        """Start with nothing written."""
        self._materials, self._vocabulary = asked.materials, vocabulary
        self._places = {material.url: place for place, material in enumerate(asked.materials)}
        self._snippets: dict[int, Written] = {}
        self._order: list[int] = []
        self.attempts = 0
        self.faults: list[str] = []
        self.latest: tuple[str, ...] = ()

    @property
    def missing(self) -> list[Material]:
        """The results that no good snippet was written for."""
        return [m for place, m in enumerate(self._materials) if place not in self._snippets]

    def take(self, prediction: Prediction) -> None:
        """Keep what passes of a reply, and note what doesn't."""
        self.attempts += 1
        self.latest = tuple(self._take(prediction))
        self.faults += self.latest

    def _take(self, prediction: Prediction) -> Iterator[str]:
        yield from prediction.faults
        seen: set[int] = set()
        for claimed in prediction.results:
            place = self._places.get(claimed.url)
            if place is None:
                yield f"{_short(claimed.url)} is not among the results"
            elif place in seen:
                yield f"{claimed.url} stands there twice"
            else:
                seen.add(place)
                yield from self._take_one(place, claimed)
        if prediction.results:
            wanted = [place for place in self._places.values() if place not in self._snippets]
            yield from (
                f"{self._materials[place].url} is missing" for place in wanted if place not in seen
            )

    def _take_one(self, place: int, claimed: Claimed) -> Iterator[str]:
        material = self._materials[place]
        if place not in self._order:
            self._order.append(place)
        if place in self._snippets:
            return
        faults = [*_headed_wrongly(material, claimed), *self._traced(material, claimed)]
        if not faults:
            text = str(claimed.snippet)
            self._snippets[place] = Written(place, text, "model", attempt=self.attempts)
        yield from (f"{material.url}: {fault}" for fault in faults)

    def _traced(self, material: Material, claimed: Claimed) -> tuple[str, ...]:
        if claimed.snippet is None:
            return ("it has no snippet",)
        return audit(claimed.snippet, given(material), self._vocabulary)

    def finish(self, reason: str = "") -> Rendering:
        """The page, with the template's snippets where there are no others.

        Args:
            reason: why no reply came in the end; empty if one did.
        """
        rest = [place for place in range(len(self._materials)) if place not in self._order]
        results = tuple(self._written(place, reason) for place in (*self._order, *rest))
        return Rendering(results, self.attempts, tuple(self.faults))

    def _written(self, place: int, reason: str) -> Written:
        if place in self._snippets:
            return self._snippets[place]
        why = reason or (FAULT if place in self._order else MISSING)
        return Written(place, snippet(self._materials[place]), "template", why)


def given(material: Material) -> Given:
    """What a snippet of a result must trace to."""
    texts = [passage.text for passage in material.passages]
    return Given.of(material.title, material.date, texts)


def _headed_wrongly(material: Material, claimed: Claimed) -> Iterator[str]:
    if claimed.title is not None and claimed.title.split() != material.title.split():
        yield f"its title is {material.title}"
    date = write_date(material.date)
    if claimed.date is not None and claimed.date not in (date, material.date or date):
        yield f"its date is {date}"


def _short(url: str) -> str:
    return url if len(url) <= 100 else f"{url[:100]}…"
