"""Column roles: which facts of a world are guarded, fixed per world before any task exists."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from worldgen.blueprint import Blueprint, Role
from worldgen.facts import Fact
from worldgen.seeds import generator


class Roles(BaseModel):
    """The role of each column (`table.column`) and of each link table's rows (`table`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: dict[str, Role]
    rows: dict[str, Role]

    def column(self, table: str, column: str) -> Role:
        """The role of a column."""
        return self.columns[f"{table}.{column}"]

    def guarded_rows(self, table: str) -> bool:
        """Whether the existence of the table's rows is guarded."""
        return self.rows.get(table) == "guarded"

    def guarded_column(self, table: str, column: str) -> bool:
        """Whether the cells of a column are guarded, by their own role or by that of their rows."""
        return self.columns[f"{table}.{column}"] == "guarded" or self.guarded_rows(table)

    def guarded(self, fact: Fact) -> bool:
        """Whether a fact is guarded: for every row and every task of the world alike."""
        if fact.kind in ("row", "list"):
            return self.guarded_rows(fact.table)
        return self.guarded_column(fact.table, fact.column)

    def any_guarded(self, facts: Iterable[Fact]) -> bool:
        """Whether something that depends on `facts` is guarded."""
        return any(self.guarded(fact) for fact in facts)


def assign_roles(blueprint: Blueprint, seed: int) -> Roles:
    """Draw each column's role from those that the blueprint allows."""
    columns: dict[str, Role] = {}
    rows: dict[str, Role] = {}
    for table in blueprint.tables:
        if table.kind == "entity":
            columns[f"{table.name}.id"] = columns[f"{table.name}.name"] = "key"
        if table.kind == "yearly":
            columns[f"{table.name}.year"] = "key"
        if table.kind == "link":
            rows[table.name] = generator(seed, "roles", table.name).choice(table.row_roles)
        for column in table.columns:
            rng = generator(seed, "roles", table.name, column.name)
            in_key = column.name in table.key_columns
            columns[f"{table.name}.{column.name}"] = "key" if in_key else rng.choice(column.roles)
    return Roles(columns=columns, rows=rows)
