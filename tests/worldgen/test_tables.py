from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from worldgen.blueprint import Blueprint
from worldgen.facts import RowKey
from worldgen.tables import column_names, connect, connect_loose, create_statements
from worldgen.world import Row, World


@pytest.fixture
def connection(small_world: World) -> Iterator[sqlite3.Connection]:
    with closing(connect(small_world)) as connection:
        connection.commit()  # SQLite ignores the pragma within a transaction
        connection.execute("PRAGMA foreign_keys = ON")
        yield connection


def columns(connection: sqlite3.Connection, table: str) -> dict[str, tuple[str, bool, int]]:
    """Per column: its type, whether it must be filled, its place in the key."""
    found = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return {name: (kind, bool(full), key) for _, name, kind, full, _, key in found}


def foreign_keys(connection: sqlite3.Connection, table: str) -> set[tuple[str, str, str]]:
    found = connection.execute(f"PRAGMA foreign_key_list({table})").fetchall()
    return {(column, target, to) for _, _, target, column, to, *_ in found}


def test_an_entity_table_is_declared(connection: sqlite3.Connection) -> None:
    assert columns(connection, "workshop") == {
        "id": ("INTEGER", True, 1),
        "name": ("TEXT", True, 0),
        "region_id": ("INTEGER", True, 0),
        "craft": ("TEXT", True, 0),
        "opened": ("TEXT", True, 0),
        "kilns": ("INTEGER", True, 0),
        "sales_usd": ("INTEGER", True, 0),
        "place": ("INTEGER", True, 0),
        "quota": ("INTEGER", True, 0),
        "heaviest_kg": ("FLOAT", True, 0),
        "owner": ("TEXT", True, 0),
        "sister_region_id": ("INTEGER", True, 0),
    }
    assert foreign_keys(connection, "workshop") == {
        ("region_id", "region", "id"),
        ("sister_region_id", "region", "id"),
    }


def test_a_link_table_is_declared(connection: sqlite3.Connection) -> None:
    assert columns(connection, "stall") == {
        "fair_id": ("INTEGER", True, 1),
        "workshop_id": ("INTEGER", True, 2),
        "since": ("TEXT", True, 0),
        "fee_usd": ("INTEGER", True, 0),
    }
    assert foreign_keys(connection, "stall") == {
        ("fair_id", "fair", "id"),
        ("workshop_id", "workshop", "id"),
    }


def test_a_yearly_table_is_declared(connection: sqlite3.Connection) -> None:
    assert columns(connection, "output") == {
        "workshop_id": ("INTEGER", True, 1),
        "year": ("INTEGER", True, 2),
        "pieces": ("INTEGER", True, 0),
    }
    assert foreign_keys(connection, "output") == {("workshop_id", "workshop", "id")}


def test_names_of_columns_are_in_the_order_of_the_table(blueprint: Blueprint) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in create_statements(blueprint):
            connection.execute(statement)
        for table in blueprint.tables:
            assert tuple(columns(connection, table.name)) == column_names(table)


def test_all_rows_are_there(world: World) -> None:
    with closing(connect(world)) as connection:
        for table in world.blueprint.tables:
            names, rows = column_names(table), world.tables[table.name].values()
            query = f"SELECT * FROM {table.name} ORDER BY rowid"  # noqa: S608 - the blueprint's
            found = connection.execute(query).fetchall()
            expected = [tuple(row[name] for name in names) for row in rows]
            assert found == expected
            assert [list(map(type, row)) for row in found] == [list(map(type, r)) for r in expected]


REFUSED = {
    "INSERT INTO fair VALUES (1, 'Kell Fair', '2001-01-01')": "UNIQUE .* fair.id",
    "INSERT INTO fair SELECT 99, name, begun FROM fair LIMIT 1": "UNIQUE .* fair.name",
    "INSERT INTO fair VALUES (99, NULL, '2001-01-01')": "NOT NULL .* fair.name",
    "INSERT INTO fair VALUES (99, 'Kell Fair', NULL)": "NOT NULL .* fair.begun",
    "INSERT INTO fair VALUES (99, 'Kell Fair', '2001')": "CHECK",
    "INSERT INTO fair VALUES ('one', 'Kell Fair', '2001-01-01')": "datatype mismatch",
    "INSERT INTO stall SELECT * FROM stall LIMIT 1": "UNIQUE",
    "INSERT INTO stall VALUES (99, 1, '2001-01-01', 3)": "FOREIGN KEY",
    "INSERT INTO stall VALUES (NULL, 1, '2001-01-01', 3)": "NOT NULL .* stall.fair_id",
    "INSERT INTO output VALUES (1, 2027, 3)": "UNIQUE",
    "INSERT INTO output VALUES (99, 2027, 3)": "FOREIGN KEY",
    "INSERT INTO output VALUES (1, 2031, -3)": "CHECK",
    "UPDATE workshop SET region_id = 99": "FOREIGN KEY",
    "UPDATE workshop SET region_id = NULL": "NOT NULL .* workshop.region_id",
    "UPDATE workshop SET sales_usd = -1": "CHECK",
    "UPDATE workshop SET heaviest_kg = -0.5": "CHECK",
    "UPDATE workshop SET place = -1": "CHECK",
    "UPDATE workshop SET kilns = -1": "CHECK",
    "UPDATE workshop SET opened = '14 March 2029'": "CHECK",
    "DELETE FROM region WHERE id = 1": "FOREIGN KEY",
}


@pytest.mark.parametrize(("statement", "says"), REFUSED.items(), ids=REFUSED)
def test_rows_that_break_a_declaration_are_refused(
    statement: str, says: str, connection: sqlite3.Connection
) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=says):
        connection.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO fair VALUES (99, 'Kell Fair', '2001-01-01')",
        "INSERT INTO output VALUES (1, 2031, 0)",
        "UPDATE workshop SET heaviest_kg = 0",
        "UPDATE workshop SET region_id = 1",
    ],
)
def test_other_rows_are_taken(statement: str, connection: sqlite3.Connection) -> None:
    assert connection.execute(statement).rowcount > 0


GAPS: dict[str, dict[RowKey, Row]] = {
    "region": {},
    "workshop": {
        (1,): {"id": 1, "kilns": 4},
        (2,): {"id": 2, "name": "Kell", "heaviest_kg": 1.5, "region_id": 77},
        (3,): {"id": 1, "kilns": -4},
    },
    "fair": {(5,): {}},
    "stall": {(1, 1): {"fair_id": 1, "workshop_id": 1}},
    "twinning": {},
    "output": {(1, 2027): {"workshop_id": 1, "year": 2027}},
}


def test_gaps_stay_null_in_a_loose_database(small: Blueprint) -> None:
    with closing(connect_loose(small, GAPS)) as connection:
        query = "SELECT id, name, region_id, kilns, heaviest_kg, owner FROM workshop"
        assert connection.execute(query).fetchall() == [
            (1, None, None, 4, None, None),
            (2, "Kell", 77, None, 1.5, None),
            (1, None, None, -4, None, None),
        ]
        assert connection.execute("SELECT * FROM fair").fetchall() == [(None, None, None)]
        assert connection.execute("SELECT * FROM stall").fetchall() == [(1, 1, None, None)]
        assert connection.execute("SELECT * FROM output").fetchall() == [(1, 2027, None)]
        assert connection.execute("SELECT COUNT(*) FROM region").fetchone() == (0,)


def test_a_loose_database_has_the_same_columns(blueprint: Blueprint) -> None:
    nothing: dict[str, dict[RowKey, Row]] = {table.name: {} for table in blueprint.tables}
    with closing(connect_loose(blueprint, nothing)) as connection:
        for table in blueprint.tables:
            assert tuple(columns(connection, table.name)) == column_names(table)


def test_a_loose_database_holds_a_whole_world_too(small_world: World) -> None:
    with (
        closing(connect(small_world)) as strict,
        closing(connect_loose(small_world.blueprint, small_world.tables)) as loose,
    ):
        for table in small_world.blueprint.tables:
            query = f"SELECT * FROM {table.name}"  # noqa: S608 - a name from the blueprint
            assert strict.execute(query).fetchall() == loose.execute(query).fetchall()
