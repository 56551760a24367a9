"""Folders of worlds: listing, exporting, certifying again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from queries.task import Task
from search_sim.certify import Certificate, certify
from search_sim.open_world import OpenWorld
from worldgen.errors import ConfigurationError, UnknownNameError
from worldgen.runner import run_jobs
from worldgen.worldfile import SUFFIX, read_world

FORMATS = ("jsonl",)


def world_paths(folder: Path) -> list[Path]:
    """The world files of a folder, by name; or the one file that was named.

    Raises:
        ConfigurationError: there is no such folder, or no world in it.
    """
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        message = f"no such folder: {folder}"
        raise ConfigurationError(message)
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    if not paths:
        message = f"{folder} holds no {SUFFIX} files; `worldgen generate --out {folder}` makes some"
        raise ConfigurationError(message)
    return paths


def read_tasks(path: Path) -> list[Task]:
    """The tasks of a world file, in the order of their ids.

    Raises:
        WorldFileError: it is missing, no world, or damaged.
    """
    section = read_world(path).sections.get("tasks", {})
    return [Task.model_validate(section[task_id]) for task_id in sorted(section)]


def export(folder: Path, out: Path, format_name: str) -> int:
    """Write the tasks of a folder's worlds to a file, one JSON line each.

    Returns:
        The number of tasks.

    Raises:
        UnknownNameError: a format that there isn't.
        ConfigurationError: there is no such folder, or no world in it.
        WorldFileError: one of the files is no world, or damaged.
    """
    if format_name not in FORMATS:
        raise UnknownNameError(format_name, "format", FORMATS)
    lines = [
        json.dumps(task.export(), ensure_ascii=False)
        for path in world_paths(folder)
        for task in read_tasks(path)
    ]
    out.parent.mkdir(parents=True, exist_ok=True)
    temporary = out.with_name(f".{out.name}.tmp")
    temporary.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    temporary.replace(out)
    return len(lines)


@dataclass(frozen=True)
class Verdict:
    """What certifying a task again gave.

    Attributes:
        problems: what fails; none for a task that is sound and measured as its file says.
    """

    path: Path
    task: Task
    certificate: Certificate
    problems: tuple[str, ...]


def certify_folder(
    folder: Path, workers: int = 1, done: Callable[[list[Verdict]], None] = lambda _: None
) -> list[Verdict]:
    """Measure every task of a folder's worlds again.

    Args:
        folder: the folder, or one world file.
        workers: the number of processes.
        done: called with the verdicts of each world.

    Raises:
        ConfigurationError: there is no such folder, or no world in it.
        WorldFileError: one of the files is no world, or damaged.
    """
    return [
        verdict
        for found in run_jobs(certify_file, world_paths(folder), workers, done)
        for verdict in found
    ]


def certify_file(path: Path) -> list[Verdict]:
    """Measure every task of one world file again."""
    file = read_world(path)
    stored = file.sections.get("certificates", {})
    opened = OpenWorld.of(file)
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return [
            _verdict(path, opened, task, stored.get(task.task_id), connection)
            for task in opened.tasks.values()
        ]


def _verdict(
    path: Path, opened: OpenWorld, task: Task, stored: object, connection: sqlite3.Connection
) -> Verdict:
    certificate = certify(opened, task)
    problems = list(certificate.failures)
    if connection.execute(task.sql).fetchall() != list(task.answer.rows):
        problems.append("its SQL gives another answer")
    if certificate.model_dump(mode="json") != stored:
        problems.append("its certificate differs from the stored one")
    return Verdict(path, task, certificate, tuple(problems))
