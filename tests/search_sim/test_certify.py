from __future__ import annotations

import pytest
from support import Case

from answers.score import score
from search_sim.agents import AGENTS
from search_sim.certify import attempt, certify, disjoint
from worldgen.pages import Web


def test_accepted_tasks_are_certified(case: Case) -> None:
    for certificate, task in zip(case.built.certificates, case.built.tasks, strict=True):
        assert certificate.passed
        assert certificate.solvable
        assert certificate.closed["tease"].guarded_f1 == 0
        assert 1 <= certificate.cost.extractions.least <= certificate.cost.extractions.used
        assert certificate.cost.extractions.least <= task.pages_needed
        assert certificate.cost.sites.least <= certificate.cost.sites.used


def test_a_certificate_is_the_same_every_time(case: Case) -> None:
    assert certify(case.opened, case.built.tasks[0]) == case.built.certificates[0]


@pytest.mark.parametrize("policy", ["reach", "tease", "open"])
def test_the_explorer_is_right_under_every_policy(case: Case, policy: str) -> None:
    assert policy in ("reach", "tease", "open")
    for task in case.built.tasks:
        _, got = attempt(case.opened, task, AGENTS["explorer"], policy)  # type: ignore[arg-type]
        assert got.success, task.question


def test_never_searching_is_worth_nothing(case: Case) -> None:
    for task in case.built.tasks:
        episode, got = attempt(case.opened, task, AGENTS["never searches"], "open")
        assert got.item_f1 == 0
        assert not episode.trajectory.turns[:-1]


def test_a_task_that_no_page_answers_is_not_solvable(ferries: Case) -> None:
    task = ferries.built.tasks[0]
    needed = set(task.needed)
    pages = tuple(p for p in ferries.opened.web.pages if not needed & {str(f) for f in p.facts})
    bare = type(ferries.opened)(ferries.world, Web(ferries.opened.web.sites, pages), [task])
    certificate = certify(bare, task)
    assert not certificate.solvable
    assert "solvable" in certificate.failures


def test_an_agent_that_opened_nothing_knows_nothing(ferries: Case) -> None:
    from search_sim.agents.brief import Brief

    task = ferries.built.tasks[0]
    starved = Brief.of(ferries.opened, task)
    starved.budget = 3
    from search_sim.episode import Episode

    answer = AGENTS["explorer"](Episode(ferries.opened, task, "tease"), starved)
    assert not score(task.answer, answer).success


@pytest.mark.parametrize(
    ("choices", "least"),
    [([], 0), ([("a",)], 1), ([("a",), ("a", "b"), ("b",)], 2), ([("a", "b"), ("b", "c")], 1)],
)
def test_disjoint_bounds_from_below(choices: list[tuple[str, ...]], least: int) -> None:
    assert disjoint(choices) == least
