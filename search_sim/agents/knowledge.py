"""Knowledge: what an agent has pieced together from claims, as tables with gaps."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from answers.markdown import to_markdown
from search_sim.agents.brief import Brief, Sight
from worldgen.facts import Fact, RowKey, Value, row
from worldgen.tables import connect_loose
from worldgen.world import Tables


class Knowledge:
    """Claims gathered as rows, and the plan run over them."""

    def __init__(self, brief: Brief, tables: Tables | None = None) -> None:
        """Start with what is in `tables`, or with nothing."""
        self._brief = brief
        self.lineage = brief.lineage
        self.known: set[Fact] = set()
        self.tables: dict[str, dict[RowKey, dict[str, Value]]] = {
            table.name: {
                key: dict(cells) for key, cells in (tables or {}).get(table.name, {}).items()
            }
            for table in brief.blueprint.tables
        }

    def add(self, sights: Iterable[Sight]) -> None:
        """Take in claims."""
        for sight in sights:
            fact, value = sight.claim.fact, sight.claim.value
            self.known.add(fact)
            if fact.kind == "row":
                self._row(fact.table, fact.key)
            if fact.kind == "cell":
                self._row(fact.table, fact.key)[fact.column] = value
                self._name_target(fact, value, sight.surface)

    def _row(self, table: str, key: RowKey) -> dict[str, Value]:
        names = self._brief.blueprint.table(table).key_columns
        return self.tables[table].setdefault(key, dict(zip(names, key, strict=True)))

    def _name_target(self, fact: Fact, value: Value, surface: str) -> None:
        """Remember what a reference points to by the name that the page wrote."""
        table = self._brief.blueprint.table(fact.table)
        column = next((c for c in table.columns if c.name == fact.column), None)
        if column and column.to:
            self._row(column.to, (int(value),))["name"] = surface

    def ids(self, table: str) -> list[int]:
        """The ids of the entities of a table that are known, in order."""
        return sorted(key[0] for key in self.tables[table])

    def name(self, table: str, entity_id: int) -> str:
        """An entity's name."""
        return str(self.tables[table][(entity_id,)]["name"])

    def connect(self) -> sqlite3.Connection:
        """A database of what is known."""
        return connect_loose(self._brief.blueprint, self.tables)

    def missing(self) -> list[Fact]:
        """The facts that the answer needs, as far as can be told, and that aren't known."""
        connection = self.connect()
        missing = [fact for fact in self.lineage.needed(connection) if fact not in self.known]
        connection.close()
        return missing

    def holds(self, link: str, key: RowKey) -> bool:
        """Whether a link row is known to exist."""
        return row(link, key) in self.known

    def answer(self) -> list[tuple[Value | None, ...]]:
        """The plan's answer over what is known."""
        connection = self.connect()
        rows: list[tuple[Value | None, ...]] = list(self.lineage.answer(connection))
        connection.close()
        return rows

    def markdown(self) -> str:
        """The answer as a Markdown table."""
        return to_markdown(self._brief.columns, self.answer())
