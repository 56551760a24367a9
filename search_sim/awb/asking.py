"""Asking a model about many rows at once, a bounded number of them in flight."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from search_sim.awb.patient import is_away
from search_sim.awb.results import Journal, Made, Result
from search_sim.awb.rows import Key, Row
from worldgen.errors import LanguageModelError, WorldgenError
from worldgen.lm.records import Sampling
from worldgen.seeds import child_seed

_SEEDS = 1 << 31  # what every server takes for a seed
_TURNED_AWAY = (401, 403, 404)
_MOST_LOST = 8  # rows in a row; fewer may be the fault of a row that breaks its connection


@dataclass(frozen=True)
class Calls:
    """How a model is asked.

    Attributes:
        sampling: how it draws its replies.
        seed: the root of the seeds that it draws them with.
        concurrency: how many rows are in flight at most.
        timeout: the seconds that one reply may take, tries of the transport included.
    """

    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    concurrency: int = 32
    timeout: float = 600.0

    def configuration(self) -> dict[str, Any]:
        """What replies depend on."""
        return {**vars(self.sampling), "seed": self.seed}

    def seed_of(self, key: Key, tries: int) -> int:
        """The seed for a row that has been tried so many times."""
        return child_seed(self.seed, *key, tries) % _SEEDS


Answer = TypeVar("Answer", bound=Result, covariant=True)


class Question(Protocol[Answer]):
    """What a model is asked about each row."""

    async def ask(self, row: Row) -> Answer:
        """Ask about a row.

        Raises:
            LanguageModelError: there was no reply.
        """
        ...

    def failed(self, row: Row, error: LanguageModelError) -> Answer:
        """What a row is given that got no reply."""
        ...


async def ask_all(
    question: Question[Made],
    rows: Sequence[Row],
    journal: Journal[Made],
    concurrency: int,
    done: Callable[[Made], None] = lambda _: None,
) -> list[Made]:
    """Ask about rows that the journal has nothing on, or a failure, and note what comes of each.

    Args:
        question: what is asked.
        rows: the rows.
        journal: where results are written down as they come, failures too.
        concurrency: how many rows are in flight at most.
        done: called with the result of each row, those that were there before first.

    Returns:
        The results, in the order of the rows; the journal is then in that order too, and closed.

    Raises:
        LanguageModelError: the first row to come back found no server, or was turned away, and so
            would all be.
        WorldgenError: later so many in a row found no server that the others are left.
    """
    waiting = deque(row for row in rows if not _is_settled(journal.found.get(row.key), done))
    width = min(concurrency, len(waiting))
    most_lost = max(width, _MOST_LOST)
    met, lost = False, 0

    async def work() -> None:
        nonlocal met, lost
        while waiting:
            row = waiting.popleft()
            try:
                made, found = await question.ask(row), None
            except LanguageModelError as error:
                if not met and (is_away(error) or error.status in _TURNED_AWAY):
                    raise
                made, found = question.failed(row, error), error
            met, lost = True, lost + 1 if found and is_away(found) else 0
            journal.add(made)
            done(made)
            if found and waiting and lost >= most_lost:
                raise _gone(found, len(waiting)) from found

    await _together([asyncio.create_task(work()) for _ in range(width)])
    return journal.settle(row.key for row in rows)


async def _together(tasks: list[asyncio.Task[None]]) -> None:
    """Wait for tasks; if one fails, or this is cancelled, stop the others."""
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _is_settled(found: Made | None, done: Callable[[Made], None]) -> bool:
    """Whether a row needn't be asked about; tells of it if so."""
    if found is None or found.failure is not None:
        return False
    done(found)
    return True


def _gone(error: LanguageModelError, left: int) -> WorldgenError:
    message = f"{error}; {left} rows are left for another run of the same command"
    return WorldgenError(message)
