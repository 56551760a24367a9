"""A world's tables as SQL, declared once through SQLAlchemy for any of its databases."""

from __future__ import annotations

import sqlite3
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from worldgen.blueprint import Blueprint, Column, Table
from worldgen.world import Tables, World


@lru_cache(maxsize=16)
def metadata(blueprint_json: str) -> sa.MetaData:
    """The tables of a blueprint (given as JSON), with keys, foreign keys, types and checks."""
    blueprint = Blueprint.model_validate_json(blueprint_json)
    found = sa.MetaData()
    for table in blueprint.tables:
        _declare(found, table)
    return found


def _declare(found: sa.MetaData, table: Table) -> sa.Table:
    columns: list[sa.Column[object] | sa.CheckConstraint] = []
    if table.kind == "entity":
        columns.append(sa.Column("id", sa.Integer, primary_key=True, autoincrement=False))
        columns.append(sa.Column("name", sa.Text, nullable=False, unique=True))
    columns += [_column(table, column) for column in table.columns]
    if table.kind == "yearly":
        place = len(table.refs)
        columns.insert(place, sa.Column("year", sa.Integer, primary_key=True, autoincrement=False))
    columns += [
        _check(column) for column in table.columns if column.numeric or column.kind == "date"
    ]
    return sa.Table(table.name, found, *columns)


def _column(table: Table, column: Column) -> sa.Column[object]:
    kind: sa.types.TypeEngine[Any] = sa.Text()
    if column.numeric:
        kind = sa.Float() if column.decimals else sa.Integer()
    in_key = column.name in table.key_columns
    if column.kind == "ref":
        target = sa.ForeignKey(f"{column.to}.id")
        return sa.Column(
            column.name, sa.Integer, target, primary_key=in_key, nullable=False, autoincrement=False
        )
    return sa.Column(column.name, kind, primary_key=in_key, nullable=False)


def _check(column: Column) -> sa.CheckConstraint:
    there: sa.ColumnClause[Any] = sa.column(column.name)
    return sa.CheckConstraint(there >= 0 if column.numeric else sa.func.length(there) == 10)


def create_statements(blueprint: Blueprint) -> list[str]:
    """The `CREATE TABLE` statements for SQLite, in the order of the blueprint."""
    declared = metadata(blueprint.model_dump_json()).tables
    dialect = sqlite.dialect()
    return [
        str(CreateTable(declared[table.name]).compile(dialect=dialect))
        for table in blueprint.tables
    ]


def fill(connection: sqlite3.Connection, blueprint: Blueprint, tables: Tables) -> None:
    """Insert rows into tables that exist; a column that a row lacks stays NULL."""
    for table in blueprint.tables:
        names = column_names(table)
        into = ", ".join(f'"{name}"' for name in names)
        marks = ", ".join("?" * len(names))
        rows = [[row.get(name) for name in names] for row in tables[table.name].values()]
        connection.executemany(f'INSERT INTO "{table.name}" ({into}) VALUES ({marks})', rows)  # noqa: S608 - names from the blueprint


def column_names(table: Table) -> tuple[str, ...]:
    """The names of a table's columns, in the order in which they are declared."""
    names = tuple(column.name for column in table.columns)
    if table.kind == "entity":
        return ("id", "name", *names)
    place = len(table.refs)
    return (*names[:place], "year", *names[place:]) if table.kind == "yearly" else names


def connect(world: World) -> sqlite3.Connection:
    """A database in memory that holds the world's tables, declared and filled."""
    connection = sqlite3.connect(":memory:")
    for statement in create_statements(world.blueprint):
        connection.execute(statement)
    fill(connection, world.blueprint, world.tables)
    connection.commit()
    return connection


def connect_loose(blueprint: Blueprint, tables: Tables) -> sqlite3.Connection:
    """A database in memory with the same tables and no constraints, for rows known in part."""
    connection = sqlite3.connect(":memory:")
    for table in blueprint.tables:
        columns = ", ".join(f'"{name}"' for name in column_names(table))
        connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
    fill(connection, blueprint, tables)
    connection.commit()
    return connection
