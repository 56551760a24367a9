"""Bringing a cell into the form in which it is compared: the preprocessors.

Source: WideSearch (arXiv 2508.07999) and its public scorer.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from answers.widesearch.dates import read_date
from answers.widesearch.errors import ASSERTION_ERROR, ScorerError

__all__ = ["extract_number", "norm_column", "norm_date", "norm_str", "prepare"]

_NUMBER = re.compile(r"[+-]?(?:\d*\.\d+|\d+\.?)%?")


def norm_str(content: Any) -> str:
    """A cell in lower case, without spaces and asterisks; other blanks go at its ends only."""
    return str(content).lower().strip().replace(" ", "").replace("*", "")


def norm_column(name: str) -> str:
    """A column's name in lower case, without spaces; other blanks go at its ends only."""
    return name.strip().lower().replace(" ", "")


def extract_number(content: Any) -> str:
    """The first number in a cell, with its sign and its percent sign; `NULL` if there is none.

    Commas are taken for thousands separators; exponents are not read.
    """
    found = _NUMBER.search(str(content).replace(",", ""))
    return found[0] if found else "NULL"


def norm_date(content: str, now: dt.datetime) -> str:
    """The day that a cell states, as `2029-03-14`; the cell itself if it states none.

    Args:
        content: the cell.
        now: when the answer was given: what is missing of a date is taken from here.

    Raises:
        TypeError: the cell is no text.
    """
    date = read_date(content, now)
    # Years before 1000 are not filled up, as under Linux.
    return content if date is None else f"{date.year}-{date.month:02}-{date.day:02}"


def prepare(name: str, content: Any, now: dt.datetime) -> str:
    """A cell after the preprocessor of some name.

    Raises:
        ScorerError: there is no preprocessor of that name.
    """
    if name == "norm_str":
        return norm_str(content)
    if name == "extract_number":
        return extract_number(content)
    if name == "norm_date":
        return norm_date(content, now)
    raise ScorerError(ASSERTION_ERROR, f"there is no preprocessor {name!r}")
