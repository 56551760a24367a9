"""What tests of publishing share: walks over a web, and what of it anybody may see."""

from __future__ import annotations

import re
from collections.abc import Iterator

from worldgen.blueprint import Table
from worldgen.masking import mask
from worldgen.pages import Claim, Page, Statement, Web
from worldgen.world import World

HOST = re.compile(r"(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+example")


def claims(web: Web) -> Iterator[tuple[Page, Statement, Claim]]:
    for page in web.pages:
        for statement in page.statements:
            for claim in statement.claims:
                yield page, statement, claim


def skeleton(web: Web) -> object:
    """All of a web but its statements."""
    pages = [(p.url, p.site, p.title, p.date, p.links) for p in web.pages]
    return web.sites, pages


def seen(world: World, web: Web) -> object:
    """All of a web that may be seen before anything is disclosed."""
    lines = [
        (statement.layout, statement.href, mask(statement, world.roles))
        for page in web.pages
        for statement in page.statements
    ]
    return skeleton(web), [line for line in lines if line[2] is not None]


def list_pages(world: World, web: Web) -> Iterator[tuple[Page, Table]]:
    for site in world.blueprint.sites:
        home = next(found.home for found in web.sites if found.id == site.id)
        for kind in site.pages if site.lists else ():
            base = re.escape(f"{home}{kind.path}/")
            for page in web.pages:
                if re.fullmatch(base + r"(?:all|by-[^/]+/[^/]+)", page.url):
                    yield page, world.blueprint.table(kind.table)


# What is published
