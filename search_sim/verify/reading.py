"""Reading what an agent reads: results in the public format, and what a text says.

Written for the verifiers alone, so that a mistake in what writes or guards observations is not
repeated in what checks them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from answers.dates import date_form

_NOTHING = "No results found."
_RESULT = re.compile(
    r"\[(?P<rank>[1-9][0-9]*)\] (?P<url>\S+)\n"
    r"Title: (?P<title>.*)\n"
    r"Snippet: (?P<snippet>.*)\n"
    r"Date: (?P<date>.*)"
)
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_SHOWN_DATE = re.compile(rf"(?:{_MONTHS}) (?:[1-9]|[12][0-9]|3[01]), [0-9]{{4}}|N/A")

_LONG_MONTHS = "January|February|March|April|June|July|August|September|October|November|December"
_MONTH = rf"(?:{_LONG_MONTHS}|{_MONTHS}|Sept)\.?"
_DAY, _YEAR = "[0-9]{1,2}(?:st|nd|rd|th)?", "[0-9]{4}"
_DATE = re.compile(
    rf"\b{_YEAR}-[0-9]{{2}}(?:-[0-9]{{2}})?\b"
    rf"|\b(?:{_DAY} )?{_MONTH},? {_YEAR}\b"
    rf"|\b{_MONTH} {_DAY}(?:,? {_YEAR})?\b"
    rf"|\b{_DAY} {_MONTH}(?!\w)",
    re.IGNORECASE,
)
_LEAP_YEAR = "2000"
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<digits>[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)(?:st|nd|rd|th)?(?!\w)"
    r"(?:[ -](?P<scale>thousand|million|billion|trillion)\b)?"
)
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_TARGET = re.compile(r"\]\([^)\s]*\)")


class Block(NamedTuple):
    """One result as it stands in a text; the date as shown."""

    rank: int
    url: str
    title: str
    snippet: str
    date: str


def read_results(queries: Sequence[str], text: str) -> list[list[Block]]:
    """The results that a text shows for each query of a search.

    Raises:
        ValueError: the text isn't in the public format; the message says where.
    """
    if len(queries) == 1:
        return [_read_list(text)]
    lists = []
    heads = [f'Query: "{query}"\n\n' for query in queries]
    for number, head in enumerate(heads, 1):
        if not text.startswith(head):
            message = f"list {number} doesn't start with its query"
            raise ValueError(message)
        text = text[len(head) :]
        end = text.find(f"\n\n{heads[number]}") if number < len(heads) else len(text)
        if end < 0:
            message = f"list {number + 1} is missing, or doesn't start with its query"
            raise ValueError(message)
        lists.append(_read_list(text[:end]))
        text = text[end + 2 :]
    return lists


def _read_list(text: str) -> list[Block]:
    if text == _NOTHING:
        return []
    return [_read_block(block) for block in text.split("\n\n")]


def _read_block(text: str) -> Block:
    found = _RESULT.fullmatch(text)
    if not found:
        message = f"no result is {quoted(text)}"
        raise ValueError(message)
    if not _SHOWN_DATE.fullmatch(found["date"]):
        message = f"no date is {quoted(found['date'])}"
        raise ValueError(message)
    return Block(int(found["rank"]), found["url"], found["title"], found["snippet"], found["date"])


@dataclass(frozen=True)
class Figures:
    """The numbers and dates in a text.

    Attributes:
        dates: in ISO 8601, as precise as they are written; days without a year as `--03-14`.
    """

    numbers: frozenset[Decimal]
    dates: frozenset[str]


def figures(text: str) -> Figures:
    """The numbers and dates in a text; the targets of Markdown links are not read."""
    text = _TARGET.sub("]", text)
    dates: list[str] = []

    def taken(found: re.Match[str]) -> str:
        date = _iso(found[0])
        dates.extend([date] if date else [])
        return " " if date else found[0]

    rest = _DATE.sub(taken, text)
    return Figures(frozenset(_numbers(rest)), frozenset(dates))


def _iso(written: str) -> str | None:
    """A date in ISO 8601; None if there is no such day."""
    if re.search(_YEAR, written):
        return date_form(written)
    day = date_form(f"{written} {_LEAP_YEAR}")
    return day and f"-{day[len(_LEAP_YEAR) :]}"


def states_date(dates: Iterable[str], said: str) -> bool:
    """Whether one of some dates says what another one does, or says it more precisely."""
    if said.startswith("--"):
        return any(date == said or date.endswith(said[1:]) for date in dates)
    return any(date.startswith(said) for date in dates)


def _numbers(text: str) -> Iterator[Decimal]:
    for found in _NUMBER.finditer(text):
        value = Decimal(found["digits"].replace(",", ""))
        yield value.scaleb(_SCALES.get(found["scale"] or "", 0)).normalize()


def quoted(text: str, most: int = 80) -> str:
    """A text as it may stand in a line: in quotes, in ASCII, cut if it is long."""
    return json.dumps(text if len(text) <= most else f"{text[:most]}...")
