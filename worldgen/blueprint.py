"""Blueprints: fictional domains as data.

A blueprint says which tables a world has, what their columns mean and how their cells are drawn,
which rules the rows obey, and which sites publish them. It holds no code: the library's
blueprints are TOML files beside `worldgen.library`.
"""

from __future__ import annotations

import datetime as dt
import re
import string
from functools import cached_property
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from worldgen.errors import BlueprintError, UnknownNameError
from worldgen.values import ValueModel

ColumnKind = Literal["ref", "category", "money", "date", "measure", "count", "rank", "person"]
TableKind = Literal["entity", "link", "yearly"]
SiteKind = Literal["official", "press", "encyclopaedia", "retailer", "portal", "forum", "intranet"]
Strategy = Literal["time-shifted", "long-tail", "private", "grounded"]
Role = Literal["key", "locator", "guarded"]

NUMERIC: frozenset[ColumnKind] = frozenset({"money", "measure", "count", "rank"})
FRESH_DAYS = 45
"""Pages are at most this many days old, and no date in a world is later than the oldest page."""
Identifier = Field(pattern=r"^[a-z][a-z0-9_]*$")


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Column(_Data):
    """One column of a table.

    Attributes:
        label: a noun phrase that reads well after "a" or "the": `harbour depth`.
        aliases: other phrases by which a query may name the attribute.
        unit: of measures (`m`) and money (`USD`).
        to: the table that a reference points to.
        roles: the roles that the column may get; each world draws one of them.
        adds: whether a sum of its cells over several rows means something.
        say: sentences that state the cell, with `{name}` and `{value}`.
        where: how the cell locates a row, with `{value}`: `in {value}`, `run by {value}`.
    """

    name: str = Identifier
    kind: ColumnKind
    label: str
    aliases: tuple[str, ...] = ()
    unit: str | None = None
    decimals: int = 0
    to: str | None = None
    roles: tuple[Role, ...] = ("guarded",)
    values: ValueModel
    adds: bool = False
    say: tuple[str, ...] = ()
    where: str | None = None

    @property
    def numeric(self) -> bool:
        """Whether its cells are numbers that can be compared and ordered."""
        return self.kind in NUMERIC

    @property
    def heading(self) -> str:
        """The column's heading in an answer table: label and unit."""
        label = self.label[:1].upper() + self.label[1:]
        return f"{label} ({self.unit})" if self.unit else label


class Names(_Data):
    """How the entities of a table are named.

    Attributes:
        patterns: with `{root}`, an invented word that no other entity of the world has, or
            `{first}`, a given name.
        short: a shorter form under which texts know the entity too; none if empty.
        listed: names to take instead of invented ones, each once, where the strategy wants real
            brands. There must be one for each row.
    """

    patterns: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    short: str = ""


class Table(_Data):
    """One table.

    An entity table has an `id` and a `name`; a link table joins the entities of its reference
    columns, which are its key; a yearly table has a row for each entity of its one reference
    column and each year.

    Attributes:
        one: the label with its article: `a vessel`.
        rows: fewest and most rows of an entity table.
        per_home: fewest and most rows that a link table has for each entity at its home side.
        years: first and last year of a yearly table.
        home: of a link table: the reference at whose entities' pages the rows are listed.
        row_roles: of a link table: the roles that the existence of its rows may get.
        aliases: other phrases by which a query may name a link.
        has, has_none: how a link selects rows of the home side, with `{value}`: `that call at
            {value}`, `that call at none of the {value}`.
        complete: a sentence with `{name}` and the count `{value}` that says the list is complete.
    """

    name: str = Identifier
    kind: TableKind
    label: str
    one: str
    plural: str
    rows: tuple[int, int] = (0, 0)
    per_home: tuple[int, int] = (0, 0)
    years: tuple[int, int] = (0, 0)
    names: Names | None = None
    home: str | None = None
    row_roles: tuple[Role, ...] = ("guarded",)
    aliases: tuple[str, ...] = ()
    has: str = ""
    has_none: str = ""
    complete: str = ""
    columns: tuple[Column, ...] = ()

    def column(self, name: str) -> Column:
        """The column of that name.

        Raises:
            UnknownNameError: there is none.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise UnknownNameError(name, f"column of {self.name}", [c.name for c in self.columns])

    @property
    def refs(self) -> tuple[Column, ...]:
        """The reference columns, in order."""
        return tuple(column for column in self.columns if column.kind == "ref")

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that make up a row's key, in the order of `RowKey`."""
        if self.kind == "entity":
            return ("id",)
        names = tuple(column.name for column in self.refs)
        return (*names, "year") if self.kind == "yearly" else names

    @property
    def details(self) -> tuple[Column, ...]:
        """The columns that a row's own page may state: all but the key."""
        return tuple(c for c in self.columns if c.name not in self.key_columns)

    @property
    def home_side(self) -> Column:
        """The reference of a link or yearly table whose entities' pages list the rows."""
        return self.column(self.home) if self.home else self.refs[0]

    @property
    def far_side(self) -> Column:
        """The other reference of a link table."""
        return next(column for column in self.refs if column.name != self.home_side.name)


class PageKind(_Data):
    """A page for each row of an entity or yearly table.

    Attributes:
        style: `facts` states cells as labelled lines, `prose` as sentences.
        opening: first sentences, with `{name}`, `{year}` and columns by their names.
        background: sentences that no task needs, with `{name}`.
    """

    table: str
    path: str
    title: str
    style: Literal["facts", "prose"] = "facts"
    opening: tuple[str, ...]
    background: tuple[str, ...] = ()


class Article(_Data):
    """A page for some rows of an entity table that states a few of its facts in passing.

    Attributes:
        share: the share of rows that have such a page.
        facts: fewest and most facts stated.
        lead, close: sentences without facts, with `{name}`.
    """

    table: str
    path: str
    title: str
    share: float = Field(ge=0, le=1)
    facts: tuple[int, int] = (1, 2)
    lead: tuple[str, ...]
    close: tuple[str, ...] = ()


class Superlative(_Data):
    """An article for each group of a table that names the row with the highest value.

    Attributes:
        by: the reference that groups the rows.
        title, say: with `{group}`, and `{value}` in `say` for the name of the row.
    """

    table: str
    column: str
    by: str
    path: str
    title: str
    say: tuple[str, ...]


class Site(_Data):
    """A site of the fictional web.

    Attributes:
        name: with `{root}`, an invented word of its own.
        lists: whether it lists the rows of its pages' tables, by name and by locator. Every entity
            table needs a site that lists it, or nobody could find its rows.
        about: one sentence on its home page.
    """

    id: str = Identifier
    kind: SiteKind
    name: str
    about: str
    lists: bool = False
    pages: tuple[PageKind, ...] = ()
    articles: tuple[Article, ...] = ()
    superlatives: tuple[Superlative, ...] = ()


class Rule(_Data):
    """What the rows of every world obey: `broken` is SQL that selects the offending rows."""

    says: str
    broken: str


class Blueprint(_Data):
    """A fictional domain.

    Attributes:
        today: the day on which the web is read; nothing in the world is later.
        setting: one sentence on where the questions take place, with `{world}`.

    Raises:
        BlueprintError: it contradicts itself.
    """

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    version: int
    title: str
    strategy: Strategy
    today: dt.date
    setting: str
    tables: tuple[Table, ...]
    sites: tuple[Site, ...]
    rules: tuple[Rule, ...]

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        for problem in _problems(self):
            raise BlueprintError(self.id, problem)
        return self

    @cached_property
    def _by_name(self) -> dict[str, Table]:
        return {table.name: table for table in self.tables}

    def table(self, name: str) -> Table:
        """The table of that name.

        Raises:
            UnknownNameError: there is none.
        """
        if name not in self._by_name:
            raise UnknownNameError(name, "table", self._by_name)
        return self._by_name[name]

    def links(self) -> tuple[Table, ...]:
        """The link tables, in order."""
        return tuple(table for table in self.tables if table.kind == "link")

    def target(self, table: Table, path: str) -> tuple[Table, Column]:
        """The table and column that a value model's path leads to."""
        head, _, tail = path.partition(".")
        column = table.column(head)
        if not tail:
            return table, column
        return self.target(self.table(column.to or ""), tail)


def _problems(blueprint: Blueprint) -> list[str]:
    names = [table.name for table in blueprint.tables]
    if len(set(names)) != len(names):
        return ["two tables have the same name"]
    problems = []
    for place, table in enumerate(blueprint.tables):
        problems += _table_problems(blueprint, table, set(names[:place]))
    problems += _label_problems(blueprint)
    for site in blueprint.sites:
        problems += _site_problems(blueprint, site)
    listed = {page.table for site in blueprint.sites if site.lists for page in site.pages}
    entities = [table.name for table in blueprint.tables if table.kind == "entity"]
    return problems + [f"no site lists {name!r}" for name in entities if name not in listed]


def _table_problems(blueprint: Blueprint, table: Table, earlier: set[str]) -> list[str]:
    problems = []
    if table.kind == "entity" and (table.names is None or table.rows[0] < 1):
        problems.append(f"entity table {table.name!r} needs names and a number of rows")
    if table.names and not table.names.patterns and len(set(table.names.listed)) < table.rows[1]:
        problems.append(
            f"entity table {table.name!r} needs patterns, or a listed name for each row"
        )
    if table.kind == "link" and (len(table.refs) != 2 or table.home not in table.key_columns):
        problems.append(f"link table {table.name!r} needs two references and one of them as home")
    if table.kind == "link" and not (table.has and table.has_none and table.complete):
        problems.append(f"link table {table.name!r} needs the phrases has, has_none and complete")
    if table.kind == "yearly" and (len(table.refs) != 1 or table.years[0] > table.years[1]):
        problems.append(f"yearly table {table.name!r} needs one reference and a span of years")
    done: set[str] = set()
    for column in table.columns:
        if column.kind == "ref" and column.to not in earlier:
            problems.append(
                f"{table.name}.{column.name} points to {column.to!r}, which is no earlier table"
            )
            continue
        problems += _column_problems(blueprint, table, column, done)
        done.add(column.name)
    return problems


def _column_problems(
    blueprint: Blueprint, table: Table, column: Column, done: set[str]
) -> list[str]:
    where = f"{table.name}.{column.name}"
    problems = []
    if column.kind in ("money", "measure") and not column.unit:
        problems.append(f"{where} needs a unit")
    if "key" in column.roles and column.name not in table.key_columns:
        problems.append(f"{where} can't be a key")
    oldest_page = blueprint.today - dt.timedelta(FRESH_DAYS)
    if getattr(column.values, "last", oldest_page) > oldest_page:
        problems.append(
            f"{where} can hold dates later than {oldest_page}, when the oldest page was written"
        )
    known = {"name", "value", "year"} if table.kind == "yearly" else {"name", "value"}
    problems += [
        f"{where}: {{{x}}} in {text!r} is unknown"
        for text in column.say
        for x in fields(text) - known
    ]
    for path in column.values.reads():
        if path.split(".")[0] not in done:
            problems.append(f"{where} reads {path!r}, which is drawn later or doesn't exist")
            continue
        _, source = blueprint.target(table, path)
        open_here = "locator" in column.roles or "key" in column.roles
        if open_here and "guarded" in source.roles:
            problems.append(f"{where} can be open but reads {path!r}, which can be guarded")
    return problems


def _label_problems(blueprint: Blueprint) -> list[str]:
    """Questions name columns by label, so within a table each label must mean one column."""
    problems = []
    for table in blueprint.tables:
        labels = [column.label for column in table.columns]
        problems += [
            f"{table.name}: two columns are called {x!r}" for x in labels if labels.count(x) > 1
        ]
    plurals = [table.plural for table in blueprint.tables]
    return problems + [f"two tables are called {x!r}" for x in plurals if plurals.count(x) > 1]


def _site_problems(blueprint: Blueprint, site: Site) -> list[str]:
    problems = []
    for page in site.pages:
        table = blueprint.table(page.table)
        if table.kind == "link":
            problems.append(f"site {site.id!r}: a link table has no pages of its own")
        known = {"name", "year", *(column.name for column in table.columns)}
        for text in (page.title, *page.opening, *page.background):
            problems += [
                f"site {site.id!r}: {{{x}}} in {text!r} is unknown" for x in fields(text) - known
            ]
    for article in site.articles:
        for text in (article.title, *article.lead, *article.close):
            problems += [
                f"site {site.id!r}: {{{x}}} in {text!r} is unknown" for x in fields(text) - {"name"}
            ]
        if blueprint.table(article.table).kind != "entity":
            problems.append(f"site {site.id!r}: articles are about entities, not {article.table!r}")
    for superlative in site.superlatives:
        blueprint.table(superlative.table).column(superlative.by)
        blueprint.table(superlative.table).column(superlative.column)
    return problems


def fields(template: str) -> set[str]:
    """The names in braces of a template."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def slug(text: str) -> str:
    """A name as it stands in a URL: lower case, words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
