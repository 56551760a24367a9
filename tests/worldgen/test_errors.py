from __future__ import annotations

import copy
import multiprocessing
import pickle
from pathlib import Path

import pytest

from worldgen import errors
from worldgen.errors import (
    BlueprintError,
    ConfigurationError,
    EpisodeClosedError,
    GenerationError,
    LanguageModelError,
    RuleBrokenError,
    ServiceError,
    UnknownNameError,
    WorldFileError,
    WorldgenError,
)

ERRORS = (
    WorldgenError("something"),
    UnknownNameError("prot", "table", ["port", "county"]),
    BlueprintError("ferries", "two tables have the same name"),
    GenerationError("ferries", 7, "12 rows"),
    LanguageModelError("overloaded", "wait", 429, 2.5),
    RuleBrokenError("ferries", 7, "ports are deep", [("Kell", 1.5), ("Ossary", 2)]),
    WorldFileError(Path("a.world"), "no such file"),
    ConfigurationError("no seed, but a batch"),
    EpisodeClosedError("the answer was given"),
    ServiceError(429, "rate_limited", "wait 3 seconds"),
)
IDS = [type(error).__name__ for error in ERRORS]


def test_every_error_is_here() -> None:
    assert sorted(IDS) == errors.__all__ == sorted(errors.__all__)


@pytest.mark.parametrize("error", ERRORS, ids=IDS)
def test_one_root_catches_it(error: WorldgenError) -> None:
    with pytest.raises(WorldgenError):
        raise error


def test_a_broken_rule_is_a_world_that_could_not_be_made() -> None:
    assert issubclass(RuleBrokenError, GenerationError)


@pytest.mark.parametrize("error", ERRORS, ids=IDS)
def test_its_message_is_one_line(error: WorldgenError) -> None:
    assert str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("error", ERRORS, ids=IDS)
def test_it_pickles(error: WorldgenError, protocol: int) -> None:
    same(pickle.loads(pickle.dumps(error, protocol)), error)


def test_they_travel_between_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        travelled = pool.map(copy.copy, ERRORS)
        pool.close()
        pool.join()
    for there_and_back, error in zip(travelled, ERRORS, strict=True):
        same(there_and_back, error)


def same(one: WorldgenError, other: WorldgenError) -> None:
    assert type(one) is type(other)
    assert (str(one), one.args, vars(one)) == (str(other), other.args, vars(other))


def test_notes_travel_too() -> None:
    error = GenerationError("ferries", 7, "12 rows")
    error.add_note("while building world 3")
    assert pickle.loads(pickle.dumps(error)).__notes__ == ["while building world 3"]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            UnknownNameError("prot", "table", ["port", "county"]),
            "unknown table 'prot': did you mean 'port'?",
        ),
        (
            UnknownNameError("xyz", "table", ["port", "county"]),
            "unknown table 'xyz': known: county, port",
        ),
        (UnknownNameError("xyz", "table", []), "unknown table 'xyz': known: none"),
        (BlueprintError("ferries", "no TOML"), "blueprint 'ferries': no TOML"),
        (GenerationError("ferries", 7, "12 rows"), "ferries, seed 7: 12 rows"),
        (
            RuleBrokenError("ferries", 7, "a < b", [(1,), (2,), (3,), (4,)]),
            "ferries, seed 7: rule broken: a < b (first offending rows: [(1,), (2,), (3,)])",
        ),
        (WorldFileError(Path("a.world"), "no such file"), "a.world: no such file"),
        (ServiceError(429, "rate_limited", "wait 3 seconds"), "rate_limited: wait 3 seconds"),
    ],
)
def test_what_it_says(error: WorldgenError, message: str) -> None:
    assert str(error) == message


def test_the_parts_are_attributes() -> None:
    unknown = UnknownNameError("prot", "table", {"port": 1, "county": 2})
    assert (unknown.name, unknown.kind, unknown.known) == ("prot", "table", ["county", "port"])
    broken = RuleBrokenError("ferries", 7, "a < b", [(1,), (2,), (3,), (4,)])
    assert (broken.blueprint, broken.seed, broken.rule) == ("ferries", 7, "a < b")
    assert broken.rows == [(1,), (2,), (3,), (4,)]
    damaged = WorldFileError(Path("a.world"), "no such file")
    assert (damaged.path, damaged.problem) == (Path("a.world"), "no such file")
    refused = ServiceError(429, "rate_limited", "wait 3 seconds")
    assert (refused.status, refused.code) == (429, "rate_limited")
    wrong = BlueprintError("ferries", "no TOML")
    assert (wrong.blueprint, wrong.problem) == ("ferries", "no TOML")
