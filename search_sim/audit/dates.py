"""Dates in running text, in every usual form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from answers.dates import DAY, MONTH, YEAR, date_form
from search_sim.audit.tokens import Token

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"[0-9]{1,2}(?![0-9])(?:st|nd|rd|th)?"
_GAP = r"[ ,.-]{0,3}(?:of )?"
_DATE = re.compile(
    r"(?<![0-9a-z.,/-])(?:"
    r"[0-9]{4}(?P<mark>[-/.])[0-9]{1,2}(?P=mark)[0-9]{1,2}"
    r"|[0-9]{1,2}(?P<other>[-/.])[0-9]{1,2}(?P=other)[0-9]{4}"
    rf"|{_DAY}[ .-]{{0,3}}(?:of )?{_MONTH}(?:{_GAP}[0-9]{{4}})?"
    rf"|{_MONTH}[ -]{{0,2}}(?:the )?{_DAY}(?:,? ?[0-9]{{4}})?"
    rf"|{_MONTH}{_GAP}[0-9]{{4}}"
    rf"|[0-9]{{4}}[ ,-]{{0,2}}{_MONTH}(?:[ -]?{_DAY})?"
    r"|[0-9]{4}-(?:0[1-9]|1[0-2])"
    r")(?![0-9a-z])",
    re.IGNORECASE,
)


class Date(NamedTuple):
    """A date as it stands in a text.

    Attributes:
        key: `2029-03-14`, `2029-03` or `--03-14`; None if it can't be read in one way only.
        start, end: the places of its tokens.
    """

    key: str | None
    start: int
    end: int


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_STARTS = frozenset(_MONTHS.split())


def find_dates(text: str, tokens: Sequence[Token]) -> Iterator[Date]:
    """The dates in a normalised text, years that stand alone not counted.

    Args:
        text: the text.
        tokens: its tokens.
    """
    last = 0
    for place, token in enumerate(tokens):
        starts = token.kind == "number" or token.fold[:3] in _STARTS
        if place >= last and starts and (match := _DATE.match(text, token.start)):
            written = match[0].rstrip(" ,.-")
            last = place
            while last < len(tokens) and tokens[last].start < token.start + len(written):
                last += 1
            yield Date(_key(written), place, last)


@lru_cache(maxsize=4096)
def _key(written: str) -> str | None:
    found = date_form(written)
    if found or re.search("[0-9]{4}", written):
        return found
    # A leap year, for the sake of 29 February.
    found = date_form(f"{written.rstrip('.')} 2000")
    return found and f"--{found[YEAR + 1 :]}"


def coarser(key: str) -> tuple[str, ...]:
    """A date, and the month that it lies in; what year it lies in is a number."""
    return (key, key[:MONTH]) if len(key) == DAY else (key,)
