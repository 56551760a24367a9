"""Checks of sites: what their pages are about, where they stand, and that every cell is stated."""

from __future__ import annotations

import re
from collections.abc import Iterator

from worldgen.blueprint import (
    Article,
    Blueprint,
    PageKind,
    Site,
    Strategy,
    Superlative,
    Table,
    slug,
)
from worldgen.checks.common import Check, Place, places, twice, unknown, unknown_column

PATH = re.compile(r"[a-z0-9-]+(/[a-z0-9-]+)*")
Kind = PageKind | Article | Superlative
HOSTED_BY_ID: Strategy = "private"
"""The strategy under which a site's host is made of its id; elsewhere, of its name."""


def sites_are_apart(blueprint: Blueprint) -> Iterator[str]:
    """No two sites have one id or stand at one host."""
    for site_id in twice(site.id for site in blueprint.sites):
        yield f"two sites have the id {site_id!r}; rename one"
    hosts = [
        slug(site.name.removeprefix("The "))
        for site in blueprint.sites
        if "{root}" not in site.name
    ]
    for host in twice(hosts) if blueprint.strategy != HOSTED_BY_ID else ():
        yield f"two sites have the host {host!r}; use {{root}} in their names"


def tables_exist(blueprint: Blueprint) -> Iterator[str]:
    """Pages are about tables that exist."""
    names = [table.name for table in blueprint.tables]
    for site in blueprint.sites:
        for kind in _kinds(site):
            if kind.table not in names:
                yield f"site {site.id!r}: {unknown(kind.table, 'table', names)}"


def tables_fit(blueprint: Blueprint) -> Iterator[str]:
    """Link tables have no pages of their own; articles and superlatives are about entities."""
    for site in blueprint.sites:
        where = f"site {site.id!r}"
        for page in site.pages:
            if blueprint.table(page.table).kind == "link":
                yield (
                    f"{where}: a link table has no pages of its own; drop those of "
                    f"{page.table!r}, its rows stand on the pages of its home"
                )
        for kind in _kinds(site):
            if not isinstance(kind, PageKind) and blueprint.table(kind.table).kind != "entity":
                noun = "articles" if isinstance(kind, Article) else "superlatives"
                yield (
                    f"{where}: {noun} are about entities, not {kind.table!r}; name an entity table"
                )


def superlatives_compare(blueprint: Blueprint) -> Iterator[str]:
    """A superlative compares numbers within the groups of a reference."""
    for site in blueprint.sites:
        for kind in site.superlatives:
            where = f"site {site.id!r}, superlative {kind.path!r}"
            table = blueprint.table(kind.table)
            missing = [unknown_column(table, name) for name in (kind.column, kind.by)]
            found = [problem for problem in missing if problem]
            yield from (f"{where}: {problem}" for problem in found or _badly_compared(kind, table))


def _badly_compared(kind: Superlative, table: Table) -> Iterator[str]:
    column, by = (Place(table, table.column(name)) for name in (kind.column, kind.by))
    if not column.column.numeric:
        yield f"{column} is no number; compare a column of numbers"
    if by.column.kind != "ref":
        yield f"{by} is no reference; group by one"


def paths_are_apart(blueprint: Blueprint) -> Iterator[str]:
    """Within a site each kind of page stands at a path of its own; superlatives may share one."""
    for site in blueprint.sites:
        where = f"site {site.id!r}"
        for kind in _kinds(site):
            if not PATH.fullmatch(kind.path):
                yield (
                    f"{where}: the path {kind.path!r} can't stand in a URL; "
                    "use lower-case letters, digits and hyphens"
                )
        shared = [kind.path for kind in _kinds(site) if not isinstance(kind, Superlative)]
        shared += dict.fromkeys(kind.path for kind in site.superlatives)
        for path in twice(shared):
            yield f"{where}: two kinds of page have the path {path!r}; give each its own"
        for at in twice(f"{kind.path}/{slug(kind.title)}" for kind in site.superlatives):
            yield f"{where}: two superlatives would stand at {at!r}; change a path or a title"


def there_is_text(blueprint: Blueprint) -> Iterator[str]:
    """Pages open with a sentence, superlatives have one that says who holds the record."""
    for site in blueprint.sites:
        for kind in _kinds(site):
            what, sentences = _sentences(kind)
            if not sentences:
                yield f"site {site.id!r}: the pages at {kind.path!r} have no {what}; write some"


def _sentences(kind: Kind) -> tuple[str, tuple[str, ...]]:
    if isinstance(kind, PageKind):
        return "opening", kind.opening
    return ("lead", kind.lead) if isinstance(kind, Article) else ("say", kind.say)


def articles_have_facts(blueprint: Blueprint) -> Iterator[str]:
    """There are as many facts to state as an article needs."""
    for site in blueprint.sites:
        for article in site.articles:
            where = f"site {site.id!r}, article {article.path!r}"
            few, many = article.facts
            if not 0 <= few <= many:
                span = f"facts = {[few, many]}"
                yield f"{where}: {span} is no range; give the fewest first, 0 or more"
            able = [column for column in blueprint.table(article.table).details if column.say]
            if few > len(able):
                yield (
                    f"{where}: {few} facts are needed, but {len(able)} columns of "
                    f"{article.table!r} have sentences in `say`; write some or lower `facts`"
                )


def entities_are_listed(blueprint: Blueprint) -> Iterator[str]:
    """A site lists each entity table, and there are pages of each yearly one."""
    shown = {page.table for site in blueprint.sites for page in site.pages}
    listed = {page.table for site in blueprint.sites if site.lists for page in site.pages}
    for table in blueprint.tables:
        if table.kind == "entity" and table.name not in listed:
            yield f"no site lists {table.name!r}; give one with pages of it `lists = true`"
        if table.kind == "yearly" and table.name not in shown:
            yield f"no site has pages of {table.name!r}; give one such pages"


def cells_are_stated(blueprint: Blueprint) -> Iterator[str]:
    """Some page states each column of entity and yearly tables."""
    for place in places(blueprint):
        if place.table.kind != "link" and not _is_stated(blueprint, place):
            yield (
                f"no page states {place}; give it a sentence in `say`, "
                f"or pages of {place.table.name!r} the style `facts`"
            )


def _is_stated(blueprint: Blueprint, place: Place) -> bool:
    """Whether it is told: by the row's key, a line, a sentence, each opening of a page or lists."""
    table, column = place
    pages = [x for site in blueprint.sites for x in site.pages if x.table == table.name]
    return (
        column.name in table.key_columns
        or bool(column.say)
        or any(page.style == "facts" for page in pages)
        or any(all(f"{{{column.name}}}" in text for text in page.opening) for page in pages)
        or (table.kind == "entity" and bool(column.where) and place.roles == ("locator",))
    )


def _kinds(site: Site) -> tuple[Kind, ...]:
    return (*site.pages, *site.articles, *site.superlatives)


CHECKS: tuple[Check, ...] = (
    sites_are_apart,
    tables_exist,
    tables_fit,
    superlatives_compare,
    paths_are_apart,
    there_is_text,
    articles_have_facts,
    entities_are_listed,
    cells_are_stated,
)
