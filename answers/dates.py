"""Reading one date from the free text of a cell. Nothing is filled in from today.

A date is as precise as it was written: a day, a month or a year, in ISO 8601 `2029-03-14`,
`2029-03` or `2029`.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata

MAX_LENGTH = 60
"""Characters; a longer cell states more than a date."""

DAY, MONTH, YEAR = 10, 7, 4
"""The lengths of a day, a month and a year in ISO 8601, which tell how precise a date is."""

_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), 1)}
_SHORT_MONTHS = {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_MONTH_NUMBERS = _MONTHS | _SHORT_MONTHS
_WRITTEN_MONTHS = {
    spelling: f"{number:02}"
    for name, number in _MONTH_NUMBERS.items()
    for spelling in (name, name.title(), name.upper())
}
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
        rf"{_YEAR}[-/.](?P<month>[0-9]{{1,2}})",
        rf"(?P<month>[0-9]{{1,2}})[-/.]{_YEAR}",
        rf"{_MONTH}[ ,-]*(?:of )?{_YEAR}",
        rf"{_YEAR}[ ,-]*{_MONTH}",
        _YEAR,
    )
)
# The two usual forms, up to the day that every month has, need no calendar.
_ISO = re.compile(r"(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])")
_LONG = re.compile(r"(0?[1-9]|1[0-9]|2[0-8]) ([A-Za-z]{3,9}) (?!0000)([0-9]{4})")


def date_form(text: str) -> str | None:
    """The one date that a cell states, in ISO 8601, as precise as it is written.

    Reads ISO 8601 (a time of day is ignored), days with the month's English name in any usual
    order, numeric dates where only one order gives a day, months and years.

    Returns:
        None if the cell states no date, more than one, or one that can be read in two ways.
    """
    if _ISO.fullmatch(text):
        return text
    if (match := _LONG.fullmatch(text)) and (month := _WRITTEN_MONTHS.get(match[2])):
        return f"{match[3]}-{month}-{match[1]:0>2}"
    if len(text) > MAX_LENGTH:
        return None
    text = unicodedata.normalize("NFKC", text).casefold().translate(_DASHES)
    text = " ".join(_WEEKDAY.sub(" ", text).split()).strip(" ,.;:*\"'")
    for form in _FORMS:
        if match := form.fullmatch(text):
            return _iso(match.groupdict())
    return None


def _iso(parts: dict[str, str]) -> str | None:
    year = int(parts["year"])
    if "one" in parts:
        return _either(year, int(parts["one"]), int(parts["two"]))
    if "month" not in parts:
        found = _date(year, 1, 1)
        return found and found[:YEAR]
    month = parts["month"]
    number = int(month) if month.isdecimal() else _MONTH_NUMBERS.get(month, 0)
    if "day" in parts:
        return _date(year, number, int(parts["day"]))
    found = _date(year, number, 1)
    return found and found[:MONTH]


def _either(year: int, one: int, two: int) -> str | None:
    """The day of a numeric date, if both orders don't give two different ones."""
    days = {day for day in (_date(year, one, two), _date(year, two, one)) if day}
    return days.pop() if len(days) == 1 else None


def _date(year: int, month: int, day: int) -> str | None:
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return None
