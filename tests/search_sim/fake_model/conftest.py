from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from support import Case, make_case

from search_sim.episode import Episode
from search_sim.lwm.reply import schema
from search_sim.materials import Asked, Past, Rendering, Scene
from search_sim.prompts.prompt import messages, parts_of
from search_sim.prompts.variant import read_variant
from search_sim.render import TemplateRenderer
from worldgen.library import domains
from worldgen.lm.records import Message, Request
from worldgen.seeds import generator

SEARCHES = 40
CHARACTERS = 400

Ask = Callable[..., Request]


class _Keeping(TemplateRenderer):
    """Keeps what it was asked to write."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        self.asked += asked
        return super().render(asked, scene)


def _searches(case: Case) -> tuple[Asked, ...]:
    """What renderers are asked in one episode: names, attributes, guesses, and odd queries."""
    rng, renderer = generator(5, case.world.id), _Keeping()
    episode = Episode(case.opened, case.built.tasks[0], "reach", renderer=renderer)
    found = rng.sample(list(case.world.entities()), SEARCHES - 2)
    for number, (table, _, name) in enumerate(found):
        column = rng.choice(case.world.blueprint.table(table).columns[1:])
        guess = ("", " 42", " 3 May 2028", " Ada Calder", " tidal")[number % 5]
        episode.search(f"{name} {column.label}{guess}", page=1 + number % 9 // 8)
    episode.search('all "quoted" \\ [1] https://x.example/')
    episode.search("zzz qqq")
    return tuple(renderer.asked)


@pytest.fixture(scope="session")
def searches() -> dict[str, tuple[Asked, ...]]:
    return {name: _searches(make_case(name)) for name in domains()}


@pytest.fixture(scope="session")
def asked(searches: dict[str, tuple[Asked, ...]]) -> Asked:
    return searches["island-ferries"][0]


@pytest.fixture(scope="session")
def ask() -> Ask:
    """A request for a page of results, as a renderer sends it."""

    def request(
        asked: Asked,
        variant: str = "search",
        history: Sequence[Past] = (),
        more: Sequence[Message] = (),
        structured: bool = False,
    ) -> Request:
        chat = messages(parts_of(read_variant(variant), "Ferries."), history, asked, 16_000)
        urls = [material.url for material in asked.materials]
        return Request(
            (*chat, *more), schema=schema(urls, CHARACTERS) if structured else None, seed=7
        )

    return request
