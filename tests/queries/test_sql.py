from __future__ import annotations

import sqlite3
from collections.abc import Mapping

import pytest
import sqlglot
import sqlglot.expressions as exp

from queries.candidate import Candidate
from queries.plan import Condition, Plan
from queries.scene import Scene
from queries.sql import split, text, value_query
from queries.task import Task
from worldgen.tables import connect, create_statements, fill

Plans = Mapping[str, Mapping[str, Plan]]


@pytest.fixture(scope="module")
def statements(
    tasks: tuple[tuple[Scene, Task], ...], small: Scene, plans: Plans
) -> list[tuple[Scene, str]]:
    """The value and lineage queries of many tasks and every hand-made plan."""
    found = [(scene, sql) for scene, task in tasks[::3] for sql in (task.sql, task.lineage_sql)]
    for cases in plans.values():
        for plan in cases.values():
            lineage = Candidate(small, plan).lineage
            found += [(small, lineage.value_sql), (small, lineage.lineage_sql)]
    return found


def test_the_sql_runs_in_sqlite_alone(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    """Over the declared tables and rows, with nothing registered on the connection."""
    scene = tasks[0][0]
    connection = sqlite3.connect(":memory:")
    for statement in create_statements(scene.blueprint):
        connection.execute(statement)
    fill(connection, scene.blueprint, scene.world.tables)
    of_scene = [task for found, task in tasks if found is scene]
    assert len(of_scene) > 10
    for task in of_scene:
        cursor = connection.execute(task.sql)
        names = [name for name, *_ in cursor.description]
        assert names == [column.name for column in task.answer.columns]
        assert cursor.fetchall() == list(task.answer.rows)
        assert connection.execute(task.lineage_sql).fetchall()
    connection.close()


def test_the_sql_only_reads(statements: list[tuple[Scene, str]]) -> None:
    for scene, sql in statements:
        assert isinstance(sqlglot.parse_one(sql, read="sqlite"), exp.Select)
        connection = scene.connection
        connection.execute("PRAGMA query_only = ON")
        connection.execute(sql).fetchall()
        connection.execute("PRAGMA query_only = OFF")


def test_the_sql_reads_the_same_after_it_was_parsed(statements: list[tuple[Scene, str]]) -> None:
    for _, sql in statements:
        assert sqlglot.parse_one(sql, read="sqlite").sql(dialect="sqlite") == sql


def test_the_sql_is_postgresql_when_transpiled(statements: list[tuple[Scene, str]]) -> None:
    for _, sql in statements:
        (there,) = sqlglot.transpile(sql, read="sqlite", write="postgres")
        (tree,) = sqlglot.parse(there, read="postgres")
        assert isinstance(tree, exp.Select)
        assert tree.sql(dialect="postgres") == there
        assert not list(tree.find_all(exp.Anonymous))
        again = tree.sql(dialect="sqlite")
        assert names_in(again) == names_in(sql)


def names_in(sql: str) -> list[str]:
    tree = sqlglot.parse_one(sql, read="sqlite")
    return [name.name for name in tree.find_all(exp.Identifier)]


def test_every_name_is_quoted_and_known(statements: list[tuple[Scene, str]]) -> None:
    """Reserved words may be the names of tables and columns."""
    for scene, sql in statements:
        tree = sqlglot.parse_one(sql, read="sqlite")
        for column in tree.find_all(exp.Column):
            assert column.this.quoted
        for table in tree.find_all(exp.Table):
            assert table.this.quoted
            assert scene.blueprint.table(table.name)


def test_a_name_with_an_apostrophe_is_a_constant_like_any_other(small: Scene, plans: Plans) -> None:
    plan = plans["filtered"]["crown workshops of one guild with a kiln of more than 4.0 m"]
    value = 'O\'Dolan "Old" Guild; --'
    guild, *rest = plan.conditions
    odd = plan.model_copy(update={"conditions": (guild.model_copy(update={"value": value}), *rest)})
    sql = text(value_query(odd, small.blueprint))
    connection = connect(small.world)
    assert connection.execute(sql).fetchall() == []
    connection.execute("UPDATE guild SET name = ? WHERE id = 1", [value])
    assert [row[0] for row in connection.execute(sql)] == ["Bexter Works", "Tarnel Works"]
    connection.close()


def test_conditions_split_by_the_role_of_their_column(small: Scene, plans: Plans) -> None:
    plan = plans["filtered"]["workshops of east bank guilds that opened before 1910"]
    east, opened = plan.conditions
    assert split(plan, small.roles) == ((east,), (opened,))
    members = Condition(alias="guild", column="members", operator=">", value=30)
    both = plan.model_copy(update={"conditions": (members, east, opened)})
    assert split(both, small.roles) == ((east,), (members, opened))
    assert split(plan.model_copy(update={"conditions": ()}), small.roles) == ((), ())


def test_rows_are_in_the_order_asked_for_then_by_key(small: Scene, plans: Plans) -> None:
    for cases in plans.values():
        for plan in cases.values():
            rows = Candidate(small, plan).rows
            width = 2 if plan.pairs else 1
            keys = [row[:width] for row in rows]
            if plan.order is None:
                assert keys == sorted(keys)
                continue
            place = width + plan.order.output
            values = [row[place] for row in rows]
            assert values == sorted(values, reverse=plan.order.descending)
            for (key, value), (next_key, next_value) in zip(
                zip(keys, values, strict=True), zip(keys[1:], values[1:], strict=True), strict=False
            ):
                assert value != next_value or key < next_key
