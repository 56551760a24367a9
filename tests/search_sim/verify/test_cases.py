from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from search_sim.guard import POLICIES
from search_sim.memory import OPERATIONS
from search_sim.open_world import OpenWorld
from search_sim.render import TemplateRenderer
from search_sim.tools import MOST_QUERIES
from search_sim.verify.actions import Note, Open, Search
from search_sim.verify.cases import CONTROLS, LONGEST, SHORTEST, Case, make_case
from search_sim.verify.play import play
from search_sim.verify.worlds import InMemory, build_worlds
from worldgen.errors import ConfigurationError

SEED = 3
CASES = 12

DIGESTS = """
from search_sim.verify.cases import make_case
from search_sim.verify.worlds import build_worlds
(world,) = build_worlds({seed}, ("island-ferries",)).by_id.values()
print(*(make_case(world, 7, number).digest for number in range(4)))
"""


@pytest.fixture(scope="module")
def cases(islands: OpenWorld) -> list[Case]:
    return [make_case(islands, 7, number) for number in range(CASES)]


def test_cases_are_equal_in_every_process() -> None:
    (world,) = build_worlds(SEED, ("island-ferries",)).by_id.values()
    run = subprocess.run(
        [sys.executable, "-c", DIGESTS.format(seed=SEED)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    assert run.stdout.split() == [make_case(world, 7, number).digest for number in range(4)]


def test_cases_differ_by_number_and_seed(islands: OpenWorld, cases: list[Case]) -> None:
    others = [make_case(islands, 8, number) for number in range(CASES)]
    digests = [case.actions for case in (*cases, *others)]
    assert len(set(map(str, digests))) == 2 * CASES
    assert make_case(islands, 7, 3) == cases[3]


def test_a_case_survives_json(cases: list[Case]) -> None:
    assert [Case.model_validate_json(case.model_dump_json()) for case in cases] == cases


def test_cases_are_of_every_policy_in_turn(cases: list[Case]) -> None:
    assert Counter(case.policy for case in cases) == dict.fromkeys(POLICIES, CASES // 4)
    assert len({tuple(c.policy for c in cases[i : i + 4]) for i in range(0, CASES, 4)}) > 1


def test_controls_are_drawn_from_those_that_are_named(cases: list[Case]) -> None:
    for name, values in CONTROLS.items():
        drawn = {getattr(case.controls, name) for case in cases}
        assert drawn <= set(values)
        assert len(drawn) > 1


def test_scripts_have_their_length_and_play_as_they_were_drawn(worlds: InMemory) -> None:
    for world in worlds.by_id.values():
        for number in range(CASES):
            drawn = make_case(world, 7, number)
            assert SHORTEST <= len(drawn.actions) <= LONGEST
            played = play(world, drawn, TemplateRenderer())
            assert all(step.turn for step in played.steps)
            assert sum(opening.extract.found for opening in played.openings) >= 3


def test_scripts_do_what_agents_do(cases: list[Case]) -> None:
    actions = [action for case in cases for action in case.actions]
    searches = [action for action in actions if isinstance(action, Search)]
    batches = [s.queries for s in searches if len(s.queries) > 1]
    assert {len(batch) for batch in batches} == set(range(2, MOST_QUERIES + 1))
    assert any(len(set(batch)) < len(batch) for batch in batches)
    assert {1, 2} < {search.page for search in searches}
    operations = {action.operation for action in actions if isinstance(action, Note)}
    assert operations == set(OPERATIONS) - {"remove_all"}
    assert any(action.offset for action in actions if isinstance(action, Open))


def test_every_script_comes_back_to_its_beginning(cases: list[Case]) -> None:
    for case in cases:
        first = next(a for a in case.actions if isinstance(a, Search))
        places = [place for place, action in enumerate(case.actions) if action == first]
        assert places[-1] - places[0] >= 5
        recalls = [a for a in case.actions if isinstance(a, Note) and a.operation == "retrieve_all"]
        assert case.actions[-1] == recalls[-1]


def test_a_world_without_tasks_has_no_cases(islands: OpenWorld) -> None:
    world = OpenWorld(islands.world, islands.web)
    with pytest.raises(ConfigurationError, match="has no tasks"):
        make_case(world, 7, 0)
