"""What tests of the audit share: worlds, their pages as search results, and disclosures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from search_sim.audit.alarm import Alarm
from search_sim.audit.given import Given
from search_sim.audit.vocabulary import Vocabulary
from search_sim.materials import Material
from search_sim.passages import Passages
from search_sim.render import snippet
from worldgen.facts import Fact, row
from worldgen.library import domain
from worldgen.pages import Claim, Page, Web
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.seeds import generator
from worldgen.world import World

SEED = 11


@dataclass(frozen=True)
class Result:
    """A page as a search result, and what its snippet's writer is given."""

    page: Page
    passages: tuple[str, ...]
    snippet: str
    given: Given

    @property
    def shown(self) -> str:
        return "\n".join((self.page.title, *self.passages))


@dataclass(frozen=True)
class Opened:
    """A world with all that the audit of its pages needs."""

    world: World
    web: Web
    passages: Passages
    vocabulary: Vocabulary
    alarm: Alarm

    def result(self, place: int, query: str, disclosed: frozenset[Fact] = frozenset()) -> Result:
        page = self.web.pages[place]
        chosen = tuple(self.passages.choose(place, query, disclosed))
        texts = tuple(passage.text for passage in chosen)
        template = snippet(Material(page.url, page.title, page.date, "high", chosen))
        return Result(page, texts, template, Given.of(page.title, page.date, texts))

    def results(self, share: float = 1.0) -> Iterator[Result]:
        """A result for some of the pages, each for a query of its own."""
        rng = generator(3, self.world.id)
        labels = [c.label for table in self.world.blueprint.tables for c in table.details]
        for place in range(len(self.web.pages)):
            if rng.random() < share:
                yield self.result(place, " ".join(rng.sample(labels, 2)))

    def disclosures(self, share: float) -> Iterator[tuple[Result, Claim]]:
        """Results that state one withheld cell, for some of the cells that pages state."""
        rng = generator(4, self.world.id)
        for place, page in enumerate(self.web.pages):
            for statement in page.statements:
                for claim in statement.claims:
                    told = claim.fact.kind == "cell" and self.world.roles.guarded(claim.fact)
                    if told and rng.random() < share:
                        yield self.result(place, "", self._with_implied(claim.fact)), claim

    def _with_implied(self, fact: Fact) -> frozenset[Fact]:
        link = self.world.blueprint.table(fact.table).kind == "link"
        return frozenset({fact, row(fact.table, fact.key)} if link else {fact})


@cache
def open_world(name: str, redraw: int = 0) -> Opened:
    world = populate(domain(name), SEED, f"{name}-audit", redraw)
    web = publish(world)
    passages = Passages.masked(web.pages, world.roles)
    return Opened(world, web, passages, Vocabulary.of(world), Alarm(world, web))
