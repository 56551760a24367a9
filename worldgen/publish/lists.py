"""List pages: the names of a table's rows, by name, with one open column at most.

For each table that a listing site has pages of: one list of all rows, and one for each value of
each open column.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from worldgen import blueprint as bp
from worldgen.facts import RowKey, Value
from worldgen.pages import Link, Page, Statement
from worldgen.publish.press import Address, Press
from worldgen.publish.writer import Pen


def list_pages(press: Press) -> Iterator[Page]:
    """The list pages of every site that has them."""
    for site in press.blueprint.sites:
        for kind in site.pages if site.lists else ():
            table = press.blueprint.table(kind.table)
            if table.kind == "entity":
                yield from _lists_of(press, site, kind, table)


def _lists_of(press: Press, site: bp.Site, kind: bp.PageKind, table: bp.Table) -> Iterator[Page]:
    base = f"{press.site(site.id).home}{kind.path}"
    locators = press.locators(table)
    shown = press.rng("list", base).choice(locators) if locators else None
    everything = Address(site.id, f"{base}/all", f"All {table.plural}, A to Z")
    yield _list(press, everything, kind, list(press.rows(table)), shown)
    for column in locators:
        groups: dict[Value, list[RowKey]] = defaultdict(list)
        for key in press.rows(table):
            groups[press.reader.open(table.name, key, column.name)].append(key)
        for value in sorted(groups):
            title = group_title(table, column, press.reader.surface(column, value, 0))
            at = Address(site.id, f"{base}/by-{bp.slug(column.label)}/{bp.slug(title)}", title)
            yield _list(press, at, kind, groups[value], column)


def group_title(table: bp.Table, column: bp.Column, value: str) -> str:
    """The title of the list of the rows that hold `value` in an open column."""
    title = f"{table.plural} {(column.where or '').format(value=value)}"
    return title[:1].upper() + title[1:]


def _list(
    press: Press, at: Address, kind: bp.PageKind, keys: list[RowKey], shown: bp.Column | None
) -> Page:
    table = press.blueprint.table(kind.table)
    noun = table.plural if len(keys) != 1 else table.label
    note = f"This list is complete: {len(keys)} {noun}, in alphabetical order."
    statements = [Pen(press.reader).text(note).done()]
    for key in sorted(keys, key=lambda k: press.reader.name(table.name, k[0])):
        statements.append(_item(press, at, kind, key, shown))
    press.lists.setdefault(at.site, []).append(Link(at.title, at.url))
    return press.page(at, statements, [])


def _item(
    press: Press, at: Address, kind: bp.PageKind, key: RowKey, shown: bp.Column | None
) -> Statement:
    pen = Pen(press.reader).named(kind.table, key[0])
    if shown:
        pen.text(" (").state(shown, kind.table, key).text(")")
    return pen.done("item", press.address(at.site, kind, key).url)
