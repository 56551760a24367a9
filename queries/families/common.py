"""What several plan families draw alike."""

from __future__ import annotations

from random import Random

from queries.plan import BASE, Output, Source
from queries.scene import FEWEST_ROWS, MOST_ROWS, Scene
from worldgen.blueprint import Column, Table

MOST_CANDIDATES = 45
"""More rows in scope than this make a question of drudgery."""


def base_source(table: Table) -> Source:
    """The source of a plan's base table."""
    return Source(alias=BASE, table=table.name, via="base")


def outputs(
    rng: Random, alias: str, columns: list[Column], count: int, first: Column | None = None
) -> list[Output]:
    """Some columns as outputs, `first` (if any) before the others, the others in table order."""
    others = [column for column in columns if column != first]
    chosen = rng.sample(others, min(len(others), count - (first is not None)))
    ordered = [column for column in others if column in chosen]
    return [
        Output(alias=alias, column=c.name, heading=c.heading)
        for c in ([first] if first else []) + ordered
    ]


def countable(column: Column) -> bool:
    """Whether more and less of it mean something: amounts, measures and counts, no ranks."""
    return column.numeric and column.kind != "rank"


def comparable(column: Column) -> bool:
    """Whether a condition on the column reads well: numbers, dates, categories."""
    return countable(column) or column.kind in ("date", "category")


def orderable(column: Column) -> bool:
    """Whether rows can be ordered by the column."""
    return countable(column) or column.kind == "date"


def pick_table(scene: Scene, rng: Random, fewest_columns: int = 2) -> Table | None:
    """An entity table with enough rows and guarded columns to ask about."""
    able = [t for t in scene.entity_tables() if len(scene.guarded(t)) >= fewest_columns]
    return rng.choice(able) if able else None


__all__ = [
    "FEWEST_ROWS",
    "MOST_CANDIDATES",
    "MOST_ROWS",
    "base_source",
    "comparable",
    "countable",
    "orderable",
    "outputs",
    "pick_table",
]
