"""Summaries of many scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from pydantic import BaseModel, ConfigDict

from answers.score import Score


class Means(BaseModel):
    """The means over a group, each from 0 to 1.

    Attributes:
        item_f1: mean over all cells.
        row_f1: mean over whole rows.
        guarded_f1: mean over guarded cells, of those whose answer has any.
        key_f1: mean over keys.
        success: the share that is right in full.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    item_f1: float
    row_f1: float
    guarded_f1: float
    key_f1: float
    success: float


class Summary(Means):
    """The means over a group of scores.

    Attributes:
        tags: what the scores of the group have in common.
        count: how many there are.
        failed: how many of them had a reply that could not be read.
    """

    tags: dict[str, str]
    count: int
    failed: int


def summarise(scores: Sequence[Score], by: Sequence[str] = ()) -> list[Summary]:
    """Summaries of the groups of scores with equal tags, sorted by the tags' values.

    Args:
        scores: the scores.
        by: the tags to group by; none for one group of all. A score without a tag has it as "".
    """
    groups: dict[tuple[str, ...], list[Score]] = {}
    for score in scores:
        groups.setdefault(tuple(score.tags.get(tag, "") for tag in by), []).append(score)
    return [
        _summary(dict(zip(by, values, strict=True)), groups[values]) for values in sorted(groups)
    ]


def combine(
    found: Sequence[Score | Means],
    guarded: Sequence[Score | Means],
    how: Callable[[Iterable[float]], float],
) -> Means:
    """Make one of many, measure by measure.

    Args:
        found: what is combined.
        guarded: those of them whose answer has guarded columns.
        how: what makes one number of many: `mean`, `best` or `least`.
    """
    return Means(
        item_f1=how(one.item_f1 for one in found),
        row_f1=how(one.row_f1 for one in found),
        guarded_f1=how(one.guarded_f1 for one in guarded),
        key_f1=how(one.key_f1 for one in found),
        success=how(float(one.success) for one in found),
    )


def mean(values: Iterable[float]) -> float:
    """The mean, the same in whatever order the values come; 0 of none."""
    numbers = list(values)
    return math.fsum(numbers) / len(numbers) if numbers else 0.0


def best(values: Iterable[float]) -> float:
    """The largest value; 0 of none."""
    return max(values, default=0.0)


def least(values: Iterable[float]) -> float:
    """The smallest value; 0 of none."""
    return min(values, default=0.0)


def _summary(tags: dict[str, str], scores: Sequence[Score]) -> Summary:
    means = combine(scores, [score for score in scores if score.guarded_columns], mean)
    failed = sum(score.problem is not None for score in scores)
    return Summary(tags=tags, count=len(scores), failed=failed, **dict(means))
