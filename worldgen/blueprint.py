"""Blueprints: fictional domains as data.

A blueprint says which tables a world has, what their columns mean and how their cells are drawn,
which rules the rows obey, and which sites publish them. It holds no code: the library's
blueprints are TOML files beside `worldgen.library`.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from worldgen.errors import UnknownNameError
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
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


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
    decimals: int = Field(0, ge=0)
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

    Its parts have the right types; that they fit each other is checked by `worldgen.checks`, for
    each blueprint that is read.
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


def slug(text: str) -> str:
    """A name as it stands in a URL: lower case, words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
