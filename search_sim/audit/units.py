"""Units and currencies beside a number, by one name each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from answers.units import CURRENCIES, SYMBOLS, magnitude, tidy, unit_names
from search_sim.audit.tokens import Token

_LONGEST = 3
"""Words in the longest spelling of a unit."""

_ORDINARY = frozenset({"won", "real", "bar", "second", "in", "try", "fathom", "knot"})
"""Spellings of units that are ordinary words too. What they count is then read as a noun."""

_TIMES = frozenset({"h", "d", "week", "month", "yr"})
"""Units that make another one with a word before them, as in `person-days`."""

_ONLY_AFTER_MONEY = frozenset({"m", "b"})


def unit_after(tokens: Sequence[Token], place: int) -> tuple[str | None, int]:
    """The unit that starts at a place, and where it ends; None and the place if there is none."""
    place = past_hyphen(tokens, place)
    words = tokens[place : place + _LONGEST]
    for length in range(len(words), 0, -1):
        if unit := _unit(" ".join(token.fold for token in words[:length])):
            return unit, place + length
    if words and words[0].fold == "in" and _ends_there(tokens, place + 1):
        return "inch", place + 1
    return None, place


def past_hyphen(tokens: Sequence[Token], place: int) -> int:
    """The place after a hyphen that joins two words, or the place itself."""
    hyphen = place < len(tokens) and tokens[place].fold == "-" and not tokens[place].spaced
    return place + 1 if hyphen and not _spaced(tokens, place + 1) else place


def _spaced(tokens: Sequence[Token], place: int) -> bool:
    return place >= len(tokens) or tokens[place].spaced


def _ends_there(tokens: Sequence[Token], place: int) -> bool:
    return place >= len(tokens) or tokens[place].kind == "mark"


@lru_cache(maxsize=8192)
def _unit(phrase: str) -> str | None:
    """The name of the unit that a phrase spells out in full, or None."""
    if phrase in _ORDINARY:
        return None
    spelling = tidy(phrase.replace(" - ", "-").replace(" / ", "/"))
    head, hyphen, last = spelling.rpartition("-")
    if " " in last or "/" in last:
        return None
    names = unit_names(last)
    if head and not names <= _TIMES:
        return None
    return f"{head}{hyphen}{_one(names)}" if names else None


def _one(names: frozenset[str]) -> str:
    """One name for a spelling: plain dollars are US dollars, others stay as many as they are."""
    return "usd" if "usd" in names else "|".join(sorted(names))


def currency_before(tokens: Sequence[Token], place: int) -> tuple[str | None, int]:
    """The currency that ends right before a place, and where it starts."""
    if place == 0:
        return None, place
    mark = tokens[place - 1]
    if mark.fold in SYMBOLS and mark.kind == "mark":
        return _marked(tokens, place - 1)
    if mark.kind == "word" and mark.fold in CURRENCIES and mark.fold not in _ORDINARY:
        return mark.fold, place - 1
    return None, place


def _marked(tokens: Sequence[Token], place: int) -> tuple[str | None, int]:
    """The currency of a mark: letters that are glued to it say which dollar it is."""
    country = tokens[place - 1] if place and not tokens[place].spaced else None
    symbol = tokens[place].fold
    if country is None or country.kind != "word":
        return _unit(symbol), place
    return _unit(symbol) if country.fold == "us" else f"{country.fold}{symbol}", place - 1


def scale_after(tokens: Sequence[Token], place: int, money: bool) -> tuple[int, int]:
    """The power of ten that stands at a place (`million`, `k`), and where it ends."""
    power = 0
    while place < len(tokens):
        token = tokens[place]
        found = magnitude(token.fold) if token.kind == "word" else None
        if found is None or not _is_scale(token, money):
            break
        power, place = power + found, place + 1
    return power, place


def _is_scale(token: Token, money: bool) -> bool:
    """Whether a word that can be a scale is one: `m` is metres unless it counts money."""
    if token.fold in _ONLY_AFTER_MONEY:
        return money and not token.spaced
    return token.fold != "k" or not token.spaced
