"""Articles: pages that state a fact or two in passing, and pages about who holds a record."""

from __future__ import annotations

from collections.abc import Iterator

from worldgen import blueprint as bp
from worldgen.facts import top
from worldgen.pages import Link, Page, Statement
from worldgen.publish.details import say
from worldgen.publish.press import Address, Press
from worldgen.publish.writer import Pen

SMALLEST_GROUP = 3
"""Below this number of rows, a record is nothing to write about."""


def articles(press: Press) -> Iterator[Page]:
    """Articles about some of the entities of each article kind's table."""
    for site in press.blueprint.sites:
        for kind in site.articles:
            table = press.blueprint.table(kind.table)
            for (entity_id,) in press.rows(table):
                if press.rng("article", site.id, kind.path, entity_id).random() < kind.share:
                    yield _article(press, site, kind, entity_id)


def _article(press: Press, site: bp.Site, kind: bp.Article, entity_id: int) -> Page:
    table = press.blueprint.table(kind.table)
    name = press.reader.name(table.name, entity_id)
    url = f"{press.site(site.id).home}{kind.path}/{bp.slug(name)}"
    rng = press.rng("article", url)
    able = [column for column in table.details if column.say]
    columns = rng.sample(able, min(len(able), rng.randint(*kind.facts)))
    statements = [Pen(press.reader).text(rng.choice(kind.lead).format(name=name)).done()]
    statements += [say(press, table, (entity_id,), column, url) for column in columns]
    if kind.close:
        statements.append(Pen(press.reader).text(rng.choice(kind.close).format(name=name)).done())
    at = Address(site.id, url, kind.title.format(name=name))
    press.articles.setdefault(site.id, []).append(Link(at.title, url))
    links = [Link(found.title, found.url) for found in press.addresses(table.name, (entity_id,))]
    return press.page(at, statements, links)


def superlatives(press: Press) -> Iterator[Page]:
    """For each group of a record's table: a page on which row has the highest value."""
    for site in press.blueprint.sites:
        for kind in site.superlatives:
            table = press.blueprint.table(kind.table)
            if press.is_guarded(table, table.column(kind.by)):
                continue
            groups = [int(press.reader.open(table.name, key, kind.by)) for key in press.rows(table)]
            for group in sorted({g for g in groups if groups.count(g) >= SMALLEST_GROUP}):
                yield _superlative(press, site, kind, group)


def _superlative(press: Press, site: bp.Site, kind: bp.Superlative, group: int) -> Page:
    table = press.blueprint.table(kind.table)
    group_table = table.column(kind.by).to or ""
    name = press.reader.name(group_table, group)
    at = Address(
        site.id,
        f"{press.site(site.id).home}{kind.path}/{bp.slug(kind.title.format(group=name))}",
        kind.title.format(group=name),
    )
    template = press.rng("superlative", at.url).choice(kind.say)
    press.articles.setdefault(site.id, []).append(Link(at.title, at.url))
    links = [Link(found.title, found.url) for found in press.addresses(group_table, (group,))]
    return press.page(at, [_record(press, kind, group, template.replace("{group}", name))], links)


def _record(press: Press, kind: bp.Superlative, group: int, template: str) -> Statement:
    before, _, after = template.partition("{value}")
    pen = Pen(press.reader).text(before)
    winner = press.reader.highest(kind, group)
    label = press.blueprint.table(kind.table).label
    name = press.reader.name(kind.table, winner) if winner else f"more than one {label}"
    return (
        pen.claim(top(kind.table, group, kind.column), winner or 0, name, "[name]")
        .text(after)
        .done()
    )
