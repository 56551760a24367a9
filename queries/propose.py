"""Proposing tasks: plans drawn family by family, run, checked and worded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from queries.accept import reason_against
from queries.candidate import Candidate
from queries.families import FAMILIES
from queries.plan import Plan
from queries.scene import Scene
from queries.task import Task
from worldgen.canonical import digest
from worldgen.seeds import generator


@dataclass(frozen=True)
class Rejection:
    """A plan that was sampled and refused."""

    plan: Plan
    reason: str


def propose_tasks(scene: Scene, rounds: int) -> Iterator[Task | Rejection]:
    """Sample plans, each family once a round, and yield what becomes of each.

    A draw that finds nothing to ask about in the world is no sampled plan and yields nothing. A
    task's id digests its question, so it stays the same however many are asked for.

    Args:
        scene: the world to ask about.
        rounds: how often each family takes its turn.
    """
    questions: set[str] = set()
    for number in range(rounds):
        for name, family in FAMILIES.items():
            plan = family(scene, generator(scene.world.seed, "plans", name, number))
            if plan is None:
                continue
            candidate = Candidate(scene, plan)
            reason = reason_against(candidate)
            if reason is None and candidate.question in questions:
                reason = "question_repeated"
            if reason:
                yield Rejection(plan, reason)
                continue
            questions.add(candidate.question)
            yield candidate.task(f"{scene.world.id}-{digest(candidate.question, 4)}")
