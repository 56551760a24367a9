"""What all stages of publishing share: the world's sites, addresses, dates and coverage."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from worldgen import blueprint as bp
from worldgen.facts import RowKey
from worldgen.names import invented_word, reserved_words
from worldgen.pages import Link, Page, Site, Statement
from worldgen.publish.writer import Reader
from worldgen.seeds import generator
from worldgen.world import World


@dataclass(frozen=True)
class Address:
    """Where a page of a row stands: its URL and title."""

    site: str
    url: str
    title: str


@dataclass
class Press:
    """A web in the making.

    Attributes:
        reader: the only way to the world's guarded facts.
        lists: per table and open column value, the list pages that exist: filled by the stage of
            list pages, for the stages after it.
    """

    blueprint: bp.Blueprint
    reader: Reader
    sites: tuple[Site, ...]
    _world: World = field(repr=False)
    lists: dict[str, list[Link]] = field(default_factory=dict)
    articles: dict[str, list[Link]] = field(default_factory=dict)

    @classmethod
    def of(cls, world: World) -> Press:
        """Found the sites of a world."""
        return cls(world.blueprint, Reader(world), found_sites(world), world)

    def rng(self, *path: object) -> Random:
        """A generator for one draw of publishing."""
        return generator(self._world.seed, "publish", *path)

    def site(self, site_id: str) -> Site:
        """The site of that id."""
        return next(site for site in self.sites if site.id == site_id)

    def rows(self, table: bp.Table) -> tuple[RowKey, ...]:
        """The keys of an entity or yearly table, which are open."""
        return tuple(self._world.tables[table.name])

    def label(self, table: bp.Table, key: RowKey) -> dict[str, str]:
        """`name` of a row (for a yearly row, of its entity) and its `year`."""
        if table.kind == "yearly":
            return {"name": self.reader.name(table.refs[0].to or "", key[0]), "year": str(key[1])}
        return {"name": self.reader.name(table.name, key[0])}

    def address(self, site_id: str, kind: bp.PageKind, key: RowKey) -> Address:
        """Where the page of a row stands on a site."""
        table = self.blueprint.table(kind.table)
        label = self.label(table, key)
        leaf = "-".join(bp.slug(part) for part in label.values())
        return Address(
            site_id, f"{self.site(site_id).home}{kind.path}/{leaf}", kind.title.format(**label)
        )

    def addresses(self, table: str, key: RowKey) -> list[Address]:
        """Every page of a row, over all sites."""
        return [self.address(site.id, kind, key) for site, kind in self.page_kinds(table)]

    def page_kinds(self, table: str) -> Iterator[tuple[bp.Site, bp.PageKind]]:
        """The sites and page kinds that have a page for each row of a table."""
        for site in self.blueprint.sites:
            for kind in site.pages:
                if kind.table == table:
                    yield site, kind

    def locators(self, table: bp.Table) -> list[bp.Column]:
        """The open columns of a table that say where a row belongs."""
        return [c for c in table.details if c.where and not self.is_guarded(table, c)]

    def is_guarded(self, table: bp.Table, column: bp.Column) -> bool:
        """Whether a column's cells are guarded in this world."""
        return self._world.roles.guarded_column(table.name, column.name)

    def page(
        self, at: Address, statements: list[Statement], links: list[Link], year: int = 0
    ) -> Page:
        """A page with a date of its own: of the last weeks, for a yearly page soon after its year.

        Links to the page itself and repeated ones are left out.
        """
        last = self.blueprint.today - dt.timedelta(1)
        first = self.blueprint.today - dt.timedelta(bp.FRESH_DAYS)
        if year:
            first = min(dt.date(year + 1, 1, 10), last)
            last = min(dt.date(year + 1, 4, 30), last)
        date = (
            first + dt.timedelta(self.rng("date", at.url).randint(0, (last - first).days))
        ).isoformat()
        home = Link(self.site(at.site).name, self.site(at.site).home)
        unique = {link.url: link for link in reversed([home, *links]) if link.url != at.url}
        return Page(
            at.url, at.site, at.title, date, tuple(statements), tuple(reversed(unique.values()))
        )


def found_sites(world: World) -> tuple[Site, ...]:
    """Name the sites of a world and give them hosts below `.example`, which is nobody's."""
    taken = set(reserved_words(world.blueprint)) | {world.name.lower()}
    taken |= {
        word for _, _, name in world.entities() for word in re.findall(r"[a-z]+", name.lower())
    }
    sites = []
    for site in world.blueprint.sites:
        root = invented_word(generator(world.seed, "sites", site.id), taken)
        taken.add(root.lower())
        name = site.name.format(root=root, world=world.name)
        private = world.blueprint.strategy == "private"
        host = f"{site.id}.{bp.slug(world.name)}" if private else bp.slug(name.removeprefix("The "))
        sites.append(Site(site.id, site.kind, name, f"{host}.example"))
    return tuple(sites)
