"""Reading a file of answers: JSON lines of `{"task_id": ..., "answer": "...markdown..."}`."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from answers.trials import Problem, Trial


def read_answers(path: Path) -> Iterator[Trial | Problem]:
    """The trials of a file, one at a time, and the lines that are none.

    An `answer` of null means that there was none. Other fields and blank lines are ignored. Lines
    end with a line feed alone: answers can hold every other separator.

    Raises:
        OSError: the file can't be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if line.strip():
                yield _read(number, line)


def _read(number: int, line: bytes) -> Trial | Problem:
    try:
        record = parse_object(line)
    except ValueError as error:
        return Problem(number, str(error))
    task_id, answer = record.get("task_id"), record.get("answer")
    if not isinstance(task_id, str):
        return Problem(number, _wrong("task_id", "a text", record))
    if "answer" not in record or not isinstance(answer, str | None):
        return Problem(number, _wrong("answer", "a text or null", record))
    return Trial(task_id, answer, number)


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
