"""Reading one number, with its unit, from the free text of a cell.

Thousands and decimals are told apart by what a number's marks allow. Where they allow both, the
column decides: see `_separated`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import NamedTuple

from answers.units import SYMBOLS, Unit, magnitude, tidy, unit_names, word_names
from worldgen.facts import Value

MAX_LENGTH = 200
"""Characters; a longer cell is an essay, not a number."""

# Digits enough for any double and any cell, so that nothing here is inexact or overflows.
_CONTEXT = Context(prec=400, rounding=ROUND_HALF_UP)
_UNIFIED = str.maketrans("‐‑‒–—−’", "------'")
_MINUS_WORD = re.compile(r"^minus (?=[0-9])")
_MINUS_SYMBOL = re.compile(rf"(?<![\w.])-([{SYMBOLS}]) ?(?=[0-9])")
_NUMBER = re.compile(
    r"(?P<sign>(?<![\w.])[-+])?"
    r"(?P<digits>(?<![\w^])\.?[0-9](?:[0-9,.' ]*[0-9])?(?:e[+-]?[0-9]{1,2}\b)?)"
)
_WHOLE = re.compile(
    r"[0-9]*|[1-9][0-9]{0,2}([,.' ])[0-9]{3}(?:\1[0-9]{3})*|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
)
_MARKS = re.compile("[,.' ]")
_GROUP = 3
_EXPONENT = re.compile(r"e[+-]?[0-9]+$")
_WORD = re.compile(rf"[^\W\d_]+(?:-[^\W\d_]+)*(?:\^?[0-9]+)?|°[cf]?|[{SYMBOLS}]")
_FIRST_WORD = re.compile(r" ?([^\W\d_]+)")
_FILLER = frozenset(" /~≈#?!.,:;()[]\"*†‡'")
_ABOUT = "about approx approximately around roughly circa c ca est estimated"
_HARMLESS = frozenset(_ABOUT.split())
# Words that make of a number a bound, a range, a choice or a denial.
_BOUNDS = """
or and to between from either not non more less fewer than least most under over above below up
nearly almost beyond exceeding half dozen minus plus times twice max min
"""
_SPOILERS = frozenset(_BOUNDS.split())
# Words that name a unit and are ordinary words too.
_AMBIGUOUS = frozenset({"in", "won", "real", "second", "bar"})


class _Word(NamedTuple):
    text: str
    names: frozenset[str]
    direct: bool
    """Whether it stands right after a number."""
    per: bool
    """Whether it stands after "per" or a stroke."""


def read_number(
    text: str, unit: Unit | None = None, implied: frozenset[str] = frozenset(), decimals: int = 0
) -> Decimal | None:
    """The one number that a cell states, in the column's unit.

    Args:
        text: the cell.
        unit: the column's unit; None if it has none.
        implied: names of units that a cell may state though the column has none.
        decimals: how many the column shows, for numbers that can be read in two ways.

    Returns:
        None if the cell states no number, or two different ones, a range or a bound, or a unit
        that contradicts the column's.
    """
    if len(text) > MAX_LENGTH:
        return None
    text = _MINUS_WORD.sub("-", tidy(text).translate(_UNIFIED))
    text = _MINUS_SYMBOL.sub(r"\1-", text)
    found = list(_NUMBER.finditer(text))
    if not found or not set(_WORD.sub("", _NUMBER.sub("", text))) <= _FILLER:
        return None
    values: set[Decimal | None] = set()
    words = list(_words(text[: found[0].start()], direct=False))
    ends = [*(number.start() for number in found[1:]), len(text)]
    for number, end in zip(found, ends, strict=True):
        power, rest = _magnitude(text[number.end() : end], unit, implied)
        values.add(_value(number, power, unit, decimals))
        words += _words(rest, direct=True)
    return values.pop() if len(values) == 1 and _fit(words, unit, implied) else None


def rounded(number: Value | Decimal, decimals: int) -> str | None:
    """A number rounded half up to some places and written out; None if it is not finite, or none.

    Args:
        number: the number, or text that `Decimal` reads.
        decimals: digits kept after the point.
    """
    try:
        value = Decimal(str(number)).quantize(Decimal(1).scaleb(-decimals), context=_CONTEXT)
    except InvalidOperation:
        return None
    if not value.is_finite():
        return None
    # Zero has no sign.
    return str(value if value else value.copy_abs())


def _magnitude(piece: str, unit: Unit | None, implied: frozenset[str]) -> tuple[int, str]:
    """The power of ten that the words right after a number stand for, and the text after them."""
    own = unit.names if unit else implied
    total = 0
    while match := _FIRST_WORD.match(piece):
        power = magnitude(match[1])
        is_metre = match[1] == "m" and unit is not None and unit.is_measure
        if power is None or is_metre or word_names(match[1]) & own:
            break
        total += power
        piece = piece[match.end() :]
    return total, piece


def _value(number: re.Match[str], power: int, unit: Unit | None, decimals: int) -> Decimal | None:
    digits, exponent = number["digits"], ""
    if match := _EXPONENT.search(digits):
        digits, exponent = digits[: match.start()], match[0]
    # A scaled number has decimals whatever the column has: 1,2 million.
    plain = _separated(digits, decimals, scaled=bool(power or exponent))
    if plain is None:
        return None
    value = Decimal(plain + exponent).scaleb(power, _CONTEXT)
    if power and unit:
        value = _CONTEXT.divide(value, unit.scale)
    return value.copy_negate() if number["sign"] == "-" else value


def _separated(digits: str, decimals: int, *, scaled: bool) -> str | None:
    """A number without its thousands marks, its decimals after a point; None if it is malformed.

    Of two different marks the last is the decimal one; a mark that stands twice marks thousands;
    a lone one that is not followed by three digits marks decimals. What is left can be either:
    a point is a decimal one, but in a column of whole numbers it marks thousands; a comma marks
    thousands, but in a column of three decimals or more it is a decimal one. A column of whole
    numbers asks for no decimals, so that `7,2` in it is two numbers.
    """
    last = max(digits.rfind(","), digits.rfind("."))
    if last < 0:
        return _whole(digits)
    mark, whole, fraction = digits[last], digits[:last], digits[last + 1 :]
    if mark in whole:
        return _whole(digits)
    if len(fraction) == _GROUP and "." not in whole and "," not in whole:
        is_thousands = decimals < _GROUP if mark == "," else not (decimals or scaled)
        if is_thousands and (marked := _whole(digits)):
            return marked
    comma_is_allowed = decimals or scaled or "." in whole
    plain = _whole(whole) if mark == "." or comma_is_allowed else None
    return None if plain is None or not fraction.isdecimal() else f"{plain}.{fraction}"


def _whole(digits: str) -> str | None:
    """Digits without the marks of their groups; None if the groups are malformed."""
    return _MARKS.sub("", digits) if _WHOLE.fullmatch(digits) else None


def _words(piece: str, *, direct: bool) -> Iterator[_Word]:
    """The words between two numbers, with what each can mean as a unit."""
    end, per = 0, False
    for match in _WORD.finditer(piece):
        gap, end = piece[end : match.start()], match.end()
        direct = direct and not gap.strip()
        if match[0] == "per":
            per = True
            continue
        yield _Word(match[0], word_names(match[0]), direct, per or "/" in gap)
        direct = per = False


def _fit(words: list[_Word], unit: Unit | None, implied: frozenset[str]) -> bool:
    """Whether no word spoils the number or contradicts the column's unit."""
    stated, strange = False, False
    for word in words:
        known = bool(unit_names(word.text)) and word.text not in _AMBIGUOUS
        if word.text in _SPOILERS or (magnitude(word.text) is not None and not known):
            return False
        if unit and word.per:
            if unit.per.isdisjoint(word.names) and (unit.per or unit.is_measure):
                return False
        elif word.names & (unit.names if unit else implied):
            stated = True
        elif known:
            return False
        elif word.direct and word.text not in _HARMLESS:
            strange = True
    return stated or not (unit and strange)
