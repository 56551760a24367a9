"""Generating worlds in batch: one file a world, and a manifest of them all."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_sim.build import BuiltWorld, build_world
from worldgen.canonical import digest
from worldgen.errors import ConfigurationError
from worldgen.identity import versions, world_seed
from worldgen.library import domain, domains
from worldgen.runner import run_jobs
from worldgen.worldfile import SUFFIX, write_world

MANIFEST, TIMINGS = "manifest.json", "timings.json"


@dataclass(frozen=True)
class Batch:
    """What `worldgen generate` is asked for.

    Attributes:
        count: the number of worlds.
        seed: the root of their seeds.
        domains: ids of blueprints, which take turns; all of the library's if empty.
        tasks: the number of tasks a world.
    """

    count: int
    seed: int
    domains: tuple[str, ...] = ()
    tasks: int = 10

    def configuration(self) -> dict[str, Any]:
        """All that the worlds depend on, as plain data.

        Raises:
            UnknownNameError: a domain that the library hasn't got.
        """
        chosen = self.domains or domains()
        return {
            "count": self.count,
            "seed": self.seed,
            "domains": {name: digest(domain(name).model_dump(mode="json")) for name in chosen},
            "order": list(chosen),
            "tasks": self.tasks,
            "versions": versions(),
        }


@dataclass(frozen=True)
class Job:
    """One world of a batch."""

    index: int
    domain: str
    seed: int
    tasks: int
    folder: Path


@dataclass(frozen=True)
class Done:
    """One world that was written: its entry in the manifest, and the CPU seconds it took."""

    index: int
    entry: dict[str, Any]
    seconds: float


def generate(
    batch: Batch, folder: Path, workers: int = 1, done: Callable[[Done], None] = lambda _: None
) -> dict[str, Any]:
    """Generate a batch of worlds into a folder.

    The manifest depends on the batch alone: not on workers, on time, or on what was there before.

    Args:
        batch: what to generate.
        folder: where; it is made if missing.
        workers: the number of processes.
        done: called with each world as it is written, in any order.

    Returns:
        The manifest.

    Raises:
        UnknownNameError: a domain that the library hasn't got.
        ConfigurationError: the folder holds worlds of another configuration.
        GenerationError: a world could not be made; the worlds that were finished stay.
    """
    configuration = batch.configuration()
    head = {"configuration": configuration, "configuration_digest": digest(configuration)}
    _claim(folder, head)
    jobs = [
        Job(
            i,
            configuration["order"][i % len(configuration["order"])],
            world_seed(batch.seed, i),
            batch.tasks,
            folder,
        )
        for i in range(batch.count)
    ]
    built = run_jobs(build_job, jobs, workers, done)
    manifest = {**head, "complete": True, "worlds": [one.entry for one in built]}
    timings = {one.entry["id"]: {"cpu_seconds": round(one.seconds, 3)} for one in built}
    _write_json(folder / TIMINGS, timings)
    _write_json(folder / MANIFEST, manifest)
    return manifest


def _claim(folder: Path, head: dict[str, Any]) -> None:
    """Make the folder this batch's own, before there is any world in it."""
    if folder.exists() and not folder.is_dir():
        message = f"{folder} is a file; name a folder to generate into"
        raise ConfigurationError(message)
    found = folder / MANIFEST
    if found.exists():
        theirs = _read_json(found).get("configuration_digest")
        if theirs != head["configuration_digest"]:
            message = (
                f"{folder} holds worlds of another configuration; generate into another folder"
            )
            raise ConfigurationError(message)
    elif folder.exists() and any(folder.glob(f"*{SUFFIX}")):
        message = f"{folder} holds worlds without a manifest; generate into another folder"
        raise ConfigurationError(message)
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.glob(f".*{SUFFIX}.*.tmp"):
        leftover.unlink(missing_ok=True)
    _write_json(found, {**head, "complete": False, "worlds": []})


def build_job(job: Job) -> Done:
    """Build one world and write its file."""
    start = time.process_time()
    built = build_world(domain(job.domain), job.seed, job.tasks)
    path = job.folder / f"{built.file.world.id}{SUFFIX}"
    content_digest = write_world(path, built.file)
    return Done(job.index, _entry(built, path, content_digest), time.process_time() - start)


def _entry(built: BuiltWorld, path: Path, content_digest: str) -> dict[str, Any]:
    world = built.file.world
    families = Counter(task.family for task in built.tasks)
    return {
        "id": world.id,
        "file": path.name,
        "seed": world.seed,
        "domain": world.blueprint.id,
        "content_digest": content_digest,
        "rows": world.row_count,
        "pages": len(built.file.web.pages),
        "tasks": {
            "sampled": built.sampled,
            "accepted": len(built.tasks),
            "families": dict(sorted(families.items())),
            "rejected": sum(built.rejected.values()),
            "reasons": dict(built.rejected),
        },
    }


def _write_json(path: Path, record: Any) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    temporary.replace(path)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        message = f"{path} is damaged: it is no JSON; remove it or generate into another folder"
        raise ConfigurationError(message) from error
    return record if isinstance(record, dict) else {}


def accepted_share(manifests: Sequence[dict[str, Any]]) -> float:
    """The share of sampled plans that became tasks, over the worlds of some manifests."""
    tasks = [entry["tasks"] for manifest in manifests for entry in manifest["worlds"]]
    sampled: int = sum(t["sampled"] for t in tasks)
    accepted: int = sum(t["accepted"] for t in tasks)
    return accepted / max(sampled, 1)
