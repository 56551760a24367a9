"""Summing up the trials of many tasks.

Source: WideSearch (arXiv 2508.07999) and its public scorer. Its Avg@N is `avg_n`, its Pass@N is
`max_n` of the score, its Max@N is `max_n` of a measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from answers.widesearch.result import MEASURES

__all__ = ["aggregate"]

_SUMMARIES: dict[str, Callable[[Sequence[float]], float]] = {
    "avg_n": fmean,
    "max_n": max,
    "min_n": min,
}


def aggregate(
    tasks: Sequence[Sequence[Mapping[str, float] | None]], trials: int
) -> dict[str, dict[str, float]]:
    """Mean, best and worst of each task's trials, and the means of these over the tasks.

    Args:
        tasks: for each task, the measures of each of its trials; None where they were lost.
        trials: how many trials a task has at least.

    Returns:
        By measure, `avg_n`, `max_n` and `min_n`; nothing if there is no task.

    Raises:
        ValueError: a task has fewer trials, or a measure is missing in some of them.
    """
    return {measure: _summary(measure, tasks, trials) for measure in MEASURES if tasks}


def _summary(
    measure: str, tasks: Sequence[Sequence[Mapping[str, float] | None]], trials: int
) -> dict[str, float]:
    values = [[trial[measure] for trial in task if trial and measure in trial] for task in tasks]
    fewest = min(map(len, values))
    if fewest < max(trials, 1):
        message = f"a task has {fewest} trials of {trials} with {measure}"
        raise ValueError(message)
    return {name: fmean(map(float, map(take, values))) for name, take in _SUMMARIES.items()}
