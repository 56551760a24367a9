"""Reading the benchmark: a folder of `*_test.jsonl` files, a row a line.

Lines end with a line feed alone: rows hold U+2028 and other characters that end lines elsewhere.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from answers.answers_file import parse_object
from answers.attempts import Problem
from worldgen.canonical import canonical_json
from worldgen.errors import ConfigurationError, UnknownNameError

SUFFIX = "_test.jsonl"
DOMAINS = ("mcp", "search", "terminal", "swe", "android", "web", "os")
"""The benchmark's domains, in the order of its published tables."""

MARKER = "**Environment Observation:**"
"""What an observation may start with, and what is no part of it."""

Key = tuple[str, int | str, int]
"""What names a row: task, id, turn."""


class Row(BaseModel):
    """One turn of one trajectory: all that came before, what the agent does, what came of it.

    Attributes:
        task: the domain, perhaps after a path: `x/search`.
        prompt, response: the agent's turns and the environment's observations; those after
            `turn_idx` are no part of the question.
        current_prompt: the turn in question, for rows whose `prompt` ends before it.
        system_str: what a world model is told first.
        turn_idx: the turn in question, from 1.
        total_turns: how many turns the trajectory has.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    task: str
    id: int | str
    prompt: tuple[str, ...]
    response: tuple[str, ...]
    current_prompt: str = ""
    system_str: str = ""
    turn_idx: int
    total_turns: int | None = None

    @property
    def key(self) -> Key:
        """What names the row."""
        return self.task, self.id, self.turn_idx

    @property
    def domain(self) -> str:
        """The last part of the task."""
        return self.task.rpartition("/")[2]

    @property
    def history(self) -> tuple[tuple[str, str], ...]:
        """The turns before the one in question: what the agent did, what came of it."""
        before = self.turn_idx - 1
        return tuple(zip(self.prompt[:before], self.response[:before], strict=True))

    @property
    def action(self) -> str:
        """What the agent does in the turn in question."""
        within = self.turn_idx <= len(self.prompt)
        return self.prompt[self.turn_idx - 1] if within else self.current_prompt

    @property
    def reference(self) -> str:
        """What really came of it."""
        return self.response[self.turn_idx - 1]

    @model_validator(mode="after")
    def _asks_something(self) -> Row:
        if self.domain not in DOMAINS:
            raise ValueError(str(UnknownNameError(self.domain, "domain", DOMAINS)))
        if not 1 <= self.turn_idx <= len(self.response):
            message = f"turn_idx is {self.turn_idx}, and there are {len(self.response)} responses"
            raise ValueError(message)
        if len(self.prompt) < self.turn_idx - 1 or not self.action:
            message = f"turn {self.turn_idx} has no prompt"
            raise ValueError(message)
        return self


def bare(observation: str) -> str:
    """An observation without the marker that it may start with."""
    return observation.strip().removeprefix(MARKER).strip()


@dataclass(frozen=True)
class Bench:
    """What a folder holds.

    Attributes:
        rows: the rows, by file and line.
        problems: the lines that are no rows, or rows that were there before.
    """

    rows: tuple[Row, ...]
    problems: tuple[Problem, ...] = ()


def read_bench(folder: Path) -> Bench:
    """Read the rows of a folder.

    Raises:
        ConfigurationError: there is no such folder, no file of the benchmark in it, or no row.
    """
    rows: dict[Key, Row] = {}
    places: dict[Key, str] = {}
    problems: list[Problem] = []
    for file in bench_files(folder):
        for number, line in _lines(file):
            found = _read(line)
            if isinstance(found, str):
                problems.append(Problem(number, found, file.name))
            elif found.key in rows:
                message = f"task, id and turn_idx are those of {places[found.key]}"
                problems.append(Problem(number, message, file.name))
            else:
                rows[found.key], places[found.key] = found, f"{file.name}, line {number}"
    if not rows:
        raise _nothing_in(folder, problems)
    return Bench(tuple(rows.values()), tuple(problems))


def _nothing_in(folder: Path, problems: Sequence[Problem]) -> ConfigurationError:
    first = [f": {one.source}, line {one.line}: {one.message}" for one in problems[:1]]
    return ConfigurationError(f"{folder} holds no row that can be read{''.join(first)}")


def load_rows(path: Path) -> tuple[Row, ...]:
    """The rows of one file, every line of which must be one.

    Raises:
        ConfigurationError: a line is none.
    """
    rows = []
    for number, line in _lines(path):
        found = _read(line)
        if isinstance(found, str):
            message = f"{path}, line {number}: {found}"
            raise ConfigurationError(message)
        rows.append(found)
    return tuple(rows)


def bench_files(folder: Path) -> list[Path]:
    """The benchmark's files in a folder, by name.

    Raises:
        ConfigurationError: there is no such folder, or none in it.
    """
    if not folder.is_dir():
        message = f"no such folder: {folder}"
        raise ConfigurationError(message)
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if not files:
        message = f"{folder} holds no *{SUFFIX} files; name the folder of AgentWorldBench's files"
        raise ConfigurationError(message)
    return files


def choose(bench: Bench, domains: Sequence[str] = (), limit: int | None = None) -> Bench:
    """Some of the rows, in their order.

    Args:
        bench: all of them.
        domains: the domains that count; all if empty.
        limit: how many rows of each domain, the first ones.

    Raises:
        UnknownNameError: a domain that there isn't.
        ConfigurationError: one that has no rows.
    """
    for name in domains:
        if name not in DOMAINS:
            raise UnknownNameError(name, "domain", DOMAINS)
        if not any(row.domain == name for row in bench.rows):
            message = f"there are no rows of the domain {name}"
            raise ConfigurationError(message)
    seen: Counter[str] = Counter()
    chosen = []
    for row in bench.rows:
        seen[row.domain] += 1
        if (not domains or row.domain in domains) and (limit is None or seen[row.domain] <= limit):
            chosen.append(row)
    return replace(bench, rows=tuple(chosen))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            bare_line = line.removeprefix(BOM_UTF8) if number == 1 else line
            if bare_line.strip():
                yield number, bare_line


def _read(line: bytes) -> Row | str:
    """The row of a line, or in one line why there is none."""
    try:
        record = parse_object(line)
        canonical_json(record).encode()
        return Row.model_validate(record)
    except ValidationError as error:
        return _worded(error)
    except UnicodeEncodeError:
        return "it holds half a character (a lone surrogate)"
    except ValueError as error:
        return str(error)


def _worded(error: ValidationError) -> str:
    first: Any = error.errors()[0]
    where = ".".join(map(str, first["loc"]))
    message = first["msg"].removeprefix("Value error, ").replace("valid tuple", "valid list")
    return f"{where}: {message}" if where else message
