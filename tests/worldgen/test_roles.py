from __future__ import annotations

from typing import get_args

import pytest
from pydantic import ValidationError

from worldgen.blueprint import Blueprint, Column, Role
from worldgen.facts import Fact, cell, complete_list, row, top
from worldgen.roles import Roles, assign_roles

ROLES = Roles(
    columns={
        "port.name": "key",
        "port.county_id": "locator",
        "port.depth_m": "guarded",
        "call.port_id": "key",
        "call.fare_usd": "locator",
        "twin.port_id": "key",
        "twin.since": "locator",
        "twin.gift_usd": "guarded",
    },
    rows={"call": "guarded", "twin": "locator"},
)
OPEN = (
    cell("port", (1,), "name"),
    cell("port", (1,), "county_id"),
    top("port", 1, "county_id"),
    row("twin", (1, 2)),
    complete_list("twin", "port_id", 1),
    cell("twin", (1, 2), "since"),
)
GUARDED = (
    cell("port", (1,), "depth_m"),
    cell("port", (2,), "depth_m"),
    top("port", 1, "depth_m"),
    row("call", (1, 2)),
    complete_list("call", "port_id", 1),
    cell("twin", (1, 2), "gift_usd"),
)
BY_ROWS = (cell("call", (1, 2), "fare_usd"), cell("call", (1, 2), "port_id"))


@pytest.mark.parametrize("fact", OPEN, ids=str)
def test_open_facts(fact: Fact) -> None:
    assert not ROLES.guarded(fact)


@pytest.mark.parametrize("fact", GUARDED, ids=str)
def test_guarded_facts(fact: Fact) -> None:
    assert ROLES.guarded(fact)


@pytest.mark.parametrize("fact", BY_ROWS, ids=str)
def test_where_rows_are_guarded_all_their_cells_are(fact: Fact) -> None:
    assert ROLES.guarded(fact)
    assert ROLES.guarded_column(fact.table, fact.column)
    assert ROLES.column(fact.table, fact.column) != "guarded"


def test_one_guarded_fact_is_enough() -> None:
    assert not ROLES.any_guarded([])
    assert not ROLES.any_guarded(OPEN)
    assert ROLES.any_guarded([*OPEN, GUARDED[0]])


def test_rows_of_entities_are_open() -> None:
    assert not ROLES.guarded_rows("port")


def test_a_new_world_gets_every_role(blueprint: Blueprint) -> None:
    roles = assign_roles(blueprint, 1)
    expected = {
        f"{table.name}.{column.name}" for table in blueprint.tables for column in table.columns
    }
    expected |= {f"{t.name}.{name}" for t in blueprint.tables for name in t.key_columns}
    expected |= {f"{table.name}.name" for table in blueprint.tables if table.kind == "entity"}
    assert roles.columns.keys() == expected
    assert roles.rows.keys() == {table.name for table in blueprint.links()}


def test_roles_are_drawn_from_those_allowed(blueprint: Blueprint) -> None:
    drawn: dict[str, set[Role]] = {}
    for seed in range(40):
        for name, role in assign_roles(blueprint, seed).columns.items():
            drawn.setdefault(name, set()).add(role)
    for table in blueprint.tables:
        for column in table.columns:
            in_key = column.name in table.key_columns
            allowed = {"key"} if in_key else set(column.roles)
            assert drawn[f"{table.name}.{column.name}"] == allowed, column.name


def test_keys_and_names_are_keys(small: Blueprint) -> None:
    columns = assign_roles(small, 1).columns
    keys = {name for name, role in columns.items() if role == "key"}
    assert keys == {
        *("region.id", "region.name", "workshop.id", "workshop.name", "fair.id", "fair.name"),
        *("stall.workshop_id", "stall.fair_id", "twinning.fair_id", "twinning.region_id"),
        *("output.workshop_id", "output.year"),
    }


def test_roles_of_rows_are_drawn_too(small: Blueprint) -> None:
    stall = small.table("stall").model_copy(update={"row_roles": ("locator", "guarded")})
    tables = tuple(stall if table.name == "stall" else table for table in small.tables)
    either = small.model_copy(update={"tables": tables})
    assert {assign_roles(either, seed).rows["stall"] for seed in range(20)} == {
        "locator",
        "guarded",
    }
    assert {assign_roles(small, seed).rows["stall"] for seed in range(20)} == {"guarded"}


def test_the_same_seed_gives_the_same_roles(blueprint: Blueprint) -> None:
    assert assign_roles(blueprint, 3) == assign_roles(blueprint, 3)


def test_a_column_draws_its_role_alone(small: Blueprint) -> None:
    workshop = small.table("workshop")
    extra = Column.model_validate(
        {
            "name": "tint",
            "kind": "category",
            "label": "tint",
            "roles": get_args(Role)[1:],
            "values": {"model": "choice", "options": {"red": 1}},
        }
    )
    wider = workshop.model_copy(update={"columns": (extra, *workshop.columns)})
    tables = tuple(wider if table.name == "workshop" else table for table in small.tables)
    for seed in range(20):
        roles = dict(assign_roles(small.model_copy(update={"tables": tables}), seed).columns)
        del roles["workshop.tint"]
        assert roles == assign_roles(small, seed).columns


def test_roles_cant_be_changed_or_misspelt() -> None:
    with pytest.raises(ValidationError):
        Roles.model_validate({"columns": {"port.name": "open"}, "rows": {}})
    with pytest.raises(ValidationError):
        Roles.model_validate({"columns": {}, "rows": {}, "tables": {}})
    with pytest.raises(ValidationError):
        setattr(ROLES, "columns", {})  # noqa: B010 - the type checker refuses it as well
