"""What tests of AgentWorldBench share: rows, models that are told what to say, a judge's words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings

from search_sim.awb.asking import Calls
from search_sim.awb.rows import DOMAINS, Row
from search_sim.awb.verdicts import DIMENSIONS
from worldgen.errors import LanguageModelError
from worldgen.lm.records import Reply, Request

ROWS = Path(__file__).parent / "search_sim" / "awb" / "rows"
"""Rows of our own making, in the benchmark's layout: nine, of all seven domains."""

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
CALLS = Calls(concurrency=4, timeout=5.0)


class Scripted:
    """A language model that says what a function makes of a request."""

    def __init__(self, say: Callable[[Request], Reply | LanguageModelError | str]) -> None:
        self.name = "scripted"
        self.asked: list[Request] = []
        self._say = say

    async def complete(self, request: Request, timeout: float) -> Reply:
        self.asked.append(request)
        await asyncio.sleep(0)
        said = self._say(request)
        if isinstance(said, LanguageModelError):
            raise said
        return Reply(said) if isinstance(said, str) else said

    async def close(self) -> None:
        """Nothing to let go of."""


def a_row(domain: str = "search", turns: int = 2, **fields: Any) -> Row:
    """A row about its last turn."""
    numbers = range(1, turns + 1)
    known = {
        "task": domain,
        "id": 1,
        "prompt": tuple(f"action {n}" for n in numbers),
        "response": tuple(f"observation {n}" for n in numbers),
        "system_str": "You play a world.",
        "turn_idx": turns,
    }
    return Row(**{**known, **fields})


def some_rows(count: int) -> tuple[Row, ...]:
    """Rows whose domains take turns."""
    return tuple(a_row(DOMAINS[n % len(DOMAINS)], id=n) for n in range(count))


def graded(*scores: int, **parts: Any) -> str:
    """A judge's reply with five scores, in the order of the dimensions."""
    record = {
        "strengths": ["the shape"],
        "weaknesses": [],
        "scores": dict(zip(DIMENSIONS, scores, strict=True)),
        **parts,
    }
    return f"Let me see.\n<final_evaluation>\n{json.dumps(record)}\n</final_evaluation>"
