"""Numbers in running text, with their scale and unit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from search_sim.audit.number_words import STARTS, number_in_words
from search_sim.audit.tokens import Token, stem
from search_sim.audit.units import currency_before, past_hyphen, scale_after, unit_after

_PLAIN = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_ENDINGS = frozenset({"st", "nd", "rd", "th"})


class Number(NamedTuple):
    """A number as it stands in a text.

    Attributes:
        value: what it is worth, scale included; None if its digits are malformed.
        unit: its unit or currency by one name, `th` for an ordinal; None if it has none.
        noun: the word that follows it directly, where it has no unit; else empty.
        start, end: the places of its tokens, unit included.
    """

    value: Decimal | None
    unit: str | None
    noun: str
    start: int
    end: int

    @property
    def is_year(self) -> bool:
        """Whether it can be a year: four digits, no unit."""
        value = self.value
        return value is not None and self.unit is None and 1000 <= value < 10_000 and value % 1 == 0


def with_unit(number: Number, units: Collection[str]) -> Number:
    """A number whose noun is one of some units, with that unit.

    Args:
        number: a number.
        units: units, in lower case and without plain endings: `mah`.
    """
    if number.unit is not None or stem(number.noun) not in units:
        return number
    return number._replace(unit=stem(number.noun), noun="", end=number.end + 1)


def find_numbers(tokens: Sequence[Token], taken: Collection[int] = ()) -> Iterator[Number]:
    """The numbers among some tokens, those at places that are taken left out."""
    end = 0
    for place, token in enumerate(tokens):
        if place < end or place in taken or not (token.kind == "number" or token.fold in STARTS):
            continue
        if found := _number_at(tokens, place):
            yield found
            end = found.end


def _number_at(tokens: Sequence[Token], place: int) -> Number | None:
    token = tokens[place]
    if token.kind == "number":
        return _finished(tokens, place, place + 1, _plain_value(token.text))
    if token.kind == "word" and (words := number_in_words(tokens, place)):
        return _finished(tokens, place, words.end, words.value)
    return None


@lru_cache(maxsize=8192)
def _plain_value(digits: str) -> Decimal | None:
    return Decimal(digits.replace(",", "")) if _PLAIN.fullmatch(digits) else None


def _finished(tokens: Sequence[Token], start: int, end: int, value: Decimal | None) -> Number:
    """The number with its sign, scale and unit."""
    if end < len(tokens) and tokens[end].fold in _ENDINGS and not tokens[end].spaced:
        return Number(value, "th", "", start, end + 1)
    currency, begin = currency_before(tokens, start)
    power, end = scale_after(tokens, end, currency is not None)
    unit, end = unit_after(tokens, end)
    value = value.scaleb(power) if value is not None and power else value
    if _is_negative(tokens, begin):
        value = None if value is None else -value
    if currency and unit and currency != unit:
        return Number(None, unit, "", begin, end)
    unit = currency or unit
    return Number(value, unit, "" if unit else _noun(tokens, end), begin, end)


def _is_negative(tokens: Sequence[Token], start: int) -> bool:
    """Whether a hyphen right before a number is its sign: nothing stands right before that."""
    if start == 0 or tokens[start - 1].fold != "-" or tokens[start].spaced:
        return False
    return start == 1 or tokens[start - 1].spaced


def _noun(tokens: Sequence[Token], end: int) -> str:
    end = past_hyphen(tokens, end)
    return tokens[end].fold if end < len(tokens) and tokens[end].kind == "word" else ""
