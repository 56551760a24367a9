"""The language model that the public WideSearch scorer asks, as a small protocol.

It is asked for two things: which values of an answer mean which gold values (for the names of
columns, and for keys), and how well a column's cells state the gold ones. It answers in text; the
last JSON object in a fence counts. Source: WideSearch (arXiv 2508.07999) and its public scorer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

__all__ = [
    "CannedJudge",
    "Judge",
    "ScriptedJudge",
    "SilentJudge",
    "parse_markdown_json",
]

_FENCED = re.compile(r"`{3}json\s*({.*?})\s*`{3}", re.DOTALL)


class Judge(Protocol):
    """What a judge answers, as text; None if it can't be reached."""

    def align(self, said: Sequence[Any], gold: Sequence[Any]) -> str | None:
        """A JSON object from values of an answer to the gold values that they mean."""
        ...

    def grade(self, criterion: Any, pairs: Sequence[tuple[Any, Any]]) -> str | None:
        """A JSON object from `idx_0`, `idx_1` ... to 1 where a pair's first states its second."""
        ...


class SilentJudge:
    """A judge that never answers."""

    def align(self, said: Sequence[Any], gold: Sequence[Any]) -> str | None:
        """Nothing."""
        return None

    def grade(self, criterion: Any, pairs: Sequence[tuple[Any, Any]]) -> str | None:
        """Nothing."""
        return None


class CannedJudge:
    """A judge that gives replies in the order in which they were given to it, then none."""

    def __init__(self, replies: Iterable[str | None]) -> None:
        """Keep the replies."""
        self._replies = iter(replies)

    def align(self, said: Sequence[Any], gold: Sequence[Any]) -> str | None:
        """The next reply."""
        return next(self._replies, None)

    def grade(self, criterion: Any, pairs: Sequence[tuple[Any, Any]]) -> str | None:
        """The next reply."""
        return next(self._replies, None)


class ScriptedJudge:
    """A judge that knows which values mean the same."""

    def __init__(
        self,
        aliases: Mapping[str, str] | None = None,
        equivalent: Iterable[Sequence[str]] = (),
    ) -> None:
        """Keep what means the same.

        Args:
            aliases: gold values by other names for them.
            equivalent: pairs of an answer's cell and a gold cell that it states.
        """
        self._aliases = dict(aliases or {})
        self._equivalent = {tuple(pair) for pair in equivalent}

    def align(self, said: Sequence[Any], gold: Sequence[Any]) -> str | None:
        """Each value that is a gold value, or is known as another name for one."""
        known: dict[str, Any] = {}
        for value in said:
            meant = value if value in gold else self._aliases.get(value)
            if meant in gold:
                known[value] = meant
        return _fenced(known)

    def grade(self, criterion: Any, pairs: Sequence[tuple[Any, Any]]) -> str | None:
        """1 for each pair that is equal or known to be."""
        return _fenced(
            {
                f"idx_{place}": int(pair[0] == pair[1] or tuple(pair) in self._equivalent)
                for place, pair in enumerate(pairs)
            }
        )


def _fenced(value: Mapping[str, Any]) -> str:
    return f"```json\n{json.dumps(value, ensure_ascii=False)}\n```"


def parse_markdown_json(reply: str) -> dict[str, Any] | None:
    """The last JSON object that stands in a `json` fence; None if there is none, or it is broken.

    Args:
        reply: a model's reply.
    """
    found = _FENCED.findall(reply)
    if not found:
        return None
    try:
        value: dict[str, Any] = json.loads(found[-1])
    except (ValueError, RecursionError):
        return None
    return value
