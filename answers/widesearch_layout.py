"""WideSearch's own layout: a file of tasks, and beside it one gold table a task.

The tasks are JSON lines of `{instance_id, query, evaluation, language}`; `evaluation`, an object or
the text of one, has `required` (the columns), `unique_columns` (the key) and `eval_pipeline` (how
each column is compared). The gold table of a task is `INSTANCE_ID.csv`, in any folder below.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from answers.answers_file import parse_object
from answers.attempts import Gold, Pipeline
from answers.record import Comparison, TaskRecord
from answers.table import AnswerTable

_FIRST_LINES = 5


class Evaluation(BaseModel):
    """How WideSearch scores a task; what else it says is kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    unique_columns: tuple[str, ...]
    required: tuple[str, ...]
    eval_pipeline: dict[str, dict[str, Any]]

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that name a row; all of them where it doesn't say."""
        named = set(self.unique_columns) <= set(self.required)
        return self.unique_columns if self.unique_columns and named else self.required


class WideSearchTask(BaseModel):
    """One line of a file of tasks."""

    model_config = ConfigDict(frozen=True)

    instance_id: str
    query: str = ""
    evaluation: dict[str, Any]
    language: str = ""


def task_file(path: Path) -> Path | None:
    """The file of tasks in WideSearch's layout that a path is, or that its folder holds."""
    if path.is_dir():
        return next(filter(_holds_tasks, sorted(path.glob("*.jsonl"))), None)
    return path if path.is_file() and _holds_tasks(path) else None


def _holds_tasks(path: Path) -> bool:
    with path.open("rb") as file:
        for line in islice(file, _FIRST_LINES):
            try:
                record = parse_object(line)
            except ValueError:
                continue
            return {"instance_id", "evaluation"} <= record.keys()
    return False


def read_layout(path: Path) -> Iterator[tuple[str, Gold]]:
    """The tasks of a file, each with where it stands.

    Raises:
        OSError: a file can't be read.
        ValueError: a line is broken, or its gold table can't be used; the message names the line.
    """
    tables = {found.stem: found for found in sorted(path.parent.rglob("*.csv"))}
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                where = f"{path}, line {number}"
                try:
                    yield where, _gold(line, tables)
                except ValidationError as error:
                    first = error.errors()[0]
                    place = ".".join(map(str, first["loc"]))
                    message = f"{where}: {place}: {first['msg'].removeprefix('Value error, ')}"
                    raise ValueError(message) from error
                except ValueError as error:
                    message = f"{where}: {error}"
                    raise ValueError(message) from error


def _gold(line: bytes, tables: Mapping[str, Path]) -> Gold:
    record = parse_object(line)
    if isinstance(record.get("evaluation"), str):
        record["evaluation"] = json.loads(record["evaluation"])
    task = WideSearchTask.model_validate(record)
    rules = Evaluation.model_validate(task.evaluation)
    if task.instance_id not in tables:
        message = f"there is no gold table {task.instance_id}.csv"
        raise ValueError(message)
    text = tables[task.instance_id].read_text(encoding="utf-8-sig")
    tags = {"language": task.language} if task.language else {}
    answer = gold_table(text, rules)
    return Gold(task.instance_id, task.query, answer, tags, Pipeline(text, task.evaluation))


def gold_table(text: str, rules: Evaluation) -> AnswerTable:
    """A gold table as `strict` mode takes it: of the required columns, rows of one key once.

    Raises:
        ValueError: it can't be read, or lacks a column.
    """
    try:
        headings, *rows = csv.reader(StringIO(text, newline=""))
    except (csv.Error, ValueError) as error:
        message = f"the gold table can't be read: {error}"
        raise ValueError(message) from error
    places = {_normal(heading): place for place, heading in enumerate(headings)}
    missing = [name for name in rules.required if name not in places]
    if missing:
        message = f"the gold table lacks the column {missing[0]!r}"
        raise ValueError(message)
    wanted = [places[name] for name in rules.required]
    keys = [places[name] for name in rules.keys]
    once = {
        tuple(_cell(row, place) for place in keys): tuple(_cell(row, place) for place in wanted)
        for row in reversed(rows)
        if row
    }
    return _table(rules, [headings[place] for place in wanted], list(once.values())[::-1])


def _normal(heading: str) -> str:
    return heading.strip().lower().replace(" ", "")


def _cell(row: list[str], place: int) -> str:
    return row[place].strip() if place < len(row) else ""


def _table(rules: Evaluation, headings: list[str], rows: list[tuple[str, ...]]) -> AnswerTable:
    numeric = [
        "number_near" in rules.eval_pipeline.get(name, {}).get("metric", ())
        and all(_number(row[place]) is not None for row in rows)
        for place, name in enumerate(rules.required)
    ]
    record = TaskRecord(
        task_id="",
        columns=tuple(headings),
        key_columns=tuple(
            heading
            for heading, name in zip(headings, rules.required, strict=True)
            if name in rules.keys
        ),
        rows=tuple(
            tuple(
                _number(cell) or 0 if number else cell
                for cell, number in zip(row, numeric, strict=True)
            )
            for row in rows
        ),
    )
    inferred = record.rules()
    # WideSearch knows no guarded cells.
    bare = tuple(rule.model_copy(update={"guarded": False}) for rule in inferred)
    return record.model_copy(update={"comparison": Comparison(columns=bare)}).answer()


def _number(cell: str) -> int | float | None:
    for kind in (int, float) if "_" not in cell else ():
        try:
            value = kind(cell)
        except ValueError:
            continue
        return value if abs(value) < float("inf") else None
    return None
