"""What a reply is worth: row and item precision, recall and F1.

Source: WideSearch (arXiv 2508.07999) and its public scorer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

__all__ = ["MEASURES", "Result", "score_cells"]

MEASURES = (
    *("score", "precision_by_row", "recall_by_row", "f1_by_row"),
    *("precision_by_item", "recall_by_item", "f1_by_item"),
)
"""The measures, in the order in which they are written."""

_NOTHING = 1e-9
"""Of precision and recall together; F1 is then 0."""


class Result(BaseModel):
    """The measures of one reply. Where rows join more than once, they exceed 1.

    Attributes:
        score: 1 for a reply that is right in full.
        precision_by_row: rows right in every cell, of the reply's rows.
        recall_by_row: rows right in every cell, of the gold rows.
        f1_by_row: their harmonic mean.
        precision_by_item: points of all cells, of the reply's cells.
        recall_by_item: points of all cells, of the gold cells.
        f1_by_item: their harmonic mean.
        status: `ok`, or why there is nothing to measure.
        exception: the error in the public scorer's log; None unless the status is `exception`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: float = 0.0
    precision_by_row: float = 0.0
    recall_by_row: float = 0.0
    f1_by_row: float = 0.0
    precision_by_item: float = 0.0
    recall_by_item: float = 0.0
    f1_by_item: float = 0.0
    status: Literal[
        "ok", "column_mismatch", "response_df is None", "response is None", "exception"
    ] = "ok"
    exception: str | None = None

    def record(self) -> dict[str, Any]:
        """The result as plain JSON data, without the exception if there is none."""
        return self.model_dump(exclude_none=True)


def score_cells(
    cells: Mapping[str, Sequence[Any]], said: int, gold: int, width: int, *, equal: bool
) -> Result:
    """The measures of the cells of joined rows.

    Args:
        cells: the points of each row, by column and metric. A column with two metrics has two.
        said: the reply's rows.
        gold: the gold rows.
        width: the columns that are asked for.
        equal: whether both tables hold the same rows, which gives the score of 1 by itself.
    """
    right_rows = sum(_row_points(cells))
    right_items = sum(sum(filter(_is_there, column)) for column in cells.values())
    row = _measures(right_rows, said, gold)
    item = _measures(right_items, said * width, gold * width)
    perfect = all(measure == 1.0 for measure in (*row, *item))
    return Result(
        score=float(equal or perfect),
        precision_by_row=row[0],
        recall_by_row=row[1],
        f1_by_row=row[2],
        precision_by_item=item[0],
        recall_by_item=item[1],
        f1_by_item=item[2],
    )


def _row_points(cells: Mapping[str, Sequence[Any]]) -> Iterator[Any]:
    """The least points of each row; a judge's blanks are left out."""
    for row in zip(*cells.values(), strict=True):
        yield min(filter(_is_there, row), default=0.0)


def _is_there(points: Any) -> bool:
    return points is not None and not (isinstance(points, float) and math.isnan(points))


def _measures(right: float, said: int, gold: int) -> tuple[float, float, float]:
    precision = float(right / said) if said else 0.0
    recall = float(right / gold) if gold else 0.0
    total = precision + recall
    f1 = 2 * precision * recall / total if total > _NOTHING else 0.0
    return precision, recall, f1
