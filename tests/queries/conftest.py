"""Scenes to ask about: a small one made by hand, and worlds of every blueprint in the library."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import ceil
from pathlib import Path

import pytest

from queries.plan import Plan, column_of
from queries.propose import Rejection, propose_tasks
from queries.scene import Scene
from queries.task import Task
from worldgen.blueprint import Blueprint, Table
from worldgen.facts import RowKey, Value
from worldgen.library import domain, domains, read_blueprint
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.roles import assign_roles
from worldgen.tables import column_names, connect
from worldgen.world import Row, World

FIXTURES = Path(__file__).with_name("fixtures")
WORLDS = 10
ROUNDS = 5

Asked = tuple[Scene, tuple[Task | Rejection, ...]]


def read_value(table: Table, blueprint: Blueprint, name: str, text: str) -> Value:
    column = column_of(blueprint, table.name, name)
    if name in ("id", "year") or (column and column.kind == "ref"):
        return int(text)
    if column and column.numeric:
        return float(text) if column.decimals else int(text)
    return text


def read_rows(blueprint: Blueprint, text: str) -> dict[str, dict[RowKey, Row]]:
    tables: dict[str, dict[RowKey, Row]] = {}
    for block in text.split("\n[")[1:]:
        head, *lines = [line for line in block.splitlines() if line]
        table = blueprint.table(head.removesuffix("]"))
        names = column_names(table)
        rows = tables.setdefault(table.name, {})
        for line in lines:
            cells = [cell.strip() for cell in line.split("|")]
            row = {
                name: read_value(table, blueprint, name, cell)
                for name, cell in zip(names, cells, strict=True)
            }
            rows[tuple(int(row[name]) for name in table.key_columns)] = row
    return tables


@pytest.fixture(scope="session")
def small() -> Iterator[Scene]:
    """The world of `fixtures/small.toml` and `fixtures/small_rows.txt`, published."""
    blueprint = read_blueprint((FIXTURES / "small.toml").read_text(encoding="utf-8"), "small.toml")
    tables = read_rows(blueprint, (FIXTURES / "small_rows.txt").read_text(encoding="utf-8"))
    world = World(
        id="small-glass-0",
        name="Ombrel",
        blueprint=blueprint,
        seed=0,
        roles=assign_roles(blueprint, 0),
        tables=tables,
        short_names={("guild", 1): ("Aldra",), ("workshop", 7): ("Penrow",)},
    )
    connection = connect(world)
    yield Scene(world, publish(world), connection)
    connection.close()


@pytest.fixture(scope="session")
def plans() -> Mapping[str, Mapping[str, Plan]]:
    """The plans of the fixture files, by family and title."""
    found: dict[str, dict[str, Plan]] = {}
    for path in sorted(FIXTURES.glob("*.txt")):
        for case in path.read_text(encoding="utf-8").split("=== ")[1:]:
            title, _, rest = case.partition("\n--- plan\n")
            plan = json.loads(rest.partition("\n--- ")[0])
            found.setdefault(path.stem, {})[title] = Plan.model_validate(plan)
    return found


def make_scene(name: str, seed: int) -> Scene:
    world = populate(domain(name), seed, f"{name}-{seed}")
    return Scene(world, publish(world), connect(world))


@pytest.fixture(scope="session")
def scenes() -> Iterator[tuple[Scene, ...]]:
    """At least ten worlds: each blueprint of the library under as many seeds as that takes."""
    seeds = range(ceil(WORLDS / len(domains())))
    made = tuple(make_scene(name, seed) for seed in seeds for name in domains())
    yield made
    for scene in made:
        scene.connection.close()


@pytest.fixture(scope="session")
def asked(scenes: tuple[Scene, ...]) -> tuple[Asked, ...]:
    """Each world with what became of the plans sampled in it."""
    return tuple((scene, tuple(propose_tasks(scene, ROUNDS))) for scene in scenes)


@pytest.fixture(scope="session")
def tasks(asked: tuple[Asked, ...]) -> tuple[tuple[Scene, Task], ...]:
    """Every accepted task, with its scene."""
    return tuple((scene, x) for scene, found in asked for x in found if isinstance(x, Task))


@pytest.fixture(scope="session", params=domains())
def scene(request: pytest.FixtureRequest, scenes: tuple[Scene, ...]) -> Scene:
    """One world of each blueprint."""
    return next(scene for scene in scenes if scene.blueprint.id == request.param)
