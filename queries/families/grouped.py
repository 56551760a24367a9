"""For each row in scope, its children counted, summed, or reduced to their extremes."""

from __future__ import annotations

from random import Random

from queries.families.common import (
    FEWEST_ROWS,
    MOST_CANDIDATES,
    MOST_ROWS,
    base_source,
    comparable,
    orderable,
)
from queries.plan import BASE, Aggregate, Condition, Output, Plan, Source
from queries.scene import Compared, Scene, Scope
from queries.wording import extremes
from worldgen.blueprint import Column, Table
from worldgen.facts import RowKey

MOST_CHILDREN = 90
"""More children than this in scope make a question of drudgery."""


def propose(scene: Scene, rng: Random) -> Plan | None:
    """For example: for each line, how many vessels it had built for over $20,000,000."""
    able = _able(scene)
    if not able:
        return None
    child, reference = rng.choice(able)
    table = scene.blueprint.table(reference.to or "")
    scope = scene.pick_scope(rng, table, FEWEST_ROWS, MOST_CANDIDATES)
    if scope is None:
        return None
    keys = _children(scene, child, reference, scope)
    columns = [c for c in child.details if scene.is_guarded(child, c) and orderable(c)]
    if not columns or len(keys) > MOST_CHILDREN:
        return None
    condition = (
        _condition(scene, rng, child, keys)
        if child.kind == "entity" and rng.random() < 0.5
        else None
    )
    stated = [_aggregate(rng, column) for column in rng.sample(columns, min(2, len(columns)))]
    if child.kind == "link" or condition:
        heading = f"Number of {child.plural}"
        stated = [Output(alias="child", column="", heading=heading, aggregate="count"), *stated[:2]]
    return Plan(
        family="grouped",
        base=table.name,
        sources=(
            base_source(table),
            *scope.sources,
            Source(alias="child", table=child.name, via="child", of=BASE, column=reference.name),
        ),
        conditions=(*scope.conditions, *([condition] if condition else [])),
        outputs=tuple(stated),
    )


def _able(scene: Scene) -> list[tuple[Table, Column]]:
    """Children that a table has by an open reference, or as link rows listed on its pages."""
    entity = [(t, ref) for t in scene.entity_tables() for ref, _ in scene.open_parents(t)]
    found = [*entity, *((link, link.home_side) for link in scene.blueprint.links())]
    return [
        (t, ref)
        for t, ref in found
        if FEWEST_ROWS <= len(scene.world.ids(ref.to or "")) <= MOST_ROWS or ref == t.home_side
    ]


def _children(scene: Scene, child: Table, reference: Column, scope: Scope) -> list[RowKey]:
    ids = set(scope.ids)
    return [
        key for key, row in scene.world.tables[child.name].items() if row[reference.name] in ids
    ]


def _condition(scene: Scene, rng: Random, child: Table, keys: list[RowKey]) -> Condition | None:
    columns = scene.guarded(child, comparable)
    column = rng.choice(columns)
    values = [scene.value(child.name, key, column.name) for key in keys]
    return scene.threshold(
        rng, Compared("child", column, values), len(keys) // 3, 2 * len(keys) // 3
    )


def _aggregate(rng: Random, column: Column) -> Output:
    label = column.label
    words = extremes(column)
    kinds: list[tuple[Aggregate, str]] = [("max", words[0]), ("min", words[1])]
    if column.adds:
        kinds += [("sum", "total"), ("sum", "total")]
    aggregate, word = rng.choice(kinds)
    heading = f"{word} {label} ({column.unit})" if column.unit else f"{word} {label}"
    heading = heading[:1].upper() + heading[1:]
    return Output(alias="child", column=column.name, heading=heading, aggregate=aggregate)
