"""Rows in scope by their yearly returns: past a threshold in a year, or changed between two."""

from __future__ import annotations

from random import Random

from queries.families.common import (
    FEWEST_ROWS,
    MOST_CANDIDATES,
    MOST_ROWS,
    base_source,
    countable,
    orderable,
    outputs,
)
from queries.plan import BASE, Condition, Operator, Output, Plan, Source
from queries.scene import Compared, Scene, Scope
from worldgen.blueprint import Column, Table


def propose_year(scene: Scene, rng: Random) -> Plan | None:
    """For example: the ports of a county with more than 50,000 passengers in 2030."""
    picked = _pick(scene, rng)
    if picked is None:
        return None
    yearly, table, scope = picked
    year = rng.randint(*yearly.years)
    columns = scene.guarded(yearly, orderable)
    if not columns:
        return None
    column = rng.choice(columns)
    values = [scene.value(yearly.name, (i, year), column.name) for i in scope.ids]
    condition = scene.threshold(rng, Compared("year", column, values), FEWEST_ROWS, MOST_ROWS)
    if condition is None:
        return None
    others = [c for c in scene.guarded(yearly) if c != column]
    stated = [_in_year(c, "year", year) for c in (column, *rng.sample(others, min(1, len(others))))]
    stated += outputs(rng, BASE, scene.guarded(table), rng.choice((0, 1)))
    return Plan(
        family="yearly",
        base=table.name,
        sources=(base_source(table), *scope.sources, _source(yearly, "year", year)),
        conditions=(*scope.conditions, condition),
        outputs=tuple(stated),
    )


def propose_change(scene: Scene, rng: Random) -> Plan | None:
    """For example: the ports whose number of passengers fell from 2029 to 2030."""
    picked = _pick(scene, rng)
    if picked is None or picked[0].years[0] == picked[0].years[1]:
        return None
    yearly, table, scope = picked
    first, last = sorted(rng.sample(range(yearly.years[0], yearly.years[1] + 1), 2))
    columns = scene.guarded(yearly, countable)
    if not columns:
        return None
    column = rng.choice(columns)
    pairs = [
        [scene.value(yearly.name, (i, year), column.name) for year in (first, last)]
        for i in scope.ids
    ]
    grown = sum(float(after) > float(before) for before, after in pairs)
    shrunk = sum(float(after) < float(before) for before, after in pairs)
    most = min(MOST_ROWS, len(pairs) - 1)
    signs: list[tuple[Operator, int]] = [(">", grown), ("<", shrunk)]
    able = [operator for operator, count in signs if FEWEST_ROWS <= count <= most]
    if not able:
        return None
    return Plan(
        family="change",
        base=table.name,
        sources=(
            base_source(table),
            *scope.sources,
            _source(yearly, "before", first),
            _source(yearly, "after", last),
        ),
        conditions=(
            *scope.conditions,
            Condition(alias="after", column=column.name, operator=rng.choice(able), other="before"),
        ),
        outputs=(_in_year(column, "before", first), _in_year(column, "after", last)),
    )


def _pick(scene: Scene, rng: Random) -> tuple[Table, Table, Scope] | None:
    tables = [t for t in scene.blueprint.tables if t.kind == "yearly"]
    if not tables:
        return None
    yearly = rng.choice(tables)
    table = scene.blueprint.table(yearly.refs[0].to or "")
    scope = scene.pick_scope(rng, table, FEWEST_ROWS + 2, MOST_CANDIDATES)
    return (yearly, table, scope) if scope else None


def _source(yearly: Table, alias: str, year: int) -> Source:
    return Source(alias=alias, table=yearly.name, via="year", of=BASE, year=year)


def _in_year(column: Column, alias: str, year: int) -> Output:
    label = column.label[:1].upper() + column.label[1:]
    unit = f" ({column.unit})" if column.unit else ""
    return Output(alias=alias, column=column.name, heading=f"{label} in {year}{unit}")
