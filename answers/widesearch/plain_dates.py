"""The usual forms of a date, read as `dateparser` 1.2 reads them.

Only forms that read the same in every one of its languages stand here; a text in another form, or
a day that doesn't exist, is left to the library.
"""

from __future__ import annotations

import datetime as dt
import re

__all__ = ["read_plain_date"]

_LAST_MONTH = 12
_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_YEAR, _DAY, _MONTH = r"(?P<year>[1-9][0-9]{3})", r"(?P<day>[0-9]{1,2})", r"(?P<month>[0-9]{1,2})"
_NAME = r"(?P<name>[A-Za-z]{3,9})"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_YEAR}(?P<mark>[-/.]){_MONTH}(?P=mark){_DAY}",
        rf"{_DAY} {_NAME} {_YEAR}",
        rf"{_NAME} {_DAY},? {_YEAR}",
        rf"(?P<first>[0-9]{{1,2}})(?P<mark>[/.])(?P<second>[0-9]{{1,2}})(?P=mark){_YEAR}",
        rf"{_NAME},? {_YEAR}",
        rf"{_YEAR}(?:[-/]{_MONTH})?",
        rf"{_YEAR}年{_MONTH}月{_DAY}日",
    )
)


def read_plain_date(text: str, this_month: int) -> dt.datetime | None:
    """The day that a text in a usual form states, at midnight.

    A numeric date with the year at its end gives the month first, if there is such a month.

    Args:
        text: the text.
        this_month: the month of a date that is a year alone.

    Returns:
        None if the form is another, or the day doesn't exist.
    """
    for form in _FORMS:
        if match := form.fullmatch(text):
            return _day(match.groupdict(), this_month)
    return None


def _day(parts: dict[str, str | None], this_month: int) -> dt.datetime | None:
    year = int(parts["year"] or 0)
    if "first" in parts:
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        month, day = (first, second) if first <= _LAST_MONTH else (second, first)
    else:
        month, day = _month(parts, this_month), int(parts.get("day") or 1)
    try:
        return dt.datetime(year, month, day)  # noqa: DTZ001 - a day has no time zone
    except ValueError:
        return None


def _month(parts: dict[str, str | None], this_month: int) -> int:
    if name := parts.get("name"):
        return _MONTHS.get(name.lower(), 0)
    return int(parts.get("month") or this_month)
