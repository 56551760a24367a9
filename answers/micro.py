"""Micro averages: what is right, said and wanted, counted over cells and rows, not over tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from answers.attempts import Gold
from answers.intervals import Ratio
from answers.score import Score

PARTS = ("item", "row", "guarded")
"""What is counted: all cells, whole rows, guarded cells."""


class Counts(NamedTuple):
    """How many things are right, were said, and are wanted."""

    right: int = 0
    said: int = 0
    wanted: int = 0


class Tally(NamedTuple):
    """The counts of one trial, or of several together."""

    item: Counts = Counts()
    row: Counts = Counts()
    guarded: Counts = Counts()

    @classmethod
    def of(cls, score: Score, width: int) -> Self:
        """What a score counted, of an answer with so many columns."""
        widths = (width, 1, score.guarded_columns)
        return cls(*(_counts(score, *pair) for pair in zip(PARTS, widths, strict=True)))

    @classmethod
    def untried(cls, gold: Gold) -> Self:
        """What a task without a trial wants."""
        columns = gold.answer.columns
        widths = (len(columns), 1, sum(column.guarded for column in columns))
        return cls(*(Counts(wanted=len(gold.answer.rows) * width) for width in widths))

    @classmethod
    def total(cls, tallies: Iterable[Self]) -> Self:
        """Several tallies together."""
        parts = zip(*tallies, strict=True)
        return cls(*(Counts(*map(sum, zip(*part, strict=True))) for part in parts))


def _counts(score: Score, part: str, width: int) -> Counts:
    """The counts behind a precision and a recall."""
    precision, recall = (getattr(score, f"{part}_{name}") for name in ("precision", "recall"))
    wanted = score.gold_rows * width
    right = round(recall * wanted)
    said = round(right / precision) if right and precision else score.said_rows * width
    return Counts(right, said, wanted)


def micro_ratios(tallies: Sequence[Tally]) -> dict[str, Ratio]:
    """Precision, recall and F1 of each part, as ratios of sums over tasks."""
    found: dict[str, Ratio] = {}
    for place, part in enumerate(PARTS):
        counts = [tally[place] for tally in tallies]
        right = tuple(float(count.right) for count in counts)
        said = tuple(float(count.said) for count in counts)
        wanted = tuple(float(count.wanted) for count in counts)
        both = tuple(map(sum, zip(said, wanted, strict=True)))
        found[f"{part}_precision"] = Ratio(right, said)
        found[f"{part}_recall"] = Ratio(right, wanted)
        found[f"{part}_f1"] = Ratio(tuple(2 * one for one in right), both)
    return found
