"""Evaluating a file of answers against a folder of worlds, or against an export of tasks."""

from __future__ import annotations

import json
import os
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from answers.answers_file import parse_object, read_answers
from answers.html_report import html_report
from answers.record import TaskRecord
from answers.trials import Evaluation, Gold, ScoredTrial, evaluate
from search_sim.folder import read_tasks, world_paths
from worldgen.errors import ConfigurationError
from worldgen.worldfile import SUFFIX

SCORES, SUMMARY, REPORT = "scores.jsonl", "summary.json", "report.html"
"""The files that an evaluation writes."""

_WORLD_ID = re.compile(r"(.+)-[0-9a-f]{12}")
_SQLITE = b"SQLite format 3\0"


def evaluate_files(
    tasks: Path,
    answers: Path,
    out: Path,
    done: Callable[[ScoredTrial], None] = lambda _: None,
) -> Evaluation:
    """Score a file of answers and write scores, summary and report into a folder.

    Args:
        tasks: a folder of worlds, a world file, or an export of tasks.
        answers: JSON lines of `{"task_id": ..., "answer": ...}`.
        out: the folder, made if there is none.
        done: called after each trial.

    Raises:
        ConfigurationError: one of the paths can't be used, or there are no tasks.
        WorldFileError: a file of the folder is no world, or damaged.
    """
    if answers.is_dir() or not answers.exists():
        problem = "is a folder, not a file of answers" if answers.is_dir() else "no such file"
        raise _error(answers, problem)
    if out.exists() and not out.is_dir():
        raise _error(out, "is a file; name a folder for the report")
    gold = load_gold(tasks)
    evaluation = evaluate(gold, read_answers(answers), done)
    facts = {
        "Tasks": tasks.resolve().name,
        "Answers": answers.name,
        "Scored by": f"worldgen {version('worldgen')}",
    }
    report = html_report(evaluation, gold, facts=facts)
    out.mkdir(parents=True, exist_ok=True)
    with _written(out / SCORES) as file:
        for trial in evaluation.trials:
            file.write(json.dumps(trial.record(), ensure_ascii=False) + "\n")
    with _written(out / SUMMARY) as file:
        file.write(json.dumps(evaluation.summary(), ensure_ascii=False, indent=2) + "\n")
    with _written(out / REPORT) as file:
        file.write(report)
    return evaluation


@contextmanager
def _written(path: Path) -> Iterator[TextIO]:
    """A file that stands there once it is whole."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def load_gold(path: Path) -> dict[str, Gold]:
    """The tasks of a folder of worlds, of a world file, or of an export, by id.

    Raises:
        ConfigurationError: there is no such path, there are no tasks, two have one id, or a line
            of an export is broken.
        WorldFileError: a file of the folder is no world, or damaged.
    """
    if not path.exists():
        raise _error(path, "no such file or folder")
    found: dict[str, Gold] = {}
    for where, gold in _from_worlds(path) if _holds_worlds(path) else _from_export(path):
        if gold.task_id in found:
            message = f"{where}: there are two tasks {gold.task_id!r}"
            raise ConfigurationError(message)
        found[gold.task_id] = gold
    if not found:
        raise _error(path, "holds no tasks")
    return found


def _error(path: Path, problem: str) -> ConfigurationError:
    return ConfigurationError(f"{path}: {problem}")


def _holds_worlds(path: Path) -> bool:
    if not path.is_file() or path.suffix == SUFFIX:
        return path.is_dir() or path.is_file()
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def _from_worlds(folder: Path) -> Iterator[tuple[str, Gold]]:
    for path in world_paths(folder):
        for task in read_tasks(path):
            tags = _tags(task.world_id, task.family, task.difficulty)
            yield str(path), Gold(task.task_id, task.question, task.answer, tags)


def _tags(world_id: str, family: str, difficulty: object, domain: str = "") -> dict[str, str]:
    """Tags for grouping; a world's id names its domain."""
    match = _WORLD_ID.fullmatch(world_id)
    known = {
        "world": world_id,
        "domain": domain or (match[1] if match else ""),
        "family": family,
        "difficulty": "" if difficulty is None else str(difficulty),
    }
    return {name: value for name, value in known.items() if value}


def _from_export(path: Path) -> Iterator[tuple[str, Gold]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                where = f"{path}, line {number}"
                yield where, _read_line(line.removeprefix(BOM_UTF8), where)


def _read_line(line: bytes, where: str) -> Gold:
    try:
        record = TaskRecord.model_validate(_whole(parse_object(line)))
        answer = record.answer()
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "answer"
        message = f"{where}: {field}: {first['msg'].removeprefix('Value error, ')}"
        raise ConfigurationError(message) from error
    except ValueError as error:
        message = f"{where}: {error}"
        raise ConfigurationError(message) from error
    tags = _tags(record.world_id, record.family, record.difficulty, record.domain)
    return Gold(record.task_id, record.question, answer, tags)


def _whole(record: dict[str, Any]) -> dict[str, Any]:
    """The record, if its texts can be written again: JSON can hold halves of characters."""
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        message = "it holds half a character (a lone surrogate)"
        raise ValueError(message) from error
    return record
