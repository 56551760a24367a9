"""Ratios of sums over tasks, and how far they would move with other tasks of the same kind.

Every measure of a group is such a ratio: a mean is the sum of the tasks' values over their
number, a micro average the sum of what is right over the sum of what was said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from worldgen.seeds import generator

RESAMPLES = 1_000
LEVEL = 0.95

_SCALE = 1 << 40
"""Of a sum, what is smaller than a part of this is rounded away."""

Column = tuple[float, ...]
Interval = tuple[float, float]


class Ratio(NamedTuple):
    """A numerator and a denominator for each task, none of them negative."""

    over: Column
    under: Column

    @property
    def value(self) -> float:
        """The sum of the numerators over that of the denominators; 0 if that is 0."""
        # `math.fsum` rounds once: neither the order of tasks nor the version of Python matters.
        total = math.fsum(self.under)
        return math.fsum(self.over) / total if total else 0.0


def bootstrap(ratios: Iterable[Ratio], seed: int = 0) -> dict[Ratio, Interval]:
    """Percentile intervals of ratios over the same tasks, by drawing tasks with replacement.

    All ratios are taken over the same draws, which depend on the number of tasks alone.

    Returns:
        The intervals. A ratio over fewer than two tasks has none, nor one that no draw defines.
    """
    wanted = [ratio for ratio in dict.fromkeys(ratios) if sum(map(bool, ratio.under)) > 1]
    if not wanted:
        return {}
    found: dict[Ratio, list[float]] = {ratio: [] for ratio in wanted}
    moving = [ratio for ratio in wanted if not _is_constant(ratio, found)]
    places = {column: place for place, column in enumerate(dict.fromkeys(chain(*moving)))}
    lanes = _Lanes(places)
    # Places, since hashing a column takes as long as adding it.
    plan = [(places[ratio.over], places[ratio.under], found[ratio]) for ratio in moving]
    draws = generator(seed, "bootstrap", len(lanes.packed))
    for _ in range(RESAMPLES if moving else 0):
        sums = lanes.sums(draws.choices(lanes.packed, k=len(lanes.packed)))
        for over, under, values in plan:
            if sums[under]:
                values.append(sums[over] / sums[under])
    return {ratio: _percentiles(values) for ratio, values in found.items() if values}


class _Lanes:
    """Columns of numbers, packed so that for each task one whole number holds its part of each.

    Adding such numbers adds all columns at once, exactly, and so the same everywhere.
    """

    def __init__(self, columns: Iterable[Column]) -> None:
        self._shifts: list[tuple[int, int]] = []
        self.packed: list[int] = []
        shift = 0
        for column in columns:
            parts = [round(value * _SCALE) for value in column]
            width = (max(parts) * len(parts)).bit_length()
            self._shifts.append((shift, (1 << width) - 1))
            old = self.packed or [0] * len(parts)
            self.packed = [one | part << shift for one, part in zip(old, parts, strict=True)]
            shift += width

    def sums(self, drawn: Iterable[int]) -> list[int]:
        """The sum of each column over the tasks that were drawn, in the order of the columns."""
        total = sum(drawn)
        return [total >> shift & mask for shift, mask in self._shifts]


def _is_constant(ratio: Ratio, found: dict[Ratio, list[float]]) -> bool:
    """Whether every draw gives one value, which is then noted."""
    if len(set(ratio.over)) == len(set(ratio.under)) == 1:
        found[ratio].append(ratio.over[0] / ratio.under[0])
    return bool(found[ratio])


def _percentiles(values: Sequence[float]) -> Interval:
    ordered = sorted(values)
    tail = (1 - LEVEL) / 2
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies, between neighbours in proportion."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
