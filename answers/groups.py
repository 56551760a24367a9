"""Tasks' trials taken together, and tasks taken together in groups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from answers.attempts import Gold, ScoredTrial
from answers.intervals import Interval, Ratio, bootstrap
from answers.micro import Tally, micro_ratios
from answers.report import Means, best, combine, least, mean

_NOTHING = Means(item_f1=0.0, row_f1=0.0, guarded_f1=0.0, key_f1=0.0, success=0.0)
_BANDS = 5

Intervals = dict[str, dict[str, Interval]]


class TaskResult(BaseModel):
    """A task's trials taken together.

    Attributes:
        tags: the task's own.
        trials: how many there are.
        failed: how many of them had a reply that could not be read, or none.
        successes: how many of them were right in full.
        guarded_columns: how many columns of the answer are guarded.
        mean: the means over the trials.
        max_n: measure by measure, the best of the trials.
        min_n: measure by measure, the worst of the trials.
        tally: what the trials have right, said and wanted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: str
    tags: dict[str, str]
    trials: int
    failed: int
    successes: int
    guarded_columns: int
    mean: Means
    max_n: Means
    min_n: Means
    tally: Tally

    def passes(self, k: int) -> float | None:
        """The chance that one of k trials is right in full; None if there are fewer than k.

        The unbiased estimate from all trials: 1 - C(n - c, k) / C(n, k) of n trials, c right.
        """
        if not self.trials:
            return 0.0
        if self.trials < k:
            return None
        return 1.0 - math.comb(self.trials - self.successes, k) / math.comb(self.trials, k)

    def record(self) -> dict[str, Any]:
        """The task as plain JSON data."""
        tally = {name: part._asdict() for name, part in self.tally._asdict().items()}
        return {**self.model_dump(exclude={"tally"}), "tally": tally}


class PassAt(BaseModel):
    """The share of tasks of which one of k trials is right in full.

    Attributes:
        tasks: how many tasks have so many trials.
        interval: where the share would lie with other tasks; None if it can't be told.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: int
    tasks: int
    value: float
    interval: Interval | None = None


class Group(BaseModel):
    """A group of tasks.

    Attributes:
        tags: what the tasks have in common.
        tasks: how many there are.
        trials: how many trials they have.
        failed: how many of these had a reply that could not be read, or none.
        mean: means over tasks of the mean over trials.
        max_n: means over tasks of the best of the trials.
        min_n: means over tasks of the worst of the trials.
        micro: precision, recall and F1 over all cells, rows and guarded cells of all trials.
        pass_at: for each k, the share of tasks of which one of k trials is right in full.
        intervals: for `mean`, `max_n`, `min_n` and `micro`, the measures' confidence intervals;
            none over fewer than two tasks.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tags: dict[str, str]
    tasks: int
    trials: int
    failed: int
    mean: Means
    max_n: Means
    min_n: Means
    micro: dict[str, float]
    pass_at: tuple[PassAt, ...]
    intervals: Intervals

    def record(self) -> dict[str, Any]:
        """The group without its tags, as plain JSON data."""
        return self.model_dump(exclude={"tags"})

    def interval(self, measure: str, how: str = "mean") -> Interval | None:
        """The interval of a measure, if it has one."""
        return self.intervals.get(how, {}).get(measure)


def task_result(gold: Gold, trials: Sequence[ScoredTrial]) -> TaskResult:
    """A task's trials taken together."""
    scores = [trial.score for trial in trials]
    guarded = [one for one in scores if one.guarded_columns]
    width = len(gold.answer.columns)
    return TaskResult(
        task_id=gold.task_id,
        tags=dict(gold.tags),
        trials=len(scores),
        failed=sum(one.problem is not None for one in scores),
        successes=sum(one.success for one in scores),
        guarded_columns=scores[0].guarded_columns,
        mean=combine(scores, guarded, mean),
        max_n=combine(scores, guarded, best),
        min_n=combine(scores, guarded, least),
        tally=Tally.total(Tally.of(one, width) for one in scores),
    )


def untried(gold: Gold) -> TaskResult:
    """A task without a trial, which has nothing right."""
    return TaskResult(
        task_id=gold.task_id,
        tags=dict(gold.tags),
        trials=0,
        failed=0,
        successes=0,
        guarded_columns=sum(column.guarded for column in gold.answer.columns),
        mean=_NOTHING,
        max_n=_NOTHING,
        min_n=_NOTHING,
        tally=Tally.untried(gold),
    )


def group(tags: Mapping[str, str], tasks: Sequence[TaskResult], ks: Sequence[int]) -> Group:
    """Tasks taken together, with intervals, and with pass@k for each k."""
    ratios = {how: _mean_ratios(tasks, how) for how in ("mean", "max_n", "min_n")}
    ratios["micro"] = micro_ratios([task.tally for task in tasks])
    passes = {k: _pass_ratio(tasks, k) for k in ks}
    known = bootstrap([r for found in ratios.values() for r in found.values()] + [*passes.values()])
    values = {
        how: {name: ratio.value for name, ratio in found.items()} for how, found in ratios.items()
    }
    intervals = {
        how: {name: known[ratio] for name, ratio in found.items() if ratio in known}
        for how, found in ratios.items()
    }
    return Group(
        tags=dict(tags),
        tasks=len(tasks),
        trials=sum(task.trials for task in tasks),
        failed=sum(task.failed for task in tasks),
        mean=Means(**values["mean"]),
        max_n=Means(**values["max_n"]),
        min_n=Means(**values["min_n"]),
        micro=values["micro"],
        pass_at=tuple(_pass_at(k, ratio, known.get(ratio)) for k, ratio in passes.items()),
        intervals={how: found for how, found in intervals.items() if found},
    )


def _mean_ratios(tasks: Sequence[TaskResult], how: str) -> dict[str, Ratio]:
    ones = (1.0,) * len(tasks)
    guarded = tuple(float(task.guarded_columns > 0) for task in tasks)
    return {
        name: Ratio(
            tuple(getattr(getattr(task, how), name) for task in tasks),
            guarded if name == "guarded_f1" else ones,
        )
        for name in Means.model_fields
    }


def _pass_ratio(tasks: Sequence[TaskResult], k: int) -> Ratio:
    found = [task.passes(k) for task in tasks]
    return Ratio(tuple(one or 0.0 for one in found), tuple(float(one is not None) for one in found))


def _pass_at(k: int, ratio: Ratio, interval: Interval | None) -> PassAt:
    return PassAt(k=k, tasks=int(sum(ratio.under)), value=ratio.value, interval=interval)


def by_tag(tag: str, tasks: Iterable[TaskResult], ks: Sequence[int]) -> tuple[Group, ...]:
    """Groups of tasks by a tag of theirs, sorted; difficulties are taken in bands."""
    found: dict[str, list[TaskResult]] = {}
    for task in tasks:
        value = task.tags.get(tag, "")
        found.setdefault(band(value) if tag == "difficulty" else value, []).append(task)
    return tuple(group({tag: value}, found[value], ks) for value in sorted(found))


def by_trial_tag(
    tag: str,
    gold: Mapping[str, Gold],
    trials: Mapping[str, Sequence[ScoredTrial]],
    ks: Sequence[int],
) -> tuple[Group, ...]:
    """Groups by a tag of the trials, sorted: in each, the tasks with the trials that have it."""
    found: dict[str, list[TaskResult]] = {}
    for task_id, tried in trials.items():
        mine: dict[str, list[ScoredTrial]] = {}
        for trial in tried:
            mine.setdefault(trial.score.tags.get(tag, ""), []).append(trial)
        for value, some in mine.items():
            found.setdefault(value, []).append(task_result(gold[task_id], some))
    return tuple(group({tag: value}, found[value], ks) for value in sorted(found))


def difficulty(text: str) -> float | None:
    """The number that a difficulty states, from 0 to 1; None if it states none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None


def band(text: str) -> str:
    """The fifth of the scale in which a difficulty lies, `0.2-0.4`; what is no number stays."""
    value = difficulty(text)
    if value is None:
        return text
    place = min(int(value * _BANDS), _BANDS - 1)
    return f"{place / _BANDS:g}-{(place + 1) / _BANDS:g}"
