"""Checks of texts: that what stands in their braces is known, and nothing needed is missing."""

from __future__ import annotations

import string
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from worldgen.blueprint import Article, Blueprint, Column, PageKind, Site, Superlative, Table
from worldgen.checks.common import Check, unknown


class Text(NamedTuple):
    """A text of a blueprint.

    Attributes:
        where: the place that messages name.
        known: what may stand in its braces.
        needs: what must stand there.
        once: whether that must stand there once only.
    """

    where: str
    text: str
    known: tuple[str, ...]
    needs: tuple[str, ...] = ()
    once: bool = False


def braces_are_closed(blueprint: Blueprint) -> Iterator[str]:
    """Every text can be read as a template."""
    for text in _texts(blueprint):
        try:
            _parts(text.text)
        except ValueError as error:
            yield f"{text.where}: {text.text!r} is broken ({error}); write {{{{ for a bare brace"


def braces_are_known(blueprint: Blueprint) -> Iterator[str]:
    """Braces hold names that there is something for, and nothing else."""
    for text in _texts(blueprint):
        for part in _parts(text.text):
            if part not in text.known:
                problem = unknown(part, "part in braces", text.known)
                yield f"{text.where}: {problem} (in {text.text!r})"


def needed_parts_are_there(blueprint: Blueprint) -> Iterator[str]:
    """Texts hold what they are there to say."""
    for text in _texts(blueprint):
        for part in text.needs:
            count = _parts(text.text).count(part)
            if not count:
                yield f"{text.where}: {text.text!r} lacks {{{part}}}; put it in"
            if count > 1 and text.once:
                yield f"{text.where}: {text.text!r} has {{{part}}} {count} times; keep one"


def _parts(text: str) -> list[str]:
    """What stands in the braces of a text, formats and conversions included."""
    return [
        f"{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}"
        for _, name, form, conversion in string.Formatter().parse(text)
        if name is not None
    ]


def _texts(blueprint: Blueprint) -> Iterator[Text]:
    yield Text("setting", blueprint.setting, ("world",))
    for table in blueprint.tables:
        yield from _table_texts(table)
        for column in table.columns:
            yield from _column_texts(table, column)
    for site in blueprint.sites:
        yield from _site_texts(blueprint, site)


def _table_texts(table: Table) -> Iterator[Text]:
    if table.names:
        for pattern in table.names.patterns:
            yield Text(f"names of {table.name!r}", pattern, ("root", "first"), ("root",))
        if table.names.short:
            where = f"short name of {table.name!r}"
            yield Text(where, table.names.short, ("root", "first"), ("root",))
    if table.kind == "link":
        where = f"link table {table.name!r}"
        yield Text(where, table.has, ("value",), ("value",))
        yield Text(where, table.has_none, ("value",), ("value",))
        yield Text(where, table.complete, ("name", "value"), ("value",), once=True)


def _column_texts(table: Table, column: Column) -> Iterator[Text]:
    where = f"{table.name}.{column.name}"
    for text in column.say:
        yield Text(where, text, (*_label(table), "value"), ("value",))
    if column.where is not None:
        yield Text(where, column.where, ("value",), ("value",))


def _site_texts(blueprint: Blueprint, site: Site) -> Iterator[Text]:
    where = f"site {site.id!r}"
    yield Text(where, site.name, ("root", "world"))
    yield Text(where, site.about, ())
    for page in site.pages:
        yield from _page_texts(where, blueprint.table(page.table), page)
    yield from chain.from_iterable(_article_texts(where, article) for article in site.articles)
    yield from chain.from_iterable(_record_texts(where, kind) for kind in site.superlatives)


def _page_texts(where: str, table: Table, page: PageKind) -> Iterator[Text]:
    yield Text(where, page.title, _label(table))
    known = (*_label(table), *(column.name for column in table.columns))
    for text in (*page.opening, *page.background):
        yield Text(where, text, known)


def _article_texts(where: str, article: Article) -> Iterator[Text]:
    for text in (article.title, *article.lead, *article.close):
        yield Text(where, text, ("name",))


def _record_texts(where: str, kind: Superlative) -> Iterator[Text]:
    yield Text(where, kind.title, ("group",), ("group",))
    for text in kind.say:
        yield Text(where, text, ("group", "value"), ("value",), once=True)


def _label(table: Table) -> tuple[str, ...]:
    """What names a row in a text."""
    return ("name", "year") if table.kind == "yearly" else ("name",)


CHECKS: tuple[Check, ...] = (braces_are_closed, braces_are_known, needed_parts_are_there)
