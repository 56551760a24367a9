"""Lineage: the facts that an answer rests on.

The same code tells which facts a task needs (over the world's tables) and which ones an agent
still has to find (over the tables that it has pieced together): facts are addresses, so those that
a condition needs are known before their values are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from queries.plan import BASE, Output, Plan, Source
from queries.sql import SELECTED, key_aliases, lineage_query, split, text, value_query
from worldgen.blueprint import Blueprint
from worldgen.facts import Fact, RowKey, Value, cell, complete_list, row
from worldgen.roles import Roles

AnswerRow = tuple[Value, ...]


@dataclass(frozen=True)
class Footing:
    """One combination of rows that an answer may rest on.

    Attributes:
        keys: per alias, the row's key; None where an outer join found no row.
        names: what names the row of the answer that it would belong to.
        selected: whether the guarded conditions hold.
    """

    keys: Mapping[str, RowKey | None]
    names: tuple[Value | None, ...]
    selected: bool


class Lineage:
    """A plan run over one database."""

    def __init__(self, plan: Plan, blueprint: Blueprint, roles: Roles) -> None:
        """Compile the plan's queries."""
        self.plan, self.blueprint, self.roles = plan, blueprint, roles
        self.value_sql = text(value_query(plan, blueprint))
        self.lineage_sql = text(lineage_query(plan, blueprint, roles))
        self._guarded = split(plan, roles)[1]

    def answer(self, connection: sqlite3.Connection) -> list[AnswerRow]:
        """The rows of the answer."""
        return connection.execute(self.value_sql).fetchall()

    def footings(self, connection: sqlite3.Connection) -> list[Footing]:
        """The rows that the answer may rest on."""
        cursor = connection.execute(self.lineage_sql)
        names = [name for name, *_ in cursor.description]
        return [self._footing(dict(zip(names, values, strict=True))) for values in cursor]

    def _footing(self, record: Mapping[str, Value | None]) -> Footing:
        keys: dict[str, RowKey | None] = {}
        for source in self.plan.sources:
            columns = self.blueprint.table(source.table).key_columns
            parts = [record[f"{source.alias}.{name}"] for name in columns]
            keys[source.alias] = (
                None if None in parts else tuple(int(part) for part in parts if part is not None)
            )
            if source.via == "year" and (of := keys[source.of]):
                keys[source.alias] = (of[0], source.year)
        names = tuple(record[f"{alias}.name"] for alias in key_aliases(self.plan))
        return Footing(keys, names, bool(record[SELECTED]))

    def needed(self, connection: sqlite3.Connection) -> list[Fact]:
        """The guarded facts that the whole answer rests on, conditions included, each once.

        Conditions first, then what is stated of the rows that meet them.
        """
        footings = self.footings(connection)
        width = len(key_aliases(self.plan))
        answered = {line[:width] for line in self.answer(connection)}
        found = [fact for footing in footings for fact in self.conditions(footing)]
        for footing in footings:
            if footing.selected and footing.names in answered:
                found += [
                    fact for output in self.plan.outputs for fact in self.stated(output, footing)
                ]
        return [fact for fact in dict.fromkeys(found) if self.roles.guarded(fact)]

    def conditions(self, footing: Footing) -> list[Fact]:
        """The facts that decide whether a footing counts."""
        found: list[Fact] = []
        for condition in self._guarded:
            for alias in (condition.alias, condition.other):
                key = footing.keys.get(alias)
                if key:
                    found.append(cell(self.plan.source(alias).table, key, condition.column))
        found += self._lists(footing)
        for source in self.plan.via("link", "child"):
            key = footing.keys[source.alias]
            if key and self.blueprint.table(source.table).kind == "link":
                found.append(row(source.table, key))
        if self.plan.order and footing.selected and not self.plan.aggregated:
            found += self.stated(self.plan.outputs[self.plan.order.output], footing)
        return found

    def _lists(self, footing: Footing) -> list[Fact]:
        """That the lists of link rows which the plan reads are complete."""
        key = footing.keys[BASE]
        names = [source.table for source in self.plan.via("link", "child")]
        names += [self.plan.absence.link] if self.plan.absence else []
        links = [table for table in map(self.blueprint.table, names) if table.kind == "link"]
        return [complete_list(link.name, link.home_side.name, key[0]) for link in links if key]

    def stated(self, output: Output, footing: Footing) -> list[Fact]:
        """The facts that an output's cell states of a footing."""
        source = self.plan.source(output.alias)
        key = footing.keys[output.alias]
        if output.aggregate == "count":
            return self._counted(source, footing)
        return [cell(source.table, key, output.column)] if key else []

    def _counted(self, source: Source, footing: Footing) -> list[Fact]:
        conditions = [c for c in self._guarded if c.alias == source.alias]
        key = footing.keys[source.alias]
        if conditions and key:
            return [cell(source.table, key, c.column) for c in conditions]
        return self._lists(footing)

    def cells(self, connection: sqlite3.Connection) -> list[list[list[Fact]]]:
        """Per row of the answer, per cell: the facts that it was computed from."""
        by_name: dict[tuple[Value | None, ...], list[Footing]] = {}
        for footing in self.footings(connection):
            if footing.selected:
                by_name.setdefault(footing.names, []).append(footing)
        width = len(key_aliases(self.plan))
        return [self._row_cells(by_name.get(line[:width], [])) for line in self.answer(connection)]

    def _row_cells(self, footings: Iterable[Footing]) -> list[list[Fact]]:
        aliases = key_aliases(self.plan)
        keys: list[list[Fact]] = [[] for _ in aliases]
        others: list[list[Fact]] = [[] for _ in self.plan.outputs]
        for footing in footings:
            for facts, alias in zip(keys, aliases, strict=True):
                if key := footing.keys[alias]:
                    facts.append(cell(self.plan.source(alias).table, key, "name"))
            for facts, output in zip(others, self.plan.outputs, strict=True):
                facts += self.stated(output, footing)
        return [list(dict.fromkeys(facts)) for facts in (*keys, *others)]

    def is_guarded(self, output: Output) -> bool:
        """Whether an output's cells are guarded."""
        source = self.plan.source(output.alias)
        if output.aggregate == "count":
            counted = [c for c in self._guarded if c.alias == source.alias]
            return bool(counted) or self.roles.guarded_rows(source.table)
        return self.roles.guarded_column(source.table, output.column)
