"""A world: one blueprint populated under one seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from worldgen.blueprint import Blueprint
from worldgen.facts import RowKey, Value
from worldgen.roles import Roles

Row = Mapping[str, Value]
Tables = Mapping[str, Mapping[RowKey, Row]]


@dataclass(frozen=True)
class World:
    """The tables of a world and what is needed to read them.

    Attributes:
        name: what the world as a whole is called: the archipelago, the organisation.
        seed: the seed that it was populated and is published under.
        tables: per table name: the rows by key, in key order.
        short_names: other surface forms of entities' names, by table and id.
    """

    id: str
    name: str
    blueprint: Blueprint
    seed: int
    roles: Roles
    tables: Tables
    short_names: Mapping[tuple[str, int], tuple[str, ...]]

    def ids(self, table: str) -> tuple[int, ...]:
        """The ids of an entity table, in order."""
        return tuple(key[0] for key in self.tables[table])

    def name_of(self, table: str, entity_id: int) -> str:
        """The name of an entity."""
        return str(self.tables[table][(entity_id,)]["name"])

    def entities(self) -> Iterator[tuple[str, int, str]]:
        """Every entity: table, id, name."""
        for table in self.blueprint.tables:
            if table.kind == "entity":
                for key, row in self.tables[table.name].items():
                    yield table.name, key[0], str(row["name"])

    @property
    def row_count(self) -> int:
        """The number of rows over all tables."""
        return sum(len(rows) for rows in self.tables.values())
