"""The demo: the main job, small.

Two worlds are built and served, three agents answer their tasks over HTTP, their answers are
evaluated, and a table and a report are made.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from answers.html_report import Comparison, html_report
from answers.markdown import to_markdown
from answers.trials import Evaluation, Trial, evaluate
from queries.task import Task
from search_sim.agents import AGENTS
from search_sim.agents.brief import Brief
from search_sim.client import HttpTools, Trainer
from search_sim.evaluate import load_gold
from search_sim.generate import Batch, generate
from search_sim.guard import Effective
from search_sim.open_world import OpenWorld
from search_sim.service.app import make_app
from search_sim.service.server import serving
from search_sim.service.state import Service
from search_sim.shelf import Shelf
from worldgen.seeds import child_seed

POLICIES: tuple[Effective, ...] = ("reach", "tease", "open")
HEADINGS = (
    *("Agent", "Policy", "Item F1", "Row F1", "Guarded-cell F1", "Success"),
    *("Searches", "Extractions"),
)
WORLDS, ANSWERS, TRAJECTORIES, TABLE, REPORT = (
    *("worlds", "answers.jsonl", "trajectories.jsonl", "table.md", "report.html"),
)
MEASURES = ("item_f1", "row_f1", "guarded_f1", "success")


class Line(BaseModel):
    """Means over all tasks for one agent under one policy."""

    model_config = ConfigDict(frozen=True)

    agent: str
    policy: Effective
    tasks: int
    measures: dict[str, float]
    searches: float
    extractions: float

    def cells(self) -> tuple[str, ...]:
        """The line as it is shown."""
        shares = [f"{self.measures[name]:.3f}" for name in MEASURES]
        return (self.agent, self.policy, *shares, f"{self.searches:.1f}", f"{self.extractions:.1f}")


@dataclass(frozen=True)
class Run:
    """One episode that has ended: its state and its trajectory, as the service gave them."""

    agent: str
    policy: Effective
    state: dict[str, Any]
    trajectory: dict[str, Any]


def run_demo(
    folder: Path,
    batch: Batch,
    workers: int,
    started: Callable[[int], None],
    step: Callable[[str], None],
) -> list[Line]:
    """Build worlds, serve them, let the reference agents answer their tasks, and score them.

    Args:
        folder: where worlds, answers, trajectories, table and report go.
        batch: what to build.
        workers: the number of processes for building.
        started: called with the number of steps.
        step: called after each step with what was done.

    Raises:
        ConfigurationError: the folder holds worlds of another configuration.
    """
    started(batch.count + batch.count * batch.tasks * len(AGENTS) * len(POLICIES))
    made = generate(batch, folder / WORLDS, workers, lambda done: step(f"built {done.entry['id']}"))
    paths = [folder / WORLDS / entry["file"] for entry in made["worlds"]]
    shelf, key = Shelf(paths), secrets.token_urlsafe(24)
    runs: list[Run] = []
    with serving(make_app(Service(shelf, key))) as base, Trainer(base, key) as trainer:
        for world_id in shelf.headers:
            runs += _play_world(base, trainer, shelf.open(world_id), step)
    gold = load_gold(folder / WORLDS)
    evaluation = evaluate(gold, map(_trial, runs))
    lines = [_line(agent, policy, runs, evaluation) for agent in AGENTS for policy in POLICIES]
    _write_lines(folder / ANSWERS, [_answer(run) for run in runs])
    _write_lines(folder / TRAJECTORIES, [run.trajectory for run in runs])
    rows = [line.cells() for line in lines]
    (folder / TABLE).write_text(to_markdown(HEADINGS, rows), encoding="utf-8")
    comparison = Comparison(HEADINGS, rows, "Agents and policies")
    report = html_report(evaluation, gold, title="Demo", comparison=comparison)
    (folder / REPORT).write_text(report, encoding="utf-8")
    return lines


def _play_world(
    base: str, trainer: Trainer, world: OpenWorld, step: Callable[[str], None]
) -> Iterator[Run]:
    for task in world.tasks.values():
        for agent in AGENTS:
            for policy in POLICIES:
                yield play(base, trainer, world, task, agent, policy)
                step(f"{agent}, {policy}")


def play(  # noqa: PLR0913 - who plays what, where
    base: str, trainer: Trainer, world: OpenWorld, task: Task, agent: str, policy: Effective
) -> Run:
    """Let a reference agent answer a task over HTTP.

    Raises:
        ServiceError: the service refused.
    """
    seed = child_seed(world.world.seed, "demo", task.task_id, agent, policy) >> 11
    made = trainer.make_episode(task=task.task_id, policy=policy, seed=seed)
    with HttpTools(base, made["token"]) as tools:
        tools.answer(AGENTS[agent](tools, Brief.of(world, task)))
    state, trajectory = trainer.state(made["episode"]), trainer.trajectory(made["episode"])
    return Run(agent, policy, state, {**trajectory, "agent": agent})


def _trial(run: Run) -> Trial:
    tags = {"agent": run.agent, "policy": run.policy}
    return Trial(run.state["task"], run.trajectory["answer"], tags=tags)


def _answer(run: Run) -> dict[str, Any]:
    trial = _trial(run)
    return {"task_id": trial.task_id, "answer": trial.answer, **trial.tags}


def _line(agent: str, policy: Effective, runs: list[Run], evaluation: Evaluation) -> Line:
    states = [run.state for run in runs if (run.agent, run.policy) == (agent, policy)]
    wanted = {"agent": agent, "policy": policy}
    scores = [t.score for t in evaluation.trials if wanted.items() <= t.score.tags.items()]

    def mean(values: list[float]) -> float:
        return sum(values) / max(len(values), 1)

    return Line(
        agent=agent,
        policy=policy,
        tasks=len(scores),
        measures={name: mean([getattr(score, name) for score in scores]) for name in MEASURES},
        searches=mean([state["counts"]["searches"] for state in states]),
        extractions=mean([state["counts"]["extractions"] for state in states]),
    )


def _write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
