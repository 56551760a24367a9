"""Home pages: what a site is, and links into it."""

from __future__ import annotations

from collections.abc import Iterator

from worldgen.pages import Link, Page
from worldgen.publish.press import Address, Press
from worldgen.publish.writer import Pen

SAMPLES = 8
"""How many detail pages of each kind a home page links to where the site has no lists."""


def home_pages(press: Press) -> Iterator[Page]:
    """One home page for each site. Comes last, since it links to what the other stages made."""
    for site, founded in zip(press.blueprint.sites, press.sites, strict=True):
        links = [*press.lists.get(site.id, []), *press.articles.get(site.id, [])]
        for kind in () if site.lists else site.pages:
            keys = press.rows(press.blueprint.table(kind.table))
            rng = press.rng("home", site.id, kind.path)
            for key in sorted(rng.sample(keys, min(SAMPLES, len(keys)))):
                at = press.address(site.id, kind, key)
                links.append(Link(at.title, at.url))
        about = [Pen(press.reader).text(site.about).done()]
        yield press.page(Address(site.id, founded.home, founded.name), about, links)
