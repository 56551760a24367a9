"""Reading one calendar day from the free text of a cell. Nothing is filled in from today."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata

MAX_LENGTH = 60
"""Characters; a longer cell states more than a day."""

_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), 1)}
_SHORT_MONTHS = {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_MONTH_NUMBERS = _MONTHS | _SHORT_MONTHS
_WEEKDAY = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b[.,]?", re.ASCII
)
_DASHES = str.maketrans("‐‑‒–—−()", "------  ")
_YEAR, _DAY = r"(?P<year>[0-9]{4})", r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[a-z]+)\.?"
_TIME = r"[t ][0-9:.]{5,}(?: ?(?:z|utc|[+-][0-9]{2}:?[0-9]{2}))?"
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_YEAR}(?P<mark>[-/.])(?P<month>[0-9]{{1,2}})(?P=mark)(?P<day>[0-9]{{1,2}})"
        rf"(?:{_TIME})?",
        rf"{_DAY}[ .-]*(?:of )?{_MONTH}[ ,-]*{_YEAR}",
        rf"{_MONTH}[ -]*(?:the )?{_DAY}[ ,]+{_YEAR}",
        rf"{_YEAR}[ ,-]*{_MONTH}[ -]*{_DAY}",
        r"(?P<one>[0-9]{1,2})(?P<mark>[-/.])(?P<two>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4})",
    )
)


def read_date(text: str) -> dt.date | None:
    """The one day that a cell states.

    Reads ISO 8601 (a time of day is ignored), days with the month's English name in any usual
    order, and numeric dates where only one order gives a day.

    Returns:
        None if the cell states no day, more than a day, or one that can be read in two ways.
    """
    if len(text) > MAX_LENGTH:
        return None
    text = unicodedata.normalize("NFKC", text).casefold().translate(_DASHES)
    text = " ".join(_WEEKDAY.sub(" ", text).split()).strip(" ,.;:*\"'")
    for form in _FORMS:
        if match := form.fullmatch(text):
            return _day(match.groupdict())
    return None


def _day(parts: dict[str, str]) -> dt.date | None:
    year = int(parts["year"])
    if "one" in parts:
        return _either(year, int(parts["one"]), int(parts["two"]))
    month = parts["month"]
    number = int(month) if month.isdecimal() else _MONTH_NUMBERS.get(month, 0)
    return _date(year, number, int(parts["day"]))


def _either(year: int, one: int, two: int) -> dt.date | None:
    """The day of a numeric date, if both orders don't give two different ones."""
    days = {day for day in (_date(year, one, two), _date(year, two, one)) if day}
    return days.pop() if len(days) == 1 else None


def _date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
