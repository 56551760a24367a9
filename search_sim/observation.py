"""Observations: what tools give back, as records and as the text that an agent reads.

The text follows the public search prompt of Qwen-AgentWorld: numbered URLs, then title, snippet
and date, a blank line between results.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

NOTHING_FOUND = "No results found."
NOT_SHOWN = (
    "404: this page doesn't exist, or no result, link or site that you have seen leads to it."
)
"""One text for both, so that it tells nothing."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Result(_Record):
    """One search result; `rank` counts from 1, `date` is ISO 8601 or None."""

    rank: int
    url: str
    title: str
    snippet: str
    date: str | None


class SearchResponse(_Record):
    """The results of each query, and all of them as text."""

    results: tuple[tuple[Result, ...], ...]
    text: str


class Extract(_Record):
    """A page, or a part of it.

    Attributes:
        content: Markdown, from the offset that was asked for.
        next_offset: where the next part starts, in characters; None at the end.
        found: whether there is such a page that the episode was shown; if not, `content` says so
            in the same words for both.
    """

    url: str
    title: str
    content: str
    next_offset: int | None = None
    found: bool = True


def write_results(queries: Sequence[str], results: Sequence[Sequence[Result]]) -> str:
    """The results as text; several queries under a line each."""
    if len(queries) == 1:
        return _write_list(results[0])
    parts = [
        f'Query: "{query}"\n\n{_write_list(found)}'
        for query, found in zip(queries, results, strict=True)
    ]
    return "\n\n".join(parts)


def _write_list(results: Sequence[Result]) -> str:
    return "\n\n".join(map(_write_result, results)) or NOTHING_FOUND


def _write_result(result: Result) -> str:
    lines = [
        f"[{result.rank}] {result.url}",
        f"Title: {result.title}",
        f"Snippet: {result.snippet}",
    ]
    return "\n".join([*lines, f"Date: {write_date(result.date)}"])


def write_date(date: str | None) -> str:
    """A date as results show it, for example `Jan 1, 2029`; `N/A` where there is none."""
    if date is None:
        return "N/A"
    day = dt.date.fromisoformat(date)
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"
