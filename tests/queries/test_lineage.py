"""Lineage: exactly the facts that an answer rests on, no fewer and no more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product

import pytest

from queries.candidate import Candidate
from queries.lineage import Lineage
from queries.plan import Output, Plan
from queries.scene import Scene
from queries.task import Task
from worldgen.blueprint import Table
from worldgen.facts import Fact, RowKey, Value, cell, complete_list, row
from worldgen.populate import populate
from worldgen.seeds import generator
from worldgen.tables import connect_loose
from worldgen.world import Row, World

Plans = Mapping[str, Mapping[str, Plan]]
CROWN = (1, 3, 4, 5, 7, 9, 10, 12)
"""The workshops of the small world that work in crown glass."""


def cells(table: str, columns: str, keys: Iterable[RowKey]) -> set[Fact]:
    return {cell(table, key, column) for key, column in product(keys, columns.split())}


def ids(*found: int) -> list[RowKey]:
    return [(i,) for i in found]


def years(workshops: Iterable[int], *found: int) -> list[RowKey]:
    return list(product(workshops, found))


def lists(workshops: Iterable[int]) -> set[Fact]:
    return {complete_list("stall", "workshop_id", i) for i in workshops}


SPRING_PAIRS = [(1, 1), (3, 2), (4, 1), (4, 2), (7, 1), (7, 2), (9, 2)]
CROWN_STALLS = [
    *((1, 1), (1, 3), (3, 2), (3, 4), (4, 1), (4, 2), (4, 3), (5, 3), (5, 4), (7, 1), (7, 2)),
    *((9, 2), (9, 3), (10, 4), (12, 3)),
]
NEEDED: dict[tuple[str, str], set[Fact]] = {
    ("filtered", "crown workshops insured for more than $50,000"): (
        cells("workshop", "value_usd", ids(*CROWN))
        | cells("workshop", "opened", ids(1, 4, 5, 7, 9, 12))
    ),
    ("filtered", "workshops with a coal furnace"): (
        cells("workshop", "furnace", ids(*range(1, 13)))
        | cells("workshop", "kiln_m master", ids(1, 3, 5, 6, 9, 12))
    ),
    ("top", "the five crown workshops with the highest insured value"): (
        cells("workshop", "value_usd", ids(*CROWN))
        | cells("workshop", "master", ids(4, 5, 7, 9, 12))
    ),
    ("parent", "crown workshops of guilds with more than 30 members"): (
        cells("guild", "members", ids(1, 2, 3, 4))
        | cells("workshop", "staff opened", ids(1, 3, 4, 9, 10, 12))
    ),
    ("linked", "crown workshops at spring fairs"): (
        lists(CROWN)
        | {row("stall", key) for key in SPRING_PAIRS}
        | cells("stall", "since fee_usd", SPRING_PAIRS)
    ),
    ("linked", "workshops of one guild at autumn fairs, with their masters"): (
        lists((1, 2, 3, 4))
        | {row("stall", key) for key in [(1, 3), (3, 4), (4, 3)]}
        | cells("stall", "width_m", [(1, 3), (3, 4), (4, 3)])
        | cells("workshop", "master", ids(1, 3, 4))
    ),
    ("absent", "crown workshops at no autumn fair"): (
        lists(CROWN) | cells("workshop", "staff furnace", ids(7))
    ),
    ("grouped", "all guilds, kilns summed and latest opening"): (
        cells("workshop", "kiln_m opened", ids(*range(1, 13)))
    ),
    ("grouped", "all guilds, their workshops with a staff of more than 12"): (
        cells("workshop", "staff", ids(*range(1, 13)))
        | cells("workshop", "value_usd", ids(2, 4, 5, 7, 9, 11, 12))
    ),
    ("grouped", "stalls of the crown workshops"): (
        lists(CROWN)
        | {row("stall", key) for key in CROWN_STALLS}
        | cells("stall", "fee_usd since", CROWN_STALLS)
    ),
    ("yearly", "crown workshops with more than 1,500 panes in 2031"): (
        cells("glass_return", "panes", years(CROWN, 2031))
        | cells("glass_return", "waste_kg", years((1, 4, 5, 7, 9, 12), 2031))
    ),
    ("change", "crown workshops that cut fewer panes"): (
        cells("glass_return", "panes", years(CROWN, 2030, 2031))
    ),
}


@pytest.mark.parametrize(("family", "title"), NEEDED)
def test_needed_facts_of_hand_made_plans(
    family: str, title: str, small: Scene, plans: Plans
) -> None:
    needed = Candidate(small, plans[family][title]).needed
    assert len(set(needed)) == len(needed)
    assert set(needed) == NEEDED[family, title]


def test_conditions_are_needed_before_what_is_stated_of_the_rows_that_meet_them(
    small: Scene, plans: Plans
) -> None:
    plan = plans["filtered"]["crown workshops insured for more than $50,000"]
    columns = [fact.column for fact in Candidate(small, plan).needed]
    assert columns == ["value_usd"] * 8 + ["opened"] * 6


def test_open_facts_are_not_needed(small: Scene, plans: Plans) -> None:
    plan = plans["filtered"]["crown workshops insured for more than $50,000"]
    glass = Output(alias="b", column="glass", heading="Kind of glass")
    with_open = plan.model_copy(update={"outputs": (*plan.outputs, glass)})
    assert Candidate(small, with_open).needed == Candidate(small, plan).needed


CELLS: dict[tuple[str, str, int], list[list[Fact]]] = {
    ("filtered", "workshops of east bank guilds that opened before 1910", 0): [
        [cell("workshop", (2,), column)] for column in ("name", "opened", "staff", "fair_id")
    ],
    ("linked", "crown workshops at spring fairs", 1): [
        [cell("workshop", (4,), "name")],
        [cell("fair", (2,), "name")],
        [cell("stall", (4, 2), "since")],
        [cell("stall", (4, 2), "fee_usd")],
    ],
    ("absent", "crown workshops at no autumn fair", 0): [
        [cell("workshop", (7,), column)] for column in ("name", "staff", "furnace")
    ],
    ("grouped", "all guilds, kilns summed and latest opening", 1): [
        [cell("guild", (2,), "name")],
        [cell("workshop", (i,), "kiln_m") for i in (5, 6, 7)],
        [cell("workshop", (i,), "opened") for i in (5, 6, 7)],
    ],
    ("grouped", "all guilds, their workshops with a staff of more than 12", 0): [
        [cell("guild", (1,), "name")],
        [cell("workshop", (i,), "staff") for i in (2, 4)],
        [cell("workshop", (i,), "value_usd") for i in (2, 4)],
    ],
    ("grouped", "stalls of the crown workshops", 7): [
        [cell("workshop", (1,), "name")],
        [complete_list("stall", "workshop_id", 1)],
        [cell("stall", (1, i), "fee_usd") for i in (1, 3)],
        [cell("stall", (1, i), "since") for i in (1, 3)],
    ],
    ("change", "workshops with more waste", 5): [
        [cell("workshop", (3,), "name")],
        [cell("glass_return", (3, 2030), "waste_kg")],
        [cell("glass_return", (3, 2031), "waste_kg")],
    ],
}


@pytest.mark.parametrize(("family", "title", "number"), CELLS)
def test_facts_of_an_answer_row(
    family: str, title: str, number: int, small: Scene, plans: Plans
) -> None:
    candidate = Candidate(small, plans[family][title])
    found = candidate.lineage.cells(small.connection)
    assert len(found) == len(candidate.rows)
    assert [sorted(facts) for facts in found[number]] == CELLS[family, title, number]


def test_footings_come_in_the_order_of_their_keys(small: Scene, plans: Plans) -> None:
    for plan in plans["grouped"].values():
        lineage = Lineage(plan, small.blueprint, small.roles)
        keys = [(f.keys["b"], f.keys["child"] or ()) for f in lineage.footings(small.connection)]
        assert keys == sorted(keys)


def test_every_cell_of_an_answer_rests_on_facts_of_its_own_role(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    for scene, task in tasks:
        assert len(task.answer.lineage) == len(task.answer.rows)
        for facts in task.answer.lineage:
            for column, names in zip(task.answer.columns, facts, strict=True):
                assert names, task.question
                guarded = {scene.roles.guarded(Fact.parse(name)) for name in names}
                assert guarded == {column.guarded}, (task.question, column.name)
                assert not column.guarded or set(names) <= set(task.needed), task.question


def test_needed_facts_are_guarded(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for scene, task in tasks:
        assert all(scene.roles.guarded(Fact.parse(name)) for name in task.needed)


def test_conditions_are_known_before_any_guarded_cell_is(
    small: Scene, plans: Plans, tasks: tuple[tuple[Scene, Task], ...]
) -> None:
    made = [(small, plan) for of_family in plans.values() for plan in of_family.values()]
    for scene, plan in [*made, *((scene, task.plan) for scene, task in tasks[::9])]:
        lineage = Lineage(plan, scene.blueprint, scene.roles)
        bare = {
            table.name: {
                key: {
                    name: value
                    for name, value in line.items()
                    if name in (*table.key_columns, "name")
                    or scene.roles.columns[f"{table.name}.{name}"] != "guarded"
                }
                for key, line in scene.world.tables[table.name].items()
            }
            for table in scene.blueprint.tables
        }
        connection = connect_loose(scene.blueprint, bare)
        found = [f for footing in lineage.footings(connection) for f in lineage.conditions(footing)]
        full = [
            fact
            for footing in lineage.footings(scene.connection)
            for fact in lineage.conditions(footing)
        ]
        connection.close()
        assert set(found) == set(full), plan


def guarded_cells(scene: Scene) -> list[Fact]:
    return [
        cell(table.name, key, column.name)
        for table in scene.blueprint.tables
        for column in scene.guarded(table)
        for key in scene.world.tables[table.name]
    ]


def where(table: Table, key: RowKey) -> tuple[str, dict[str, Value]]:
    parts = {f"key_{name}": value for name, value in zip(table.key_columns, key, strict=True)}
    return " AND ".join(f'"{name}" = :key_{name}' for name in table.key_columns), dict(parts)


@contextmanager
def changed(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A database that is as it was when the block ends."""
    connection.execute("SAVEPOINT before")
    yield connection
    connection.execute("ROLLBACK TO before")
    connection.execute("RELEASE before")


def set_cell(scene: Scene, connection: sqlite3.Connection, fact: Fact, value: Value) -> None:
    condition, parts = where(scene.blueprint.table(fact.table), fact.key)
    connection.execute(
        f'UPDATE "{fact.table}" SET "{fact.column}" = :value WHERE {condition}',  # noqa: S608 - names from the blueprint
        {"value": value, **parts},
    )


def alternatives(world: World, fact: Fact) -> list[Value]:
    """Other values for a cell: one below, one above, and one for each that its column holds."""
    column = world.blueprint.table(fact.table).column(fact.column)
    held = {line[fact.column] for line in world.tables[fact.table].values()}
    beyond: list[Value] = [0, 10**9] if column.numeric else []
    if column.kind == "date":
        beyond = ["1000-01-01", "2999-12-31"]
    now = world.tables[fact.table][fact.key][fact.column]
    return [value for value in (*beyond, *sorted(held)) if value != now]


def test_no_guarded_cell_that_is_not_needed_changes_the_answer(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    for scene, task in tasks:
        needed = set(map(Fact.parse, task.needed))
        others = [fact for fact in guarded_cells(scene) if fact not in needed]
        rng = generator(1, "not needed", task.task_id)
        for fact in rng.sample(others, 5):
            with changed(scene.connection) as connection:
                connection.execute("PRAGMA defer_foreign_keys = ON")
                set_cell(scene, connection, fact, rng.choice(alternatives(scene.world, fact)))
                assert connection.execute(task.sql).fetchall() == list(task.answer.rows), (
                    task.question,
                    fact,
                )


def redrawn(scene: Scene, twin: World, needed: set[Fact]) -> dict[str, dict[RowKey, Row]]:
    """The twin's tables, with all that is needed as in the scene's world."""
    found: dict[str, dict[RowKey, Row]] = {}
    for table in scene.blueprint.tables:
        ours, theirs = scene.world.tables[table.name], twin.tables[table.name]
        rows = dict(theirs)
        if table.kind == "link":
            side = table.home_side.name
            known = {
                fact.key[0] for fact in needed if fact.kind == "list" and fact.table == table.name
            }
            rows = {key: line for key, line in theirs.items() if line[side] not in known}
            spare = list(theirs.values())
            for number, (key, line) in enumerate(ours.items()):
                if line[side] in known:
                    rows[key] = {**spare[number % len(spare)], **keys_of(table, line)}
        found[table.name] = {
            key: {
                name: ours[key][name] if cell(table.name, key, name) in needed else value
                for name, value in rows[key].items()
            }
            for key in sorted(rows)
        }
    return found


def keys_of(table: Table, line: Row) -> Row:
    return {name: line[name] for name in table.key_columns}


def test_the_answer_stays_when_all_that_is_not_needed_is_redrawn(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    twins: dict[str, World] = {}
    moved = 0
    for scene, task in tasks[::2]:
        world = scene.world
        if world.id not in twins:
            twins[world.id] = populate(world.blueprint, world.seed, world.id, redraw=1)
        tables = redrawn(scene, twins[world.id], set(map(Fact.parse, task.needed)))
        moved += any(tables[name] != world.tables[name] for name in task.plan.tables())
        connection = connect_loose(scene.blueprint, tables)
        assert connection.execute(task.sql).fetchall() == list(task.answer.rows), task.question
        connection.close()
    assert moved > len(tasks) / 4


def changes_the_answer(scene: Scene, task: Task, fact: Fact) -> bool:
    """Whether some other state of a fact gives another answer."""
    table = scene.blueprint.table(fact.table)
    return any(
        differs(scene, task, statements)
        for statements in (
            others_of_cell(scene, fact)
            if fact.kind == "cell"
            else others_of_rows(scene, table, fact)
        )
    )


Statements = list[tuple[str, dict[str, Value]]]


def differs(scene: Scene, task: Task, statements: Statements) -> bool:
    with changed(scene.connection) as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        for statement, parts in statements:
            connection.execute(statement, parts)
        return connection.execute(task.sql).fetchall() != list(task.answer.rows)


def others_of_cell(scene: Scene, fact: Fact) -> Iterator[Statements]:
    condition, parts = where(scene.blueprint.table(fact.table), fact.key)
    update = f'UPDATE "{fact.table}" SET "{fact.column}" = :value WHERE {condition}'  # noqa: S608 - names from the blueprint
    for value in alternatives(scene.world, fact):
        yield [(update, {"value": value, **parts})]


def others_of_rows(scene: Scene, table: Table, fact: Fact) -> Iterator[Statements]:
    """Without the row; for a list, without all of its rows and with all that it could have."""
    if fact.kind == "row":
        condition, parts = where(table, fact.key)
        yield [(f'DELETE FROM "{table.name}" WHERE {condition}', parts)]  # noqa: S608 - names from the blueprint
        return
    home, far = table.home_side, table.far_side
    empty = f'DELETE FROM "{table.name}" WHERE "{home.name}" = :home'  # noqa: S608 - names from the blueprint
    yield [(empty, {"home": fact.key[0]})]
    some = dict(next(iter(scene.world.tables[table.name].values())))
    names = ", ".join(f'"{name}"' for name in some)
    marks = ", ".join(f":{name}" for name in some)
    insert = f'INSERT OR IGNORE INTO "{table.name}" ({names}) VALUES ({marks})'  # noqa: S608 - names from the blueprint
    yield [
        (insert, {**some, home.name: fact.key[0], far.name: i})
        for i in scene.world.ids(far.to or "")
    ]


def test_every_needed_fact_can_change_the_answer(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    kinds = set()
    for scene, task in tasks:
        rng = generator(2, "needed", task.task_id)
        for name in rng.sample(task.needed, 5):
            fact = Fact.parse(name)
            kinds.add((task.family, fact.kind))
            assert changes_the_answer(scene, task, fact), (task.question, name)
    assert {("linked", "list"), ("linked", "row"), ("absent", "list"), ("top", "cell")} <= kinds
