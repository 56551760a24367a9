"""Summaries of many scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict

from answers.score import Score


class Summary(BaseModel):
    """The means over a group of scores, each from 0 to 1.

    Attributes:
        tags: what the scores of the group have in common.
        count: how many there are.
        failed: how many of them had a reply that could not be read.
        item_f1: mean over all cells.
        row_f1: mean over whole rows.
        guarded_f1: mean over guarded cells, of the scores whose answer has any.
        key_f1: mean over keys.
        success: the share that is right in full.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tags: dict[str, str]
    count: int
    failed: int
    item_f1: float
    row_f1: float
    guarded_f1: float
    key_f1: float
    success: float


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


def _summary(tags: dict[str, str], scores: Sequence[Score]) -> Summary:
    return Summary(
        tags=tags,
        count=len(scores),
        failed=sum(score.problem is not None for score in scores),
        item_f1=_mean(score.item_f1 for score in scores),
        row_f1=_mean(score.row_f1 for score in scores),
        guarded_f1=_mean(score.guarded_f1 for score in scores if score.guarded_columns),
        key_f1=_mean(score.key_f1 for score in scores),
        success=_mean(float(score.success) for score in scores),
    )


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return math.fsum(numbers) / len(numbers) if numbers else 0.0
