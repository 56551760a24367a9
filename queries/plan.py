"""Plans: what a question asks, before it is SQL or words.

A plan is a walk over the foreign-key graph: a base table whose rows are asked for, sources that
are reached from it, conditions, outputs, an order and a cut. One plan compiles to a value query, to
a lineage query and to a question.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from worldgen.blueprint import Blueprint, Column, Table
from worldgen.facts import Value

Via = Literal["base", "parent", "link", "far", "year", "child"]
Operator = Literal["=", ">", "<"]
Aggregate = Literal["count", "sum", "max", "min"]

BASE = "b"
"""The alias of a plan's base table."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Data):
    """A table of a plan, and how it is reached.

    via     the rows of `table` that belong to a row of `of`
    base    none: the base table itself
    parent  the row that the reference `column` of `of` points to
    link    the link rows with the row of `of` at their home side
    far     the entity at the far side of the link rows `of`
    year    the row for `year`
    child   the rows whose reference `column` points to the row of `of`, to be aggregated
    """

    alias: str
    table: str
    via: Via
    of: str = ""
    column: str = ""
    year: int = 0


class Condition(_Data):
    """A comparison of a column with a constant, or with the same column of another source."""

    alias: str
    column: str
    operator: Operator
    value: Value | None = None
    other: str = ""


class Absence(_Data):
    """No link row leads from a base row to a far row that holds `value` in `column`."""

    link: str
    column: str
    value: Value


class Output(_Data):
    """A column of the answer: a cell of a source, or an aggregate over the children's cells."""

    alias: str
    column: str
    heading: str
    aggregate: Aggregate | None = None


class Order(_Data):
    """The order of the answer by one of its outputs, and how many rows are kept (0: all)."""

    output: int
    descending: bool
    limit: int = 0


class Plan(_Data):
    """What a question asks.

    Attributes:
        base: the table whose rows are asked for.
        sources: the base first, then in an order in which each is reached from earlier ones.
        pairs: whether a row of the answer is a pair of base row and far row.
        outputs: the columns of the answer after its keys.
    """

    family: str
    base: str
    sources: tuple[Source, ...]
    conditions: tuple[Condition, ...] = ()
    absence: Absence | None = None
    pairs: bool = False
    outputs: tuple[Output, ...]
    order: Order | None = None

    def source(self, alias: str) -> Source:
        """The source of that alias."""
        return next(source for source in self.sources if source.alias == alias)

    def via(self, *kinds: Via) -> tuple[Source, ...]:
        """The sources that are reached in one of some ways."""
        return tuple(source for source in self.sources if source.via in kinds)

    @property
    def aggregated(self) -> bool:
        """Whether the answer has one row for each base row, aggregated over its children."""
        return bool(self.via("child"))

    def without(self, condition: Condition) -> Plan:
        """The same plan less one condition."""
        kept = tuple(c for c in self.conditions if c != condition)
        return self.model_copy(update={"conditions": kept})

    def tables(self) -> tuple[str, ...]:
        """The tables that the plan reads, each once, in order."""
        names = [source.table for source in self.sources]
        if self.absence:
            names.append(self.absence.link)
        return tuple(dict.fromkeys(names))


def column_of(blueprint: Blueprint, table: str, column: str) -> Column | None:
    """The column of a table, or None for `id`, `name` and `year`, which no blueprint declares."""
    return next((c for c in blueprint.table(table).columns if c.name == column), None)


def link_of(blueprint: Blueprint, plan: Plan) -> Table | None:
    """The link table that a plan goes through, if any: joined, counted or excluded."""
    names = [s.table for s in plan.via("link", "child")] + (
        [plan.absence.link] if plan.absence else []
    )
    return next((blueprint.table(n) for n in names if blueprint.table(n).kind == "link"), None)
