"""The type of a column, inferred from its words as under the public WideSearch scorer.

Source: WideSearch (arXiv 2508.07999), whose public scorer reads tables with pandas 2.3: what a
cell's text becomes depends on its whole column (`7` in a column with a blank reads `7.0`), so the
types are part of the measure. One thing is left out: in tables of more than about 100,000 rows
that reader infers types piece by piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from answers.widesearch.numerals import (
    LARGEST_SIGNED,
    Overflow,
    is_negative,
    signed,
    to_float,
    unsigned,
)

__all__ = ["Column", "Dtype", "infer"]

Dtype = Literal["int64", "uint64", "float64", "bool", "object", "repeated"]
"""The types that columns are read as; `repeated` marks several columns under one name, whose cells
are tuples."""

_MISSING = frozenset(
    (
        *("", "NA", "<NA>", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "-NaN", "-nan"),
        *("#NA", "#N/A", "#N/A N/A", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
    )
)
_BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True)
class Column:
    """A column's type and its cells; a missing cell is NaN."""

    dtype: Dtype
    values: list[Any]

    def texts(self) -> list[str]:
        """The cells as text, a missing one as `nan`."""
        return list(map(str, self.values))

    def take(self, places: Sequence[int]) -> Column:
        """The cells in some rows."""
        return Column(self.dtype, [self.values[place] for place in places])


def infer(words: Sequence[str]) -> Column:
    """A column of words as the narrowest type that holds them all."""
    if not words:
        return Column("object", [])
    try:
        return _integers(words) or _others(words)
    except Overflow:
        return _large_integers(words)


def _others(words: Sequence[str]) -> Column:
    return _fractions(words) or _booleans(words) or _texts(words)


def _read(words: Sequence[str], read: Callable[[str], Any]) -> list[Any] | None:
    """Each word read, missing ones as NaN; None if one can't be."""
    values = []
    for word in words:
        value = math.nan if word in _MISSING else read(word)
        if value is None:
            return None
        values.append(value)
    return values


def _has_missing(words: Sequence[str]) -> bool:
    return not _MISSING.isdisjoint(words)


def _integers(words: Sequence[str]) -> Column | None:
    values = _read(words, signed)
    if values is None:
        return None
    if _has_missing(words):
        return Column("float64", list(map(float, values)))
    return Column("int64", values)


def _large_integers(words: Sequence[str]) -> Column:
    """A column in which 64 bits are too few for some integer, if they have a sign."""
    try:
        values = _read(words, unsigned)
    except Overflow:
        return _texts(words)
    if values is None:
        return _others(words)
    negative = any(map(is_negative, words))
    if not any(value > LARGEST_SIGNED for value in values):
        return _texts(words)
    if negative or _has_missing(words):
        # No type holds them; then missing cells are text as well.
        return Column("object", list(words))
    return Column("uint64", values)


def _fractions(words: Sequence[str]) -> Column | None:
    values = _read(words, to_float)
    return None if values is None else Column("float64", values)


def _booleans(words: Sequence[str]) -> Column | None:
    values = _read(words, lambda word: _BOOLEANS.get(word.lower()))
    if values is None:
        return None
    return Column("object" if _has_missing(words) else "bool", values)


def _texts(words: Sequence[str]) -> Column:
    return Column("object", [math.nan if word in _MISSING else word for word in words])
