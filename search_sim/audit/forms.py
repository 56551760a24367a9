"""Forms: every way in which the alarm knows that a value can be written.

Forms are in the spelling of `search_sim.audit.views`: lower case, no marks, no separators, none of
the words "a", "and", "of" and "the".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GROUPS = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"), (100, "hundred"))
SCALE_WORDS = frozenset(name for _, name in _GROUPS)
NUMBER_WORDS = SCALE_WORDS | {*_ONES, *filter(None, _TENS)}
_SCALES = ((3, ("thousand", "k")), (6, ("million", "m", "mn")), (9, ("billion", "bn", "b")))
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


def number_forms(value: Decimal) -> Iterator[str]:
    """A number in digits, in words and in thousands, millions or billions."""
    plain = _plain(value)
    yield plain
    whole, _, fraction = plain.partition(".")
    words = words_of(int(whole))
    yield (
        " ".join((words, "point", *(_ONES[int(digit)] for digit in fraction)))
        if fraction
        else words
    )
    for power, names in _SCALES:
        if value >= 10**power // 10:
            scaled = _plain(value.scaleb(-power))
            yield from (f"{scaled} {name}" for name in names)


def _plain(value: Decimal) -> str:
    """Digits without needless zeros: `14`, `7.6`."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def words_of(number: int) -> str:
    """A whole number in words, without "and".

    Args:
        number: from 0 to below 10**12.
    """
    if number < 20:
        return _ONES[number]
    if number < 100:
        return f"{_TENS[number // 10]} {_ONES[number % 10]}".removesuffix(" zero")
    size, name = next(group for group in _GROUPS if number >= group[0])
    head, rest = divmod(number, size)
    return f"{words_of(head)} {name} {words_of(rest)}".removesuffix(" zero")


def date_forms(value: str) -> Iterator[str]:
    """A day in ISO 8601 as people write it, and the month that it lies in."""
    day = dt.date.fromisoformat(value)
    month = _MONTHS[day.month - 1]
    for name in (month, month[:3], *(("sept",) if day.month == 9 else ())):
        yield f"{day.day} {name} {day.year}"
        yield f"{name} {day.day} {day.year}"
        yield f"{day.year} {name} {day.day}"
        yield f"{day.day} {name}"
        yield f"{name} {day.day}"
        yield f"{name} {day.year}"
    yield f"{words_of(day.day)} {month}"
    yield f"{month} {words_of(day.day)}"
    yield f"{day.year} {day.month} {day.day}"
    yield f"{day.day} {day.month} {day.year}"
    yield f"{day.month} {day.day} {day.year}"
    yield f"{day.year}{day.month:02}{day.day:02}"
