"""The whole build of one world: tables, web, tasks, certificates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from queries.propose import Rejection, propose_tasks
from queries.scene import Scene
from queries.task import Task
from search_sim.certify import Certificate, certify
from search_sim.manifest import ACCEPTANCE
from search_sim.open_world import OpenWorld
from worldgen.blueprint import Blueprint
from worldgen.checks import check_blueprint
from worldgen.errors import GenerationError
from worldgen.identity import versions, world_id
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.rules import check_rules
from worldgen.tables import connect
from worldgen.worldfile import WorldFile

FEWEST_FAMILIES = 4
"""A world whose tasks come from fewer plan families is refused."""
MOST_ROUNDS = 40
"""After so many turns of every family, a world that lacks tasks is given up."""


@dataclass(frozen=True)
class BuiltWorld:
    """A world with its certified tasks."""

    file: WorldFile
    tasks: tuple[Task, ...]
    certificates: tuple[Certificate, ...]


def build_options(task_count: int) -> dict[str, int]:
    """The options that a world's id digests."""
    return {"tasks": task_count}


def build_world(blueprint: Blueprint, seed: int, task_count: int) -> BuiltWorld:
    """Build a world; the same arguments give the same bytes everywhere.

    Raises:
        BlueprintError: the blueprint contradicts itself.
        RuleBrokenError: its rows break a rule.
        GenerationError: it has too few or too many rows, or too few sound tasks.
    """
    check_blueprint(blueprint)
    options = build_options(task_count)
    world = populate(blueprint, seed, world_id(blueprint, seed, options))
    connection = connect(world)
    check_rules(world, connection)
    scene = Scene(world, publish(world), connection)
    tasks, certificates, rejected = _accept(scene, task_count)
    connection.close()
    plans = {"sampled": len(tasks) + sum(rejected.values()), "reasons": rejected}
    sections: dict[str, dict[str, Any]] = {
        "tasks": {task.task_id: task.model_dump(mode="json") for task in tasks},
        ACCEPTANCE: {"plans": plans},
        "certificates": {found.task_id: found.model_dump(mode="json") for found in certificates},
    }
    file = WorldFile(world, scene.web, options, versions()["worldgen"], sections)
    return BuiltWorld(file, tuple(tasks), tuple(certificates))


def _accept(scene: Scene, count: int) -> tuple[list[Task], list[Certificate], dict[str, int]]:
    """The first `count` plans that are sound, with their certificates, and why others were not."""
    opened = OpenWorld(scene.world, scene.web)
    tasks: list[Task] = []
    certificates: list[Certificate] = []
    rejected: Counter[str] = Counter()
    for proposed in propose_tasks(scene, MOST_ROUNDS):
        if isinstance(proposed, Rejection):
            rejected[proposed.reason] += 1
            continue
        certificate = certify(opened, proposed)
        if not certificate.passed:
            rejected[f"certificate: {certificate.failures[0]}"] += 1
            continue
        tasks.append(proposed)
        certificates.append(certificate)
        if len(tasks) == count:
            break
    families = {task.family for task in tasks}
    if len(tasks) < count or len(families) < min(FEWEST_FAMILIES, count):
        found = f"only {len(tasks)} of {count} tasks, from {len(families)} families, are sound"
        problem = f"{found}; ask for fewer"
        raise GenerationError(scene.blueprint.id, scene.world.seed, problem)
    tasks.sort(key=lambda task: task.task_id)
    certificates.sort(key=lambda certificate: certificate.task_id)
    return tasks, certificates, dict(sorted(rejected.items()))
