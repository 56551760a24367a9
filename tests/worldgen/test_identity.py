from __future__ import annotations

import re
from importlib.metadata import version

import pytest

from worldgen import identity
from worldgen.blueprint import Blueprint
from worldgen.identity import SHAPING, versions, world_id, world_seed


def test_an_id_names_its_blueprint(small: Blueprint) -> None:
    assert re.fullmatch(r"glass-fairs-[0-9a-f]{12}", world_id(small, 1, {}))


def test_the_order_of_options_doesnt_count(small: Blueprint) -> None:
    assert world_id(small, 1, {"a": 1, "b": [2]}) == world_id(small, 1, {"b": [2], "a": 1})


def test_whatever_a_world_is_built_from_counts(
    small: Blueprint, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [
        world_id(small, 1, {}),
        world_id(small, 2, {}),
        world_id(small, 1, {"tasks": 3}),
        world_id(small, 1, {"tasks": 4}),
        world_id(small.model_copy(update={"version": 2}), 1, {}),
    ]
    monkeypatch.setattr(identity, "versions", lambda: {"worldgen": "0"})
    ids.append(world_id(small, 1, {}))
    assert len(set(ids)) == len(ids)


def test_versions_are_those_that_are_installed() -> None:
    assert versions() == {name: version(name) for name in ("worldgen", *SHAPING)}
    assert "faker" in SHAPING


def test_every_json_reader_keeps_a_seed_exact() -> None:
    seeds = [world_seed(root, index) for root in range(50) for index in range(40)]
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**52
    assert len(set(seeds)) == len(seeds)


def test_seeds_of_a_batch_are_the_same_everywhere() -> None:
    assert [world_seed(7, index) for index in range(2)] == [8963377575339301, 1622512061182352]
