"""Every error that worldgen raises on purpose.

    WorldgenError
    ├── UnknownNameError      a domain, a table, a column, a policy that doesn't exist
    ├── BlueprintError        a blueprint that contradicts itself
    ├── GenerationError       a world that could not be made
    │   └── RuleBrokenError   its rows break a rule of its blueprint
    ├── WorldFileError        a file that is no world, or a damaged one
    ├── ConfigurationError    options that don't fit together, a folder that can't be used
    ├── EpisodeClosedError    a tool was called after the answer was given
    ├── ServiceError          a server refused a request, or could not be reached
    └── LanguageModelError    a language model gave no reply

Each message is one line that says what, where and what to do; the parts are attributes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

__all__ = [
    "BlueprintError",
    "ConfigurationError",
    "EpisodeClosedError",
    "GenerationError",
    "LanguageModelError",
    "RuleBrokenError",
    "ServiceError",
    "UnknownNameError",
    "WorldFileError",
    "WorldgenError",
]


class WorldgenError(Exception):
    """The root: whatever worldgen raises on purpose.

    Errors travel between processes with all their parts.
    """

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle message and attributes, whatever arguments the class takes."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(
    kind: type[WorldgenError], args: tuple[object, ...], parts: dict[str, object]
) -> WorldgenError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(parts)
    return error


class UnknownNameError(WorldgenError):
    """A name that nothing is registered under.

    Attributes:
        name: the name as given.
        kind: what was looked for, for example "domain".
        known: the names that exist, sorted.
    """

    def __init__(self, name: str, kind: str, known: Iterable[str]) -> None:
        """Word the message, with the nearest known name if there is one."""
        self.name, self.kind, self.known = name, kind, sorted(known)
        near = difflib.get_close_matches(name, self.known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(self.known) or 'none'}"
        super().__init__(f"unknown {kind} {name!r}: {hint}")


class BlueprintError(WorldgenError):
    """A blueprint that contradicts itself.

    Attributes:
        blueprint: its id, or its file's name where it has none yet.
        problem: what is wrong with it.
    """

    def __init__(self, blueprint: str, problem: str) -> None:
        """Word the message."""
        self.blueprint, self.problem = blueprint, problem
        super().__init__(f"blueprint {blueprint!r}: {problem}")


class GenerationError(WorldgenError):
    """A world that could not be made.

    Attributes:
        blueprint: the blueprint's id.
        seed: the world's seed.
        problem: what went wrong.
    """

    def __init__(self, blueprint: str, seed: int, problem: str) -> None:
        """Word the message."""
        self.blueprint, self.seed, self.problem = blueprint, seed, problem
        super().__init__(f"{blueprint}, seed {seed}: {problem}")


class RuleBrokenError(GenerationError):
    """Rows that break a rule of their blueprint.

    Attributes:
        rule: the rule in words.
        rows: the first few offending rows.
    """

    def __init__(
        self, blueprint: str, seed: int, rule: str, rows: list[tuple[object, ...]]
    ) -> None:
        """Word the message."""
        self.rule, self.rows = rule, rows
        super().__init__(blueprint, seed, f"rule broken: {rule} (first offending rows: {rows[:3]})")


class WorldFileError(WorldgenError):
    """A file that is no world, or a damaged one.

    Attributes:
        path: the file.
        problem: what is wrong with it.
    """

    def __init__(self, path: Path, problem: str) -> None:
        """Word the message."""
        self.path, self.problem = path, problem
        super().__init__(f"{path}: {problem}")


class ConfigurationError(WorldgenError):
    """Options that don't fit together, or a folder that can't be used."""


class EpisodeClosedError(WorldgenError):
    """A tool was called after the answer was given."""


class ServiceError(WorldgenError):
    """A server refused a request, or could not be reached.

    Attributes:
        status: the HTTP status; 0 if there was no response.
        code: the refusal's code.
    """

    def __init__(self, status: int, code: str, message: str) -> None:
        """Keep the parts."""
        self.status, self.code = status, code
        super().__init__(f"{code}: {message}")


LanguageModelFault = Literal[
    "late", "overloaded", "server", "refused", "unreachable", "unreadable", "resting"
]


class LanguageModelError(WorldgenError):
    """A language model gave no reply.

    Attributes:
        kind: `late`: not within its time. `overloaded`: the server said 429. `server`: it said 5xx.
            `refused`: it said another 4xx. `unreachable`: no connection, or a broken one.
            `unreadable`: what came back is no reply. `resting`: too many failed just before, so
            this one wasn't sent.
        status: the HTTP status; 0 if there was none.
        retry_after: the seconds that the server asks to wait, if it does.
    """

    def __init__(
        self,
        kind: LanguageModelFault,
        message: str,
        status: int = 0,
        retry_after: float | None = None,
    ) -> None:
        """Keep the parts."""
        self.kind, self.status, self.retry_after = kind, status, retry_after
        super().__init__(f"language model, {kind}: {message}")

    @property
    def passing(self) -> bool:
        """Whether the same request may get a reply a little later."""
        return self.kind in ("late", "overloaded", "server", "unreachable")
