"""Joins: values that are put side by side to make another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from answers.units import SYMBOLS
from search_sim.audit.given import Given
from search_sim.audit.reading import Item, Reading
from search_sim.audit.tokens import run
from search_sim.audit.units import currency_before, scale_after, unit_after

_VALUES = frozenset({"number", "date", "placeholder"})
_RANGE = frozenset({"to", "through", "point", "x", "/", "-", "–", "—"})
"""What makes one statement of two numbers."""


def join_faults(reading: Reading, given: Given) -> Iterator[str]:
    """Values side by side, and units beside placeholders, that don't stand so in a given part."""
    values = [item for item in reading.items if item.kind in _VALUES]
    for one, other in pairwise(values):
        if _are_joined(reading, one, other) and not _stands(reading, one.start, other.end, given):
            yield f'"{one.text}" and "{other.text}" must not be put together'
    for item in values:
        if item.kind == "placeholder":
            yield from _glued(reading, item.start, given)
    yield from _stray_symbols(reading, values)


def _stray_symbols(reading: Reading, values: Sequence[Item]) -> Iterator[str]:
    """Signs of currencies and percent that belong to no number."""
    if not any(symbol in reading.text for symbol in SYMBOLS):
        return
    taken = {place for item in values for place in range(item.start, item.end)}
    for place, token in enumerate(reading.tokens):
        stray = token.kind == "mark" and token.fold in SYMBOLS and place not in taken
        if stray and not reading.quoted[place]:
            yield f'"{token.text}" belongs beside a number that was given'


def _are_joined(reading: Reading, one: Item, other: Item) -> bool:
    if reading.quoted[one.start]:
        return False
    between = {token.fold for token in reading.tokens[one.end : other.start]}
    if not between:
        return "placeholder" not in (one.kind, other.kind) or one.kind != other.kind
    both_numbers = one.kind == other.kind == "number"
    return between <= _RANGE and (both_numbers or bool(between & {"to", "through"}))


def _stands(reading: Reading, start: int, end: int, given: Given) -> bool:
    return bool(given.holding(run(reading.tokens[start:end])))


def _glued(reading: Reading, place: int, given: Given) -> Iterator[str]:
    """Units, scales and currencies that stand right beside a placeholder."""
    if reading.quoted[place]:
        return
    tokens = reading.tokens
    unit, after = unit_after(tokens, place + 1)
    power, scaled = scale_after(tokens, place + 1, money=True)
    _, start = currency_before(tokens, place)
    end = max(after if unit else 0, scaled if power else 0, place + 1)
    plain = (start, end) == (place, place + 1)
    words = all(token.kind != "mark" for token in tokens[start:end])
    if not plain and not (words and _stands(reading, start, end, given)):
        text = reading.text[tokens[start].start : tokens[end - 1].end]
        yield f'"{text}" says more than the placeholder: write the placeholder alone'
