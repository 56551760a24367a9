"""The demo: the main job, small.

Two worlds are built, three agents answer their tasks, a table is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from pydantic import BaseModel, ConfigDict

from answers.markdown import to_markdown
from answers.score import score
from queries.task import Task
from search_sim.agents import AGENTS
from search_sim.agents.brief import Brief
from search_sim.episode import Episode
from search_sim.generate import Batch, generate
from search_sim.guard import Effective
from search_sim.library import OpenWorld
from search_sim.trajectory import Trajectory
from worldgen.seeds import child_seed

POLICIES: tuple[Effective, ...] = ("reach", "tease", "open")
HEADINGS = (
    *(
        "Agent",
        "Policy",
        "Item F1",
        "Row F1",
        "Guarded-cell F1",
        "Success",
        "Searches",
        "Extractions",
    ),
)


class Line(BaseModel):
    """Means over all tasks for one agent under one policy."""

    model_config = ConfigDict(frozen=True)

    agent: str
    policy: Effective
    tasks: int
    item_f1: float
    row_f1: float
    guarded_f1: float
    success: float
    searches: float
    extractions: float

    def cells(self) -> tuple[str, ...]:
        """The line as it is shown."""
        shares = (self.item_f1, self.row_f1, self.guarded_f1, self.success)
        return (
            self.agent,
            self.policy,
            *(f"{share:.3f}" for share in shares),
            *(f"{count:.1f}" for count in (self.searches, self.extractions)),
        )


@dataclass(frozen=True)
class Run:
    """One episode that has ended."""

    trajectory: Trajectory
    searches: int
    extractions: int


def run_demo(
    folder: Path,
    batch: Batch,
    workers: int,
    started: Callable[[int], None],
    step: Callable[[str], None],
) -> list[Line]:
    """Build worlds, let the reference agents answer their tasks, and score them.

    Args:
        folder: where worlds, trajectories (`trajectories.jsonl`) and the table (`table.md`) go.
        batch: what to build.
        workers: the number of processes for building.
        started: called with the number of steps.
        step: called after each step with what was done.

    Raises:
        ConfigurationError: the folder holds worlds of another configuration.
    """
    started(batch.count + batch.count * batch.tasks * len(AGENTS) * len(POLICIES))
    manifest = generate(
        batch, folder / "worlds", workers, lambda done: step(f"built {done.entry['id']}")
    )
    runs: list[Run] = []
    with (folder / "trajectories.jsonl").open("w", encoding="utf-8") as file:
        for entry in manifest["worlds"]:
            world = OpenWorld.read(folder / "worlds" / entry["file"])
            runs += _play(world, file, step)
    lines = [_line(agent, policy, runs) for agent in AGENTS for policy in POLICIES]
    table = to_markdown(HEADINGS, [line.cells() for line in lines])
    (folder / "table.md").write_text(table, encoding="utf-8")
    return lines


def _play(world: OpenWorld, file: TextIO, step: Callable[[str], None]) -> Iterator[Run]:
    for task in world.tasks.values():
        for name in AGENTS:
            for policy in POLICIES:
                run = play(world, task, name, policy)
                file.write(run.trajectory.model_dump_json() + "\n")
                step(f"{name}, {policy}")
                yield run


def play(world: OpenWorld, task: Task, agent: str, policy: Effective) -> Run:
    """Let a reference agent answer a task in an episode, and score it."""
    episode = Episode(
        world, task, policy, child_seed(world.world.seed, "demo", task.task_id, agent, policy)
    )
    episode.answer(AGENTS[agent](episode, Brief.of(world, task)))
    tags = {"agent": agent, "policy": policy, "family": task.family}
    record = episode.trajectory.model_copy(
        update={
            "agent": agent,
            "answer": episode.answer_text,
            "score": score(task.answer, episode.answer_text, tags),
        }
    )
    return Run(record, episode.counts.searches, episode.counts.extractions)


def _line(agent: str, policy: Effective, runs: list[Run]) -> Line:
    chosen = [
        r for r in runs if r.trajectory.agent == agent and r.trajectory.effective_policy == policy
    ]
    scores = [run.trajectory.score for run in chosen if run.trajectory.score]
    count = max(len(scores), 1)
    return Line(
        agent=agent,
        policy=policy,
        tasks=len(scores),
        item_f1=sum(s.item_f1 for s in scores) / count,
        row_f1=sum(s.row_f1 for s in scores) / count,
        guarded_f1=sum(s.guarded_f1 for s in scores) / count,
        success=sum(s.success for s in scores) / count,
        searches=sum(run.searches for run in chosen) / count,
        extractions=sum(run.extractions for run in chosen) / count,
    )
