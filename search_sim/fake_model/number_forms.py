"""Other ways to write numbers and dates, each exact: the value can be told from what is written."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_DATE = re.compile(rf"(\d{{4}})-(\d\d)-(\d\d)|(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})")
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_HUNDRED = 100
_SCALES = (
    *((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand")),
    (_HUNDRED, "hundred"),
)
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_LAST_WORD = re.compile(r"[a-z]+$")
_ROMAN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L")),
    *((40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)
_ROMAN_END = 4000


def in_words(number: Decimal) -> str:
    """A number in words: `fourteen point two`."""
    whole, _, decimals = f"{number:f}".partition(".")
    words = _whole_words(int(whole))
    return f"{words} point {' '.join(_ONES[int(d)] for d in decimals)}" if decimals else words


def _whole_words(number: int) -> str:
    for scale, name in _SCALES:
        if number >= scale:
            head, rest = divmod(number, scale)
            joint = " and " if 0 < rest < _HUNDRED else " "
            tail = f"{joint}{_whole_words(rest)}" if rest else ""
            return f"{_whole_words(head)} {name}{tail}"
    tens, ones = divmod(number, 10)
    if number < len(_ONES):
        return _ONES[number]
    return f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens]


def ordinal(number: Decimal) -> str:
    """A whole number as an ordinal word: `twenty-first`; another one as `in_words` has it."""
    if number != number.to_integral_value():
        return in_words(number)
    return _LAST_WORD.sub(lambda found: _ordinal_word(found[0]), _whole_words(int(number)))


def _ordinal_word(word: str) -> str:
    regular = f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th"
    return _ORDINALS.get(word, regular)


def _grouped(group: str, point: str) -> Callable[[Decimal], str]:
    table = str.maketrans({",": group, ".": point})
    return lambda number: f"{number:,f}".translate(table)


def _scaled(number: Decimal) -> str:
    return f"{(number / 1000).normalize():f} thousand"


def _sum(number: Decimal) -> str:
    half = Decimal(int(number) // 2)
    return f"{half:f} plus {number - half:f}"


def _roman(number: Decimal) -> str:
    left = int(number)
    if left != number or not 0 < left < _ROMAN_END:
        return f"{number:f}"
    written = ""
    for value, letters in _ROMAN:
        written += letters * (left // value)
        left %= value
    return written


def _fraction(number: Decimal) -> str:
    doubled = Fraction(number) * 2
    return f"{doubled.numerator}/{doubled.denominator * 2}"


def _hex(number: Decimal) -> str:
    return f"{int(number):#x}" if number == int(number) else f"{number:f}"


NUMBER_FORMS: dict[str, Callable[[Decimal], str]] = {
    "bare": lambda number: f"{number:f}",
    "spaces": _grouped("\N{NARROW NO-BREAK SPACE}", ","),
    "points": _grouped(".", ","),
    "apostrophes": _grouped("’", "."),
    "zeros": lambda number: f"0{number:f}0" if "." in f"{number:f}" else f"0{number:f}.00",
    "scientific": lambda number: f"{number.normalize():e}",
    "scaled": _scaled,
    "sum": _sum,
    "roman": _roman,
    "fraction": _fraction,
    "hex": _hex,
}
"""Ways to write a number."""


def date_in_words(day: dt.date) -> str:
    """A date in words: `the fourteenth of March two thousand and twenty-nine`."""
    return f"the {ordinal(Decimal(day.day))} of {MONTHS[day.month - 1]} {_whole_words(day.year)}"


DATE_FORMS: dict[str, Callable[[dt.date], str]] = {
    "iso": lambda day: day.isoformat(),
    "compact": lambda day: f"{day:%Y%m%d}",
    "american": lambda day: f"{MONTHS[day.month - 1]} {day.day}, {day.year}",
    "slashes": lambda day: f"{day:%d/%m/%Y}",
    "points": lambda day: f"{day.day}.{day.month}.{day.year}",
    "short": lambda day: f"{day.day} {MONTHS[day.month - 1][:3]} ’{day:%y}",
    "words": date_in_words,
    "day of the year": lambda day: f"day {day:%j} of {day.year}",
    "week": lambda day: f"{day:%G-W%V-%u}",
    "age": lambda day: f"{(day - dt.date(2000, 1, 1)).days} days after 1 January 2000",
}
"""Ways to write a date."""


def respell(
    text: str, write_number: Callable[[Decimal], str], write_date: Callable[[dt.date], str]
) -> str:
    """A text with its dates written another way, and its other numbers."""
    parts, at = [], 0
    for found in _DATE.finditer(text):
        parts += [_respelled(text[at : found.start()], write_number), _written(found, write_date)]
        at = found.end()
    return "".join((*parts, _respelled(text[at:], write_number)))


def _respelled(text: str, write: Callable[[Decimal], str]) -> str:
    return _NUMBER.sub(lambda found: write(Decimal(found[0].replace(",", ""))), text)


def _written(found: re.Match[str], write: Callable[[dt.date], str]) -> str:
    try:
        if found[1]:
            return write(dt.date.fromisoformat(found[0]))
        return write(dt.date(int(found[6]), MONTHS.index(found[5]) + 1, int(found[4])))
    except ValueError:
        return found[0]
