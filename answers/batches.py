"""Trials in batches, so that several processes can work on them; results come in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple, TypeVar

from answers.attempts import Gold, Trial
from worldgen.runner import run_jobs

BATCH = 32
"""How many trials a process takes at a time."""

Made = TypeVar("Made")


class Numbered(NamedTuple):
    """A trial with its task and its number among the trials of that task."""

    gold: Gold
    trial: Trial
    number: int


Batch = tuple[Numbered, ...]


def run_batches(
    work: Callable[[Batch], list[Made]],
    found: Iterable[Numbered],
    workers: int,
    done: Callable[[Made], None] = lambda _: None,
) -> list[Made]:
    """Work on trials in batches; what comes back doesn't depend on the number of workers.

    Args:
        work: makes one thing of each trial of a batch; other processes must be able to import it.
        found: the trials.
        workers: the number of processes; 1 works in this one, a trial at a time.
        done: called with each result, in any order.
    """
    if workers <= 1:
        return [_told(made, done) for one in found for made in work((one,))]
    jobs = list(_batches(_lightened(found)))

    def told(batch: list[Made]) -> None:
        for made in batch:
            done(made)

    batches = run_jobs(work, jobs, workers, told)
    return [made for batch in batches for made in batch]


def _told(made: Made, done: Callable[[Made], None]) -> Made:
    done(made)
    return made


def _batches(found: Iterator[Numbered]) -> Iterator[Batch]:
    while batch := tuple(islice(found, BATCH)):
        yield batch


def _lightened(found: Iterable[Numbered]) -> Iterator[Numbered]:
    """The trials with their tasks as another process needs them: without the lineage."""
    light: dict[str, Gold] = {}
    for one in found:
        gold = light.get(one.gold.task_id)
        if gold is None:
            answer = one.gold.answer.model_copy(update={"lineage": ()})
            gold = light[one.gold.task_id] = replace(one.gold, answer=answer)
        yield one._replace(gold=gold)
