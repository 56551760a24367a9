from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from worldgen.blueprint import Blueprint, Rule
from worldgen.errors import GenerationError, RuleBrokenError
from worldgen.library import domain
from worldgen.populate import populate
from worldgen.rules import FEWEST_ROWS, MOST_ROWS, check_rules
from worldgen.tables import connect
from worldgen.world import World


@pytest.fixture(scope="module")
def ferries() -> World:
    return populate(domain("island-ferries"), 1, "x")


@pytest.fixture
def connection(ferries: World) -> Iterator[sqlite3.Connection]:
    with closing(connect(ferries)) as connection:
        yield connection


def test_a_world_obeys(ferries: World, connection: sqlite3.Connection) -> None:
    check_rules(ferries, connection)


def test_a_broken_rule_is_named_with_its_rows(
    ferries: World, connection: sqlite3.Connection
) -> None:
    connection.execute("UPDATE port SET opened = '1600-01-01'")
    with pytest.raises(RuleBrokenError) as caught:
        check_rules(ferries, connection)
    assert caught.value.rule == "a port opens after its county is chartered"
    assert (caught.value.blueprint, caught.value.seed) == ("island-ferries", 1)
    names = [(name,) for table, _, name in ferries.entities() if table == "port"]
    assert len(caught.value.rows) == 3
    assert set(caught.value.rows) <= set(names)


def test_one_row_is_enough(ferries: World, connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE port SET opened = '1600-01-01' WHERE id = 7")
    with pytest.raises(RuleBrokenError) as caught:
        check_rules(ferries, connection)
    assert caught.value.rows == [(ferries.name_of("port", 7),)]


def test_references_must_point_to_rows(ferries: World, connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("UPDATE vessel SET home_port_id = 999 WHERE id = 3")
    with pytest.raises(RuleBrokenError) as caught:
        check_rules(ferries, connection)
    assert caught.value.rule == "references point to rows that exist"
    assert [row[:3] for row in caught.value.rows] == [("vessel", 3, "port")]


def test_a_world_of_another_size_is_refused(small_world: World) -> None:
    assert small_world.row_count < FEWEST_ROWS
    with closing(connect(small_world)) as connection, pytest.raises(GenerationError) as caught:
        check_rules(small_world, connection)
    assert caught.value.problem == f"{small_world.row_count} rows; a world has 300 to 500"
    assert not isinstance(caught.value, RuleBrokenError)


@pytest.mark.parametrize(
    ("rows", "fits"),
    [
        (FEWEST_ROWS - 1, False),
        (FEWEST_ROWS, True),
        (MOST_ROWS, True),
        (MOST_ROWS + 1, False),
    ],
)
def test_the_bounds_are_included(
    rows: int,
    fits: bool,
    ferries: World,
    connection: sqlite3.Connection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(World, "row_count", rows)
    if fits:
        check_rules(ferries, connection)
    else:
        with pytest.raises(GenerationError, match=f"{rows} rows"):
            check_rules(ferries, connection)


def extremes(blueprint: Blueprint) -> Iterator[str]:
    """Updates that set a whole column to something extreme."""
    for table in blueprint.tables:
        for column in table.details:
            target = f"UPDATE {table.name} SET {column.name} = "  # noqa: S608 - names from the blueprint
            if column.kind == "date":
                yield f"{target} '1000-01-01'"
                yield f"{target} '2999-12-31'"
            if column.numeric:
                yield f"{target} 0"
                yield f"{target} {column.name} * 1000"
                yield f"{target} {column.name} * ({table.key_columns[-1]} % 2 + 1) * 9"


def breaks(connection: sqlite3.Connection, statement: str, rule: Rule) -> bool:
    connection.execute("SAVEPOINT before")
    connection.execute(statement)
    broken = connection.execute(rule.broken).fetchone() is not None
    connection.execute("ROLLBACK TO before")
    return broken


def test_every_rule_of_the_library_can_be_broken(listed: Blueprint) -> None:
    """A rule that no rows break says nothing."""
    statements = list(extremes(listed))
    with closing(connect(populate(listed, 1, "x"))) as connection:
        for rule in listed.rules:
            assert connection.execute(rule.broken).fetchall() == []
            assert any(breaks(connection, statement, rule) for statement in statements), rule.says
