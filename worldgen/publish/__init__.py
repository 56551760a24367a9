"""Publishing: from a world to the fictional web that states its facts.

A pipeline of stages, each a function from the press to pages. Whether a page exists, its URL,
title, date and links, and which template a statement uses, are drawn from seeds and open facts
alone; guarded facts enter a page only as what its statements read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from worldgen.errors import GenerationError
from worldgen.pages import Page, Web
from worldgen.publish.articles import articles, superlatives
from worldgen.publish.details import detail_pages
from worldgen.publish.homes import home_pages
from worldgen.publish.lists import list_pages
from worldgen.publish.press import Press
from worldgen.world import World

STAGES: tuple[Callable[[Press], Iterable[Page]], ...] = (
    detail_pages,
    list_pages,
    articles,
    superlatives,
    home_pages,
)
"""The order in which pages are made; a later stage may link to what an earlier one made."""


def publish(world: World) -> Web:
    """Publish a world.

    Raises:
        GenerationError: two pages have the same URL.
    """
    press = Press.of(world)
    pages = sorted((page for stage in STAGES for page in stage(press)), key=lambda page: page.url)
    for before, after in pairwise(pages):
        if before.url == after.url:
            raise GenerationError(world.blueprint.id, world.seed, f"two pages stand at {after.url}")
    return Web(press.sites, tuple(pages))
