"""Certificates: the measured proof that a task is sound, made with the tools that agents have."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from answers.score import Score, score
from queries.accept import MOST_SPREAD
from queries.task import Task
from search_sim.agents import AGENTS, Agent
from search_sim.agents.brief import Brief
from search_sim.episode import Episode
from search_sim.guard import Effective
from search_sim.open_world import OpenWorld
from worldgen.facts import Fact
from worldgen.pages import Web
from worldgen.seeds import child_seed

MOST_FROM_SNIPPETS: dict[Effective, float] = {"tease": 0.0, "reach": 0.25, "open": 1.0}
"""The most guarded-cell F1 that the snippet reader may have on a task; `open` is the control."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Interval(_Record):
    """What a task costs: no agent can do with less than `least`; the explorer used `used`."""

    least: int
    used: int


class Cost(_Record):
    """The cost of a task in searches, extractions and sites."""

    searches: Interval
    extractions: Interval
    sites: Interval


class Leak(_Record):
    """What the snippet reader scores: over guarded cells, and over keys apart."""

    guarded_f1: float
    key_f1: float
    searches: int


class Certificate(_Record):
    """What was measured of a task.

    Attributes:
        solvable: whether the explorer's answer, within its budget and under `tease`, is right.
        closed: what an agent gets from snippets alone, by policy.
        spread: the largest share of the needed facts that stands on one page.
        failures: the names of the parts that fail; none for a sound task.
    """

    task_id: str
    solvable: bool
    cost: Cost
    closed: dict[Effective, Leak]
    spread: float
    failures: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether every part holds."""
        return not self.failures


def certify(world: OpenWorld, task: Task) -> Certificate:
    """Measure a task: the same world and task give the same certificate."""
    explored, explorer_score = attempt(world, task, AGENTS["explorer"], "tease")
    closed = {policy: _leak(world, task, policy) for policy in MOST_FROM_SNIPPETS}
    facts = [Fact.parse(name) for name in task.needed]
    failures = [] if explorer_score.success else ["solvable"]
    failures += [
        f"closed under {p}" for p, leak in closed.items() if leak.guarded_f1 > MOST_FROM_SNIPPETS[p]
    ]
    failures += ["spread"] if task.spread > MOST_SPREAD else []
    return Certificate(
        task_id=task.task_id,
        solvable=explorer_score.success,
        cost=_cost(world.web, facts, explored),
        closed=closed,
        spread=task.spread,
        failures=tuple(failures),
    )


def attempt(world: OpenWorld, task: Task, agent: Agent, policy: Effective) -> tuple[Episode, Score]:
    """Let an agent answer a task in an episode of its own, and score the answer."""
    seed = child_seed(world.world.seed, "attempt", task.task_id, policy)
    episode = Episode(world, task, policy, seed)
    episode.answer(agent(episode, Brief.of(world, task)))
    return episode, score(task.answer, episode.answer_text)


def _leak(world: OpenWorld, task: Task, policy: Effective) -> Leak:
    episode, got = attempt(world, task, AGENTS["snippet reader"], policy)
    return Leak(
        guarded_f1=round(got.guarded_f1, 6),
        key_f1=round(got.key_f1, 6),
        searches=episode.counts.searches,
    )


def _cost(web: Web, facts: Iterable[Fact], explored: Episode) -> Cost:
    stating = list(web.stating(facts).values())
    sites = [tuple({web.by_url[url].site for url in urls}) for urls in stating]
    opened = [
        turn.arguments["url"] for turn in explored.trajectory.turns if turn.tool == "web_extractor"
    ]
    used = {web.by_url[url].site for url in opened if url in web.by_url}
    return Cost(
        searches=Interval(least=1, used=explored.counts.searches),
        extractions=Interval(least=disjoint(stating), used=explored.counts.extractions),
        sites=Interval(least=disjoint(sites), used=len(used)),
    )


def disjoint(choices: Iterable[tuple[str, ...]]) -> int:
    """How many of some sets of choices share nothing with each other, found greedily.

    Each of them needs a choice of its own, so this bounds from below how many are needed for all.
    """
    taken: set[str] = set()
    count = 0
    for options in sorted(choices, key=lambda options: (len(options), sorted(options))):
        if not taken & set(options):
            taken |= set(options)
            count += 1
    return count
