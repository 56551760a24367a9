"""Reading files of answers: JSON lines, each of which says by its fields what it is.

- an answer: `{"task_id": ..., "answer": "...markdown...", "agent": ...}`;
- a trajectory, which has `turns`;
- a response in WideSearch's layout, which has `instance_id` and `response`.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from answers.trials import Problem, Trial

LONGEST_TAG = 100
"""A field with more characters than this is no tag."""

_TRAJECTORY_TAGS = ("agent", "policy", "effective_policy")
_RESPONSE_FILE = re.compile(r"(?P<agent>.+?)_(?P<trial>[0-9]+)(?P<kind>_multi_agent)?_response")


def answer_files(path: Path) -> list[Path]:
    """The files of answers that a path names: itself, or the `.jsonl` files below a folder."""
    return sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]


def read_answers(path: Path) -> Iterator[Trial | Problem]:
    """The trials of a file or of a folder's files, one at a time, and the lines that are none.

    An `answer` of null means that there was none. Further fields of an answer that hold a short
    text or a whole number become tags of the trial, and so do a trajectory's agent and policy, and
    a response's agent, which its file is named after, and trial. Blank lines are ignored, and so
    are tasks in WideSearch's layout. Lines end with a line feed alone: answers can hold every other
    separator.

    Raises:
        OSError: a file can't be read.
    """
    for file in answer_files(path):
        source = file.relative_to(path).as_posix() if path.is_dir() else ""
        for number, line in _lines(file):
            found = _read(number, line, source, file.stem)
            if found is not None:
                yield found


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            bare = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if bare.strip():
                yield number, bare


def _read(number: int, line: bytes, source: str, stem: str) -> Trial | Problem | None:
    try:
        record = parse_object(line)
    except ValueError as error:
        return Problem(number, str(error), source)
    if "instance_id" in record and "evaluation" in record:
        return None
    if "instance_id" in record and "task_id" not in record:
        return _response(number, record, source, stem)
    is_trajectory = isinstance(record.get("turns"), list)
    if is_trajectory:
        record = {"answer": None, **record}
    problem = _problem(record, "task_id", "answer")
    if problem:
        return Problem(number, problem, source)
    tags = _trajectory_tags(record) if is_trajectory else _tags(record)
    failure = record.get("failure") if is_trajectory else None
    return Trial(
        record["task_id"],
        record["answer"],
        number,
        tags,
        source,
        failure if isinstance(failure, str) else None,
    )


def _problem(record: dict[str, Any], task: str, answer: str) -> str:
    """Why a record states no answer to a task; nothing if it does."""
    if not isinstance(record.get(task), str):
        return _wrong(task, "a text", record)
    if answer not in record or not isinstance(record[answer], str | None):
        return _wrong(answer, "a text or null", record)
    return ""


def _response(number: int, record: dict[str, Any], source: str, stem: str) -> Trial | Problem:
    problem = _problem(record, "instance_id", "response")
    if problem:
        return Problem(number, problem, source)
    task_id = record["instance_id"]
    tags = _tags({"agent": _agent(stem, task_id), "trial": record.get("trial_idx")})
    return Trial(task_id, record["response"], number, tags, source)


def _agent(stem: str, task_id: str) -> str | None:
    """The model after which WideSearch names a file: `MODEL_TASK_TRIAL[_multi_agent]_response`."""
    match = _RESPONSE_FILE.fullmatch(stem)
    if match is None or not match["agent"].endswith(f"_{task_id}"):
        return None
    return match["agent"].removesuffix(f"_{task_id}") + (match["kind"] or "")


def _tags(record: Mapping[str, Any]) -> dict[str, str]:
    """The fields that tell trials apart."""
    return {
        name: str(value)
        for name, value in record.items()
        if name not in ("task_id", "answer") and _is_tag(name) and _is_tag(value)
    }


def _is_tag(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    text = str(value)
    return 0 < len(text) <= LONGEST_TAG and text.isprintable()


def _trajectory_tags(record: dict[str, Any]) -> dict[str, str]:
    tags = _tags({name: record.get(name) for name in _TRAJECTORY_TAGS})
    if tags.get("effective_policy") == tags.get("policy"):
        tags.pop("effective_policy", None)
    return tags


def _wrong(name: str, wanted: str, record: dict[str, Any]) -> str:
    if name not in record:
        return f"{name} is missing"
    return f"{name} is {_KINDS[type(record[name])]}, not {wanted}"


_KINDS = {
    dict: "an object",
    list: "a list",
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    type(None): "null",
}


def parse_object(line: bytes) -> dict[str, Any]:
    """The JSON object that a line holds.

    Raises:
        ValueError: it holds none; the message says in one line why.
    """
    try:
        record = json.loads(line.decode().rstrip("\r\n"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        message = f"invalid UTF-8 at byte {error.start + 1}"
        raise ValueError(message) from error
    except json.JSONDecodeError as error:
        message = f"invalid JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"
        raise ValueError(message) from error
    except RecursionError as error:
        message = "invalid JSON: too deeply nested"
        raise ValueError(message) from error
    except ValueError as error:
        message = f"invalid JSON: {error}"
        raise ValueError(message) from error
    if not isinstance(record, dict):
        message = f"{_KINDS[type(record)]}, not an object"
        raise ValueError(message)
    return record


def _refuse(constant: str) -> None:
    message = f"{constant} is no number"
    raise ValueError(message)
