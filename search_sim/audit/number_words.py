"""Numbers that are written as words."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from search_sim.audit.tokens import Token

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth
fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth thousandth millionth"""

SMALL = {word: number for number, word in enumerate(_SMALL.split())} | {"nought": 0, "nil": 0}
TENS = {word: 10 * number for number, word in enumerate(_TENS.split(), 2)} | {"fourty": 40}
SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "trillion": 10**12}
ORDINALS = frozenset(_ORDINALS.split())
NUMBER_WORDS = frozenset({*SMALL, *TENS, *SCALES, "hundred"})
STARTS = NUMBER_WORDS | {"a"}
"""The words with which a number in words can start."""


class Words(NamedTuple):
    """A number in words.

    Attributes:
        value: the number.
        end: the place after its last word.
    """

    value: Decimal
    end: int


def number_in_words(tokens: Sequence[Token], place: int) -> Words | None:
    """The number whose words start at a place; None if none does.

    A lone "one" is no number: it's a pronoun far more often. `search_sim.audit.claims` sees to it.
    """
    start = place
    if tokens[place].fold == "a" and place + 1 < len(tokens) and _is_scale(tokens[place + 1].fold):
        place += 1
    if tokens[place].fold not in NUMBER_WORDS:
        return None
    total, group, end = 0, 0, start
    read = 0
    while place < len(tokens):
        fold = tokens[place].fold
        if fold == "hundred":
            group = max(group, 1) * 100
        elif fold in SCALES:
            total, group = total + max(group, 1) * SCALES[fold], 0
        elif _fits(group, fold):
            group += SMALL.get(fold, 0) or TENS.get(fold, 0)
        else:
            break
        read += 1
        end = place = place + 1
        place = _past_joiner(tokens, place)
    if read == 1 and tokens[start].fold == "one":
        return None
    return Words(Decimal(total + group), end)


def _is_scale(fold: str) -> bool:
    return fold == "hundred" or fold in SCALES


def _fits(group: int, fold: str) -> bool:
    """Whether a word goes on with a group below a thousand: `twenty` takes `one`, `two` doesn't."""
    if fold in TENS:
        return group % 100 == 0
    if fold in SMALL:
        small = SMALL[fold]
        return group % 100 == 0 or (group % 10 == 0 and group % 100 >= 20 and 0 < small < 10)
    return False


def _past_joiner(tokens: Sequence[Token], place: int) -> int:
    """The place after a hyphen or an "and" within a number, if a word of a number follows."""
    if place + 1 < len(tokens) and tokens[place].fold in ("-", "and"):
        after = tokens[place + 1].fold
        before = tokens[place - 1].fold
        if after in NUMBER_WORDS and (tokens[place].fold == "-" or _is_scale(before)):
            return place + 1
    return place
