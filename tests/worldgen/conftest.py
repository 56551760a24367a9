from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from worldgen.blueprint import Blueprint, Column
from worldgen.facts import Value
from worldgen.library import domain, domains, read_blueprint
from worldgen.pages import Web
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.world import World

SEED = 2
SMALL = Path(__file__).with_name("small.toml")


@pytest.fixture(scope="session")
def small_text() -> str:
    """A blueprint with every kind of table, column, value model, page and site feature."""
    return SMALL.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def small(small_text: str) -> Blueprint:
    return read_blueprint(small_text, "small")


@pytest.fixture(scope="session")
def small_world(small: Blueprint) -> World:
    return populate(small, SEED, "small")


@pytest.fixture(scope="session")
def small_web(small_world: World) -> Web:
    return publish(small_world)


@pytest.fixture(scope="session", params=domains())
def listed(request: pytest.FixtureRequest) -> Blueprint:
    """Each blueprint of the library."""
    return domain(request.param)


@pytest.fixture(scope="session", params=[*domains(), "small"])
def blueprint(request: pytest.FixtureRequest, small: Blueprint) -> Blueprint:
    return small if request.param == "small" else domain(request.param)


@pytest.fixture(scope="session")
def world(blueprint: Blueprint) -> World:
    return populate(blueprint, SEED, "one")


@pytest.fixture(scope="session")
def web(world: World) -> Web:
    return publish(world)


@pytest.fixture(scope="session")
def twin(world: World) -> World:
    """The same world with every guarded fact drawn anew."""
    return populate(world.blueprint, world.seed, world.id, redraw=1)


@pytest.fixture(scope="session")
def twin_web(twin: World) -> Web:
    return publish(twin)


@pytest.fixture(scope="session")
def read_back() -> Callable[[Column, str], Value]:
    """Reads a surface form by its column alone: the value that a reader takes it for."""

    def read(column: Column, text: str) -> Value:
        if column.kind == "date":
            form = "%Y-%m-%d" if text[4] == "-" else "%d %B %Y"
            return dt.datetime.strptime(text, form).replace(tzinfo=dt.UTC).date().isoformat()
        if not column.numeric:
            return text
        digits = text.replace(",", "").removeprefix("$")
        if column.unit:
            digits = digits.removesuffix(f" {column.unit}")
        return float(digits) if column.decimals else int(digits)

    return read
