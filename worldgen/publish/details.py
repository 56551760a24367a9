"""Detail pages: one for each row of a table, with its facts as lines or sentences."""

from __future__ import annotations

from collections.abc import Iterator

from worldgen import blueprint as bp
from worldgen.facts import RowKey, complete_list
from worldgen.pages import Link, Page, Statement
from worldgen.publish.coverage import Stated, coverage
from worldgen.publish.press import Press
from worldgen.publish.writer import Filling, Pen


def detail_pages(press: Press) -> Iterator[Page]:
    """A page for each row of each page kind's table."""
    for site in press.blueprint.sites:
        for kind in site.pages:
            stated = coverage(press, site, kind)
            table = press.blueprint.table(kind.table)
            for key in press.rows(table):
                at = press.address(site.id, kind, key)
                statements = [*_body(press, kind, stated, key, at.url), *_lists(press, stated, key)]
                year = key[1] if table.kind == "yearly" else 0
                yield press.page(at, statements, _links(press, table, key), year)


def _body(
    press: Press, kind: bp.PageKind, stated: Stated, key: RowKey, url: str
) -> Iterator[Statement]:
    table = press.blueprint.table(kind.table)
    rng = press.rng("body", url)
    values: dict[str, Filling] = {c.name: (c, table.name, key) for c in table.columns}
    values |= press.label(table, key)
    yield Pen(press.reader).fill(rng.choice(kind.opening), values).done()
    columns = list(stated.columns)
    if kind.style == "prose":
        rng.shuffle(columns)
    for column in columns:
        write = say if kind.style == "prose" else _fact
        yield write(press, table, key, column, url)
    for text in rng.sample(kind.background, min(len(kind.background), rng.randint(1, 2))):
        yield Pen(press.reader).fill(text, values).done()


def _fact(press: Press, table: bp.Table, key: RowKey, column: bp.Column, url: str) -> Statement:
    """A line `Label: value` that states a cell on the page at `url`."""
    pen = Pen(press.reader, press.rng("state", url, column.name).randrange(2))
    label = column.label[:1].upper() + column.label[1:]
    return pen.text(f"{label}: ").state(column, table.name, key).done("fact")


def say(press: Press, table: bp.Table, key: RowKey, column: bp.Column, url: str) -> Statement:
    """A sentence that states a cell on the page at `url`."""
    rng = press.rng("say", url, column.name)
    template, form = rng.choice(column.say), rng.randrange(2)
    values: dict[str, Filling] = {**press.label(table, key), "value": (column, table.name, key)}
    return Pen(press.reader, form).fill(template, values).done()


def _lists(press: Press, stated: Stated, key: RowKey) -> Iterator[Statement]:
    """Per link table: a heading, a sentence that the list is complete, a line for each row."""
    for link in stated.links:
        home = link.home_side.to or ""
        yield Pen(press.reader).text(link.plural[:1].upper() + link.plural[1:]).done("heading")
        yield _complete(press, link, key[0], press.reader.name(home, key[0]))
        for row_key in press.reader.rows(link, key[0]):
            yield _line(press, link, row_key)


def _complete(press: Press, link: bp.Table, home_id: int, name: str) -> Statement:
    before, _, after = link.complete.replace("{name}", name).partition("{value}")
    pen = Pen(press.reader).text(before)
    count = press.reader.count(link, home_id)
    fact = complete_list(link.name, link.home_side.name, home_id)
    return pen.claim(fact, count, str(count), "[number]").text(after).done()


def _line(press: Press, link: bp.Table, key: RowKey) -> Statement:
    far = link.far_side
    form = press.rng("line", link.name, *key).randrange(2)
    pen = Pen(press.reader, form).exists(link.name, key)
    pen.named(far.to or "", key[link.key_columns.index(far.name)])
    for number, column in enumerate(link.details):
        pen.text("; " if number else ": ").text(f"{column.label} ").state(column, link.name, key)
    return pen.done("item")


def _links(press: Press, table: bp.Table, key: RowKey) -> list[Link]:
    """Other pages of the row, pages of what its open references point to, and its yearly pages."""
    found = press.addresses(table.name, key)
    for column in table.refs:
        if not press.is_guarded(table, column):
            found += press.addresses(
                column.to or "", (int(press.reader.open(table.name, key, column.name)),)
            )
    for other in press.blueprint.tables:
        if other.kind == "yearly" and other.refs[0].to == table.name:
            for year in range(other.years[0], other.years[1] + 1):
                found += press.addresses(other.name, (key[0], year))
    return [Link(at.title, at.url) for at in found]
