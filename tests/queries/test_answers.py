"""The value SQL against the same questions answered in plain Python over `world.tables`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest

from queries.candidate import Candidate
from queries.families import FAMILIES
from queries.plan import Condition, Output, Plan
from queries.scene import Scene
from queries.task import Task
from worldgen.facts import RowKey, Value
from worldgen.world import Row, World

AnswerRow = tuple[Value, ...]
Answer = list[AnswerRow]


def compare(sign: str, left: Value, right: Value) -> bool:
    if isinstance(left, str) or isinstance(right, str):
        left, right = str(left), str(right)
        return {"=": left == right, ">": left > right, "<": left < right}[sign]
    return {"=": left == right, ">": left > right, "<": left < right}[sign]


def shown(world: World, table: str, row: Row, column: str) -> Value:
    """A cell as an answer shows it: a reference by the name of what it points to."""
    declared = {c.name: c for c in world.blueprint.table(table).columns}
    to = declared[column].to if column in declared else None
    return world.name_of(to, int(row[column])) if to else row[column]


def meets(world: World, table: str, row: Row, conditions: Sequence[Condition]) -> bool:
    """Whether a row meets conditions with a constant."""
    for condition in conditions:
        assert condition.value is not None
        cell = shown(world, table, row, condition.column)
        if not compare(condition.operator, cell, condition.value):
            return False
    return True


def conditions_on(plan: Plan, alias: str) -> list[Condition]:
    return [condition for condition in plan.conditions if condition.alias == alias]


def in_scope(world: World, plan: Plan) -> Iterator[tuple[int, Row]]:
    """The base rows that meet what is said of themselves and of what they belong to."""
    for (base_id,), row in world.tables[plan.base].items():
        holds = meets(world, plan.base, row, conditions_on(plan, "b"))
        for source in plan.via("parent"):
            parent = world.tables[source.table][(int(row[source.column]),)]
            holds = holds and meets(world, source.table, parent, conditions_on(plan, source.alias))
        if holds:
            yield base_id, row


def cells(world: World, plan: Plan, rows: Mapping[str, Row]) -> AnswerRow:
    """The outputs of one answer row, from the row that each alias stands for."""
    return tuple(
        shown(world, plan.source(o.alias).table, rows[o.alias], o.column) for o in plan.outputs
    )


def rows_in_scope(world: World, plan: Plan) -> Answer:
    found = [
        (str(row["name"]), *cells(world, plan, {"b": row})) for _, row in in_scope(world, plan)
    ]
    return sorted(found, key=lambda line: str(line[0]))


def the_highest_or_lowest(world: World, plan: Plan) -> Answer:
    assert plan.order
    place = 1 + plan.order.output
    by_value = sorted(
        rows_in_scope(world, plan), key=lambda line: line[place], reverse=plan.order.descending
    )
    return by_value[: plan.order.limit]


def pairs(world: World, plan: Plan) -> Answer:
    link, far = plan.source("link"), plan.source("far")
    table = world.blueprint.table(link.table)
    found: Answer = []
    for base_id, base in in_scope(world, plan):
        for row in world.tables[link.table].values():
            other = world.tables[far.table][(int(row[table.far_side.name]),)]
            if row[table.home_side.name] == base_id and meets(
                world, far.table, other, conditions_on(plan, "far")
            ):
                names = (str(base["name"]), str(other["name"]))
                found.append((*names, *cells(world, plan, {"b": base, "link": row, "far": other})))
    return sorted(found, key=lambda line: (str(line[0]), str(line[1])))


def the_unlinked(world: World, plan: Plan) -> Answer:
    assert plan.absence
    link = world.blueprint.table(plan.absence.link)
    far = str(link.far_side.to)
    linked = set()
    for row in world.tables[link.name].values():
        other = world.tables[far][(int(row[link.far_side.name]),)]
        if shown(world, far, other, plan.absence.column) == plan.absence.value:
            linked.add(row[link.home_side.name])
    names = {row["name"] for base_id, row in in_scope(world, plan) if base_id not in linked}
    return [line for line in rows_in_scope(world, plan) if line[0] in names]


def aggregate(output: Output, decimals: int, children: Sequence[Row]) -> Value:
    if output.aggregate == "count":
        return len(children)
    found = [row[output.column] for row in children]
    if output.aggregate == "sum":
        total = sum(float(value) for value in found)
        return round(total, decimals) if decimals else int(total)
    assert output.aggregate in ("max", "min")
    ordered = sorted(found)
    return ordered[-1] if output.aggregate == "max" else ordered[0]


def per_group(world: World, plan: Plan) -> Answer:
    child = plan.source("child")
    decimals = {c.name: c.decimals for c in world.blueprint.table(child.table).columns}
    found: Answer = []
    for base_id, base in in_scope(world, plan):
        children = [
            row
            for row in world.tables[child.table].values()
            if row[child.column] == base_id
            and meets(world, child.table, row, conditions_on(plan, "child"))
        ]
        if children:
            values = [aggregate(o, decimals.get(o.column, 0), children) for o in plan.outputs]
            found.append((str(base["name"]), *values))
    return sorted(found, key=lambda line: str(line[0]))


def by_year(world: World, plan: Plan) -> Answer:
    found: Answer = []
    for base_id, base in in_scope(world, plan):
        rows: dict[str, Row] = {"b": base}
        for source in plan.via("year"):
            key: RowKey = (base_id, source.year)
            rows[source.alias] = world.tables[source.table][key]
        if all(year_holds(rows, condition) for condition in plan.conditions):
            found.append((str(base["name"]), *cells(world, plan, rows)))
    return sorted(found, key=lambda line: str(line[0]))


def year_holds(rows: Mapping[str, Row], condition: Condition) -> bool:
    """Whether a condition on a yearly row holds; those on other rows have been seen to."""
    if condition.alias not in rows or condition.alias == "b":
        return True
    right = rows[condition.other][condition.column] if condition.other else condition.value
    assert right is not None
    return compare(condition.operator, rows[condition.alias][condition.column], right)


ANSWERS: dict[str, Callable[[World, Plan], Answer]] = {
    "filtered": rows_in_scope,
    "top": the_highest_or_lowest,
    "parent": rows_in_scope,
    "linked": pairs,
    "absent": the_unlinked,
    "grouped": per_group,
    "yearly": by_year,
    "change": by_year,
}


def test_every_family_is_answered_here(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    assert set(ANSWERS) == set(FAMILIES)
    assert len({scene.world.id for scene, _ in tasks}) >= 6


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_of_accepted_tasks(family: str, tasks: tuple[tuple[Scene, Task], ...]) -> None:
    of_family = [(scene, task) for scene, task in tasks if task.family == family]
    assert of_family
    for scene, task in of_family:
        expected = ANSWERS[family](scene.world, task.plan)
        assert list(task.answer.rows) == expected, task.question
        assert scene.connection.execute(task.sql).fetchall() == expected, task.question


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_of_hand_made_plans(
    family: str, small: Scene, plans: Mapping[str, Mapping[str, Plan]]
) -> None:
    for title, plan in plans[family].items():
        assert Candidate(small, plan).rows == ANSWERS[family](small.world, plan), title
