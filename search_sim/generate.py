"""Generating worlds in batch: one file a world, and a manifest of them all."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_sim import manifest
from search_sim.build import build_options, build_world
from search_sim.manifest import MANIFEST, TIMINGS
from worldgen.canonical import digest
from worldgen.errors import WorldFileError
from worldgen.identity import versions, world_id, world_seed
from worldgen.library import domain, domains
from worldgen.runner import run_jobs
from worldgen.worldfile import SUFFIX, read_world, write_world

__all__ = ["MANIFEST", "TIMINGS", "Batch", "Done", "Job", "build_job", "generate"]


@dataclass(frozen=True)
class Batch:
    """What `worldgen generate` is asked for.

    Attributes:
        count: the number of worlds.
        seed: the root of their seeds.
        domains: ids of blueprints of the library, or paths of blueprint files, which take turns;
            all of the library's if empty.
        tasks: the number of tasks a world.
    """

    count: int
    seed: int
    domains: tuple[str, ...] = ()
    tasks: int = 10

    def names(self) -> tuple[str, ...]:
        """The ids or paths of its blueprints."""
        return self.domains or domains()

    def configuration(self) -> dict[str, Any]:
        """All that the worlds depend on, as plain data.

        Raises:
            UnknownNameError: a domain that the library hasn't got.
            BlueprintError: a file that holds no blueprint.
        """
        chosen = [domain(name) for name in self.names()]
        return {
            "count": self.count,
            "seed": self.seed,
            "domains": {b.id: digest(b.model_dump(mode="json")) for b in chosen},
            "order": [b.id for b in chosen],
            "tasks": self.tasks,
            "versions": versions(),
        }


@dataclass(frozen=True)
class Job:
    """One world of a batch; with `resume`, a finished file of it is kept."""

    domain: str
    seed: int
    tasks: int
    folder: Path
    resume: bool = False

    @property
    def path(self) -> Path:
        """Where the world's file stands."""
        found = world_id(domain(self.domain), self.seed, build_options(self.tasks))
        return self.folder / f"{found}{SUFFIX}"


@dataclass(frozen=True)
class Done:
    """One world that is there: its manifest entry, and the CPU seconds that it took now."""

    entry: dict[str, Any]
    seconds: float


def generate(
    batch: Batch,
    folder: Path,
    workers: int = 1,
    done: Callable[[Done], None] = lambda _: None,
    resume: bool = False,
) -> dict[str, Any]:
    """Generate a batch of worlds into a folder.

    The manifest depends on the batch alone: not on workers, on time, or on what was there before.

    Args:
        batch: what to generate.
        folder: where; it is made if missing.
        workers: the number of processes.
        done: called with each world as it is written, in any order.
        resume: keep the worlds that an earlier run under the same configuration has finished.

    Returns:
        The manifest.

    Raises:
        UnknownNameError: a domain that the library hasn't got.
        ConfigurationError: the folder holds worlds of another configuration.
        GenerationError: a world could not be made; the worlds that were finished stay.
    """
    configuration = batch.configuration()
    manifest.claim(folder, configuration)
    names = batch.names()
    jobs = [
        Job(names[i % len(names)], world_seed(batch.seed, i), batch.tasks, folder, resume)
        for i in range(batch.count)
    ]
    built = run_jobs(build_job, jobs, workers, done)
    entries = [one.entry for one in built]
    record = {**manifest.head(configuration), "complete": True, "worlds": entries}
    timings = {one.entry["id"]: {"cpu_seconds": round(one.seconds, 3)} for one in built}
    manifest.write(folder / TIMINGS, timings)
    manifest.write(folder / MANIFEST, record)
    return record


def build_job(job: Job) -> Done:
    """Build one world and write its file, or find it finished."""
    start = time.process_time()
    if job.resume and (found := _finished(job.path)):
        return Done(found, time.process_time() - start)
    built = build_world(domain(job.domain), job.seed, job.tasks)
    content_digest = write_world(job.path, built.file)
    return Done(manifest.entry(built.file, content_digest), time.process_time() - start)


def _finished(path: Path) -> dict[str, Any] | None:
    """The entry of a world whose file is there and whole."""
    try:
        file = read_world(path)
    except WorldFileError:
        return None
    return manifest.entry(file, file.content_digest())
