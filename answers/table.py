"""The answer table: what a task's SQL gives, with the rule by which each column is compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from worldgen.facts import Fact, Value

CellKind = Literal["name", "category", "number", "date"]


class AnswerColumn(BaseModel):
    """One column of an answer and the rule by which its cells are compared.

    `name` and `category` cells compare as normalised text (names also by the table's aliases),
    `number` cells as decimals rounded to `decimals` places, `date` cells as calendar days.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """The heading, unit included, as the question states it: `Harbour depth (m)`."""
    kind: CellKind
    key: bool = False
    guarded: bool = False
    decimals: int = 0
    unit: str | None = None


class AnswerTable(BaseModel):
    """The rows that answer a task, in the order that the question asks for.

    Raises:
        ValueError: a row's length differs from the number of columns, or the keys repeat.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    columns: tuple[AnswerColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    lineage: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Per row, per cell: the ids of the facts that the cell was computed from."""
    aliases: dict[str, tuple[str, ...]] = {}
    """Other surface forms of a name in the table: `{"Marrick Ferries": ("Marrick",)}`."""

    @model_validator(mode="after")
    def _is_a_table(self) -> Self:
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(self.columns):
                message = f"row {number} has {len(row)} cells for {len(self.columns)} columns"
                raise ValueError(message)
        keys = list(self.keys())
        if len(set(keys)) != len(keys):
            message = "two rows of the answer have the same key"
            raise ValueError(message)
        return self

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The names of the columns that together name a row."""
        return tuple(column.name for column in self.columns if column.key)

    def keys(self) -> Iterator[tuple[Value, ...]]:
        """The key of each row, in row order."""
        places = [place for place, column in enumerate(self.columns) if column.key]
        return (tuple(row[place] for place in places) for row in self.rows)

    def facts(self) -> frozenset[Fact]:
        """Every fact that some cell was computed from."""
        names = {name for row in self.lineage for cell in row for name in cell}
        return frozenset(map(Fact.parse, names))
