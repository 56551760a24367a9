"""The scene in which plans are sampled: a world, its database, draws of a plan's parts."""

from __future__ import annotations

import datetime as dt
import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

import networkx as nx

from queries.plan import BASE, Condition, Operator, Source
from worldgen.blueprint import Blueprint, Column, Table
from worldgen.facts import RowKey, Value
from worldgen.pages import Web
from worldgen.roles import Roles
from worldgen.world import World

FEWEST_ROWS, MOST_ROWS = 5, 30
"""The bounds of an answer's rows."""


@dataclass(frozen=True)
class Scope:
    """Which rows of the base table a question is about, by open columns alone.

    Attributes:
        conditions: what is said of them; none means all rows.
        sources: tables on the way to the columns that the conditions name.
        ids: the base rows in scope.
    """

    conditions: tuple[Condition, ...]
    sources: tuple[Source, ...]
    ids: tuple[int, ...]


class Compared(NamedTuple):
    """What a threshold is drawn for: a column of a source, and the values that it has in scope."""

    alias: str
    column: Column
    values: Sequence[Value]


@dataclass(frozen=True)
class Scene:
    """A world to ask about."""

    world: World
    web: Web
    connection: sqlite3.Connection

    @property
    def blueprint(self) -> Blueprint:
        """The world's blueprint."""
        return self.world.blueprint

    @property
    def roles(self) -> Roles:
        """The world's roles."""
        return self.world.roles

    @cached_property
    def graph(self) -> nx.MultiDiGraph[str]:
        """The foreign-key graph: an edge for each reference, keyed by its column."""
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        for table in self.blueprint.tables:
            graph.add_node(table.name)
            for column in table.refs:
                graph.add_edge(table.name, str(column.to), key=column.name)
        return graph

    def is_guarded(self, table: Table, column: Column) -> bool:
        """Whether a column's cells are guarded."""
        return self.roles.guarded_column(table.name, column.name)

    def entity_tables(self) -> list[Table]:
        """The entity tables with enough rows to ask about."""
        enough = 2 * FEWEST_ROWS
        tables = self.blueprint.tables
        return [
            t for t in tables if t.kind == "entity" and len(self.world.tables[t.name]) >= enough
        ]

    def guarded(
        self, table: Table, test: Callable[[Column], bool] = lambda _: True
    ) -> list[Column]:
        """The guarded columns outside a table's key that pass a test."""
        return [c for c in table.details if self.is_guarded(table, c) and test(c)]

    def open_parents(self, table: Table) -> list[tuple[Column, Table]]:
        """The references by which a question can locate a table's rows, with their targets."""
        found = []
        for _, target, name in self.graph.out_edges(table.name, keys=True):
            column = table.column(name)
            if column in self.locators(table):
                found.append((column, self.blueprint.table(target)))
        return found

    def locators(self, table: Table) -> list[Column]:
        """The open columns that say where a row belongs."""
        return [c for c in table.details if c.where and not self.is_guarded(table, c)]

    def value(self, table: str, key: RowKey, column: str) -> Value:
        """What stands in a cell."""
        return self.world.tables[table][key][column]

    def shown(self, column: Column, value: Value) -> Value:
        """A cell as a question names it: references by name."""
        return self.world.name_of(column.to, int(value)) if column.to else value

    def scopes(self, table: Table, fewest: int, most: int) -> list[Scope]:
        """Every scope of a table that holds a number of rows within bounds.

        All rows; the rows with a value in an open column; those whose parent has such a value; and
        those that agree in two open columns of their own.
        """
        singles = [
            scope for column in self.locators(table) for scope in self._groups(table, column)
        ]
        found = [Scope((), (), self.world.ids(table.name)), *singles, *self._grandparents(table)]
        for number, first in enumerate(singles):
            found += [_both(first, second) for second in singles[number + 1 :]]
        return [scope for scope in found if fewest <= len(scope.ids) <= most]

    def _groups(self, table: Table, column: Column) -> list[Scope]:
        ids = self.world.ids(table.name)
        values = {i: self.value(table.name, (i,), column.name) for i in ids}
        found = []
        for value in sorted(set(values.values())):
            condition = Condition(
                alias=BASE, column=column.name, operator="=", value=self.shown(column, value)
            )
            found.append(Scope((condition,), (), tuple(i for i in ids if values[i] == value)))
        return found

    def _grandparents(self, table: Table) -> list[Scope]:
        found = []
        for column, parent in self.open_parents(table):
            source = Source(
                alias=parent_alias(parent),
                table=parent.name,
                via="parent",
                of=BASE,
                column=column.name,
            )
            for further in self.locators(parent):
                for group in self._groups(parent, further):
                    condition = group.conditions[0].model_copy(
                        update={"alias": parent_alias(parent)}
                    )
                    ids = tuple(
                        i
                        for i in self.world.ids(table.name)
                        if self.value(table.name, (i,), column.name) in group.ids
                    )
                    found.append(Scope((condition,), (source,), ids))
        return found

    def pick_scope(self, rng: Random, table: Table, fewest: int, most: int) -> Scope | None:
        """One scope: first how many conditions it has, then which."""
        by_size: dict[int, list[Scope]] = {}
        for scope in self.scopes(table, fewest, most):
            by_size.setdefault(len(scope.conditions), []).append(scope)
        return rng.choice(by_size[rng.choice(sorted(by_size))]) if by_size else None

    def threshold(self, rng: Random, on: Compared, fewest: int, most: int) -> Condition | None:
        """A guarded condition that holds for between `fewest` and `most` of the values, not all.

        Numbers and dates are compared with a round constant that no value equals where one fits;
        categories with one of them.
        """
        alias, column, values = on
        most = min(most, len(values) - 1)
        if column.kind == "category":
            counts = Counter(values)
            able = sorted(value for value, count in counts.items() if fewest <= count <= most)
            value = rng.choice(able) if able else None
            return value and Condition(alias=alias, column=column.name, operator="=", value=value)  # type: ignore[return-value]
        descending = rng.random() < 0.6
        ordered = sorted(values, reverse=descending)
        cuts = [n for n in range(fewest, most + 1) if ordered[n - 1] != ordered[n]]
        if not cuts:
            return None
        cut = rng.choice(cuts)
        low, high = sorted((ordered[cut - 1], ordered[cut]))
        operator: Operator = ">" if descending else "<"
        constant = _round_between(column, low, high, descending)
        return Condition(alias=alias, column=column.name, operator=operator, value=constant)


def parent_alias(parent: Table) -> str:
    """The alias of a parent table, which no other kind of source has."""
    return f"{parent.name}_of"


def _both(first: Scope, second: Scope) -> Scope:
    ids = tuple(i for i in first.ids if i in set(second.ids))
    if first.conditions[0].column == second.conditions[0].column:
        ids = ()
    return Scope((*first.conditions, *second.conditions), (), ids)


def _round_between(column: Column, low: Value, high: Value, descending: bool) -> Value:
    """The roundest constant between two neighbouring values; one of them where nothing fits."""
    if column.kind == "date":
        return _round_date(str(low), str(high), descending)
    scale = 10**column.decimals
    least, most = round(float(low) * scale), round(float(high) * scale)
    constant = _roundest(least, most)
    if constant is None:
        constant = least if descending else most
    return constant / scale if column.decimals else constant


def _roundest(low: int, high: int) -> int | None:
    """The multiple of the highest power of ten (then its half, then its fifth) strictly between."""
    if high - low < 2:
        return None
    power = 10 ** (int(math.log10(high)) + 1)
    while power:
        for step in (power, power // 2, power // 5):
            candidate = (low // step + 1) * step if step else high
            if low < candidate < high:
                return candidate
        power //= 10
    return low + 1


def _round_date(low: str, high: str, descending: bool) -> str:
    first, last = dt.date.fromisoformat(low), dt.date.fromisoformat(high)
    for candidate in _round_days(first, last):
        if first < candidate < last:
            return candidate.isoformat()
    return low if descending else high


def _round_days(first: dt.date, last: dt.date) -> Iterable[dt.date]:
    years = range(first.year + 1, last.year + 1)
    yield from (
        dt.date(year, 1, 1) for year in sorted(years, key=lambda y: (y % 10 != 0, y % 5 != 0, y))
    )
    yield dt.date(first.year + first.month // 12, first.month % 12 + 1, 1)
    yield first + dt.timedelta(1)
