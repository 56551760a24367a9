"""Scores: what the checks saw over all cases, by axis and by check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from search_sim.verify.authors import Authors, count_authors, sum_authors
from search_sim.verify.cases import Case
from search_sim.verify.checking import Axis, Check, Seen, check_name
from search_sim.verify.consistency import CONSISTENCY
from search_sim.verify.controllability import CONTROLLABILITY
from search_sim.verify.play import Played

AXES: Mapping[Axis, tuple[Check, ...]] = {
    "controllability": CONTROLLABILITY,
    "consistency": CONSISTENCY,
}
"""The checks of each axis."""

TEMPLATE = "template"
"""What a report calls the renderer that no model writes for."""

PUBLISHED: Mapping[Axis, float] = {"controllability": 74.2, "consistency": 80.9}
"""What the best model has in the paper, on the paper's own cases (Qwen-AgentWorld,
arXiv 2606.24597)."""


@dataclass(frozen=True)
class Looked:
    """What one check saw in one case.

    Attributes:
        count: how many things it looked at.
        wrong: those that are not as they should be.
    """

    axis: Axis
    check: str
    count: int
    wrong: tuple[Seen, ...]


@dataclass(frozen=True)
class Verdict:
    """What all checks saw in one case, and who wrote its results."""

    case: Case
    looked: tuple[Looked, ...]
    authors: Counter[str]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Failure(_Record):
    """One thing that is not as it should be; `turn` counts the case's actions from 1."""

    case: int
    world_id: str
    task_id: str
    policy: str
    axis: Axis
    check: str
    turn: int
    problem: str


class CheckScore(_Record):
    """One check over all cases.

    Attributes:
        cases: those in which it had something to look at.
        held: those of them in which nothing was wrong.
        looked: how many things it looked at.
    """

    name: str
    cases: int
    held: int
    looked: int


class AxisScore(_Record):
    """One axis over all cases.

    Attributes:
        score: of all checks in all cases that had something to look at: the share that held,
            times 100.
        cases, passed: all cases, and those in which every check held.
    """

    axis: Axis
    score: float
    cases: int
    passed: int
    checks: tuple[CheckScore, ...]

    @property
    def perfect(self) -> bool:
        """Whether every check held in every case."""
        return all(check.held == check.cases for check in self.checks)


class Report(_Record):
    """What a run found; failures are in the order of cases, checks and turns.

    Attributes:
        renderer: the id of the prompt variant that a model wrote by, or `template`.
        worlds: ids of the worlds that the cases are from.
    """

    renderer: str
    seed: int
    worlds: tuple[str, ...]
    axes: tuple[AxisScore, ...]
    authors: Authors
    failures: tuple[Failure, ...]


def inspect(played: Played) -> Verdict:
    """Run every check over a case that was played."""
    looked = []
    for axis, checks in AXES.items():
        for check in checks:
            seen = list(check(played))
            wrong = tuple(one for one in seen if one.problem)
            looked.append(Looked(axis, check_name(check), len(seen), wrong))
    return Verdict(played.case, tuple(looked), count_authors(played))


def sum_up(renderer: str, seed: int, verdicts: Sequence[Verdict]) -> Report:
    """The report over some verdicts."""
    return Report(
        renderer=renderer,
        seed=seed,
        worlds=tuple(sorted({verdict.case.world_id for verdict in verdicts})),
        axes=tuple(_score(axis, verdicts) for axis in AXES),
        authors=sum_authors(verdict.authors for verdict in verdicts),
        failures=tuple(failure for verdict in verdicts for failure in _failures(verdict)),
    )


def _score(axis: Axis, verdicts: Sequence[Verdict]) -> AxisScore:
    by_check: dict[str, list[Looked]] = {check_name(check): [] for check in AXES[axis]}
    passed = 0
    for verdict in verdicts:
        ours = [one for one in verdict.looked if one.axis == axis]
        passed += not any(one.wrong for one in ours)
        for one in ours:
            by_check[one.check].append(one)
    checks = tuple(_check_score(name, looked) for name, looked in by_check.items())
    held, all_of_them = sum(c.held for c in checks), sum(c.cases for c in checks)
    score = 100 * held / all_of_them if all_of_them else 0.0
    return AxisScore(axis=axis, score=score, cases=len(verdicts), passed=passed, checks=checks)


def _check_score(name: str, looked: Sequence[Looked]) -> CheckScore:
    found = [one for one in looked if one.count]
    return CheckScore(
        name=name,
        cases=len(found),
        held=sum(not one.wrong for one in found),
        looked=sum(one.count for one in found),
    )


def _failures(verdict: Verdict) -> list[Failure]:
    case = verdict.case
    return [
        Failure(
            case=case.number,
            world_id=case.world_id,
            task_id=case.task_id,
            policy=case.policy,
            axis=one.axis,
            check=one.check,
            turn=seen.turn,
            problem=seen.problem,
        )
        for one in verdict.looked
        for seen in one.wrong
    ]
