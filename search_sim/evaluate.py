"""Evaluating a file of answers against a folder of worlds, or against an export of tasks."""

from __future__ import annotations

import json
import os
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from answers.answers_file import answer_files, parse_object, read_answers
from answers.batches import Numbered, run_batches
from answers.explained import explain_batch
from answers.html_report import html_report
from answers.modes import MODES, Mode
from answers.record import TaskRecord
from answers.trials import Evaluation, Gold, Options, ScoredTrial, evaluate
from answers.widesearch_layout import read_layout, task_file
from search_sim.folder import read_tasks, world_paths
from worldgen.errors import ConfigurationError, UnknownNameError
from worldgen.worldfile import SUFFIX

SCORES, SUMMARY, REPORT, EXPLANATIONS = (
    *("scores.jsonl", "summary.json", "report.html", "explanations.jsonl"),
)
"""The files that an evaluation writes."""

_WORLD_ID = re.compile(r"(.+)-[0-9a-f]{12}")
_SQLITE = b"SQLite format 3\0"


def evaluate_files(
    tasks: Path,
    answers: Path,
    out: Path,
    done: Callable[[ScoredTrial], None] = lambda _: None,
    options: Options | None = None,
) -> Evaluation:
    """Score files of answers and write scores, summary, explanations and report into a folder.

    Args:
        tasks: a folder of worlds, a world file, an export of tasks, or WideSearch's own layout.
        answers: JSON lines of answers, of trajectories or of WideSearch's responses; or a folder
            of such files.
        out: the folder, made if there is none.
        done: called after each trial, with several workers in any order.
        options: how to score.

    Raises:
        ConfigurationError: one of the paths can't be used, there are no tasks, or the mode is
            `widesearch` and a task says nothing of how WideSearch scores it.
        WorldFileError: a file of the folder is no world, or damaged.
    """
    if not answers.exists():
        raise _error(answers, "no such file")
    if not answer_files(answers):
        raise _error(answers, "is a folder, not a file of answers, and holds no .jsonl files")
    if out.exists() and not out.is_dir():
        raise _error(out, "is a file; name a folder for the report")
    options = options or Options()
    gold = load_gold(tasks)
    if options.judge:
        gold = {task_id: _judged(one, options.judge) for task_id, one in gold.items()}
    if options.mode == "widesearch":
        _need_pipelines(gold)
    evaluation = evaluate(gold, read_answers(answers), done, options)
    facts = {
        "Tasks": tasks.resolve().name,
        "Answers": answers.name,
        "Mode": options.mode,
        "Scored by": f"worldgen {version('worldgen')}",
    }
    report = html_report(evaluation, gold, facts=facts)
    explained = _explanations(evaluation, gold, options)
    out.mkdir(parents=True, exist_ok=True)
    _write_lines(out / SCORES, (trial.record() for trial in evaluation.trials))
    _write_lines(out / EXPLANATIONS, explained)
    with _written(out / SUMMARY) as file:
        file.write(json.dumps(evaluation.summary(), ensure_ascii=False, indent=2) + "\n")
    with _written(out / REPORT) as file:
        file.write(report)
    return evaluation


def checked_mode(name: str | None, tasks: Path) -> Mode:
    """The mode of that name; without one, what fits the tasks: theirs in WideSearch's layout.

    Raises:
        UnknownNameError: there is no such mode.
    """
    if name is None:
        return "strict" if _layout(tasks) is None else "widesearch"
    for mode in MODES:
        if mode == name:
            return mode
    raise UnknownNameError(name, "mode", MODES)


def _judged(gold: Gold, judge: Mapping[str, str]) -> Gold:
    if gold.pipeline is None:
        return gold
    return replace(gold, pipeline=replace(gold.pipeline, judge=judge))


def _need_pipelines(gold: dict[str, Gold]) -> None:
    for one in gold.values():
        if one.pipeline is None:
            message = f"task {one.task_id!r} has no pipeline of WideSearch; use the mode strict"
            raise ConfigurationError(message)


def _explanations(
    evaluation: Evaluation, gold: dict[str, Gold], options: Options
) -> list[dict[str, Any]]:
    """Why the trials whose answers were kept have their scores."""
    kept = zip(evaluation.shown, evaluation.trials, strict=False)
    found = [Numbered(gold[trial.task_id], trial, scored.trial) for trial, scored in kept]
    return run_batches(partial(explain_batch, options.mode), found, options.workers)


def _write_lines(path: Path, records: Iterable[dict[str, Any]]) -> None:
    with _written(path) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


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
    """The tasks of a folder of worlds, a world file, an export or WideSearch's own layout, by id.

    Raises:
        ConfigurationError: there is no such path, there are no tasks, two have one id, or a line
            of an export is broken.
        WorldFileError: a file of the folder is no world, or damaged.
    """
    if not path.exists():
        raise _error(path, "no such file or folder")
    found: dict[str, Gold] = {}
    for where, gold in _tasks(path):
        if gold.task_id in found:
            message = f"{where}: there are two tasks {gold.task_id!r}"
            raise ConfigurationError(message)
        found[gold.task_id] = gold
    if not found:
        raise _error(path, "holds no tasks")
    return found


def _tasks(path: Path) -> Iterator[tuple[str, Gold]]:
    layout = _layout(path)
    if layout:
        return _from_layout(layout)
    return _from_worlds(path) if _holds_worlds(path) else _from_export(path)


def _layout(path: Path) -> Path | None:
    """The file of tasks, if a path names tasks in WideSearch's layout."""
    if path.suffix == SUFFIX or (path.is_dir() and any(path.glob(f"*{SUFFIX}"))):
        return None
    return task_file(path)


def _from_layout(path: Path) -> Iterator[tuple[str, Gold]]:
    try:
        yield from read_layout(path)
    except ValueError as error:
        raise ConfigurationError(str(error)) from error


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
