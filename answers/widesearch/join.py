"""Joining the rows of two tables on their keys, as under the public WideSearch scorer.

Source: WideSearch (arXiv 2508.07999), whose public scorer joins with pandas 2.3: each gold row
with each row of the answer that has the same key.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from answers.widesearch.errors import VALUE_ERROR, ScorerError
from answers.widesearch.infer import Column

__all__ = ["first_of_each", "inner_join"]

Key = tuple[Hashable, ...]

_NO_VALUE = object()
"""Stands for NaN and None, which are equal as keys."""


def row_keys(table: Mapping[str, Column], names: Sequence[str]) -> list[Key]:
    """The key of each row."""
    columns = (table[name].values for name in names)
    return [tuple(map(_comparable, row)) for row in zip(*columns, strict=True)]


def _comparable(value: Any) -> Hashable:
    missing = value is None or (isinstance(value, float) and math.isnan(value))
    return _NO_VALUE if missing else value


def first_of_each(table: Mapping[str, Column], names: Sequence[str]) -> dict[str, Column]:
    """The table without the rows whose key has stood in a row before.

    Raises:
        KeyError: the table has no column of some name.
        ScorerError: there are rows but no names.
    """
    if not names and height(table):
        raise ScorerError(VALUE_ERROR, "there are no key columns")
    places: dict[Key, int] = {}
    for place, key in enumerate(row_keys(table, names)):
        places.setdefault(key, place)
    kept = list(places.values())
    return {name: column.take(kept) for name, column in table.items()}


def height(table: Mapping[str, Column]) -> int:
    """How many rows a table has."""
    return max((len(column.values) for column in table.values()), default=0)


def inner_join(
    gold: Mapping[str, Column], said: Mapping[str, Column], names: Sequence[str]
) -> list[tuple[int, int]]:
    """The pairs of a gold row and a row of the answer that have the same key.

    Raises:
        IndexError: there are no key columns.
        ScorerError: the keys are of types that can't be joined.
    """
    if not names:
        message = "there are no key columns to join on"
        raise IndexError(message)
    for name in names:
        _refuse_unlike(gold[name], said[name], name)
    gold_keys, said_keys = row_keys(gold, names), row_keys(said, names)
    places: dict[Key, list[int]] = defaultdict(list)
    for place, key in enumerate(said_keys):
        places[key].append(place)
    pairs = [(row, place) for row, key in enumerate(gold_keys) for place in places.get(key, ())]
    if len(pairs) != len(gold_keys) or _are_sorted(gold_keys, said_keys):
        return pairs
    return _reordered(pairs, gold_keys)


def _refuse_unlike(gold: Column, said: Column, name: str) -> None:
    """Refuse to join numbers with texts; they are so only where no preprocessor made texts."""
    if "repeated" in (gold.dtype, said.dtype):
        raise ScorerError(VALUE_ERROR, f"several columns are called {name!r}")
    if gold.values and said.values and _are_numbers(gold.values) != _are_numbers(said.values):
        raise ScorerError(VALUE_ERROR, f"the keys in {name!r} are numbers in one table only")


def _are_numbers(values: Sequence[Any]) -> bool:
    there = [value for value in values if value is not None]
    return bool(there) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in there
    )


def _reordered(pairs: Sequence[tuple[int, int]], gold_keys: Sequence[Key]) -> list[tuple[int, int]]:
    """The pairs in the order in which they come where there are as many as gold rows.

    The join goes by groups of equal keys and then restores the order of the gold rows as if each
    had one partner. If some have two and some none, the order is another one; a judge that is
    asked about the pairs sees them so.
    """
    group = {key: number for number, key in enumerate(dict.fromkeys(gold_keys))}
    by_group = sorted(range(len(gold_keys)), key=lambda row: group[gold_keys[row]])
    position = {row: place for place, row in enumerate(by_group)}
    joined = sorted(pairs, key=lambda pair: position[pair[0]])
    return [joined[position[row]] for row in range(len(gold_keys))]


def _are_sorted(gold_keys: Sequence[Key], said_keys: Sequence[Key]) -> bool:
    """Whether both tables are sorted by key and one has no key twice; the order is then kept."""
    if len(set(gold_keys)) < len(gold_keys) and len(set(said_keys)) < len(said_keys):
        return False
    if gold_keys and len(gold_keys[0]) > 1:
        parts = [
            {value: number for number, value in enumerate(dict.fromkeys(column))}
            for column in zip(*itertools.chain(gold_keys, said_keys), strict=True)
        ]
        gold_keys = _numbered(gold_keys, parts)
        said_keys = _numbered(said_keys, parts)
    return _ascends(gold_keys) and _ascends(said_keys)


def _numbered(keys: Iterable[Key], parts: Sequence[Mapping[Hashable, int]]) -> list[Key]:
    """The keys with each part numbered in the order in which its values come up."""
    return [tuple(part[value] for part, value in zip(parts, key, strict=True)) for key in keys]


def _ascends(keys: Sequence[Any]) -> bool:
    try:
        return all(one <= other for one, other in itertools.pairwise(keys))
    except TypeError:
        return False
