"""Comparing a cell of an answer with the gold cell: the metrics.

Each gives 1.0 or 0.0. Source: WideSearch (arXiv 2508.07999) and its public scorer.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from answers.widesearch.dates import read_date
from answers.widesearch.errors import ASSERTION_ERROR, ScorerError
from answers.widesearch.judge import Judge, parse_markdown_json

__all__ = [
    "date_near",
    "exact_match",
    "in_match",
    "llm_judge",
    "measure",
    "number_near",
    "url_match",
]

_URL = re.compile(r"https?://[!$-_a-z]+")
_NEAR_DAYS = 31


def exact_match(response: str, target: str) -> float:
    """Whether two cells are equal but for case."""
    return float(response.lower() == target.lower())


def url_match(response: str, target: str) -> float:
    """Whether two cells link to the same hosts; two cells without links do.

    Raises:
        ValueError: a link's host is malformed.
    """
    return float(_hosts(response) == _hosts(target))


def _hosts(text: str) -> set[str]:
    return {urlsplit(url).netloc for url in _URL.findall(text)}


def in_match(response: str, target: str) -> float:
    """Whether the answer's cell stands in the gold cell."""
    return float(response in target)


def number_near(response: str, target: str, criterion: Any) -> float:
    """Whether two numbers differ by no more than a share of the gold one.

    Where neither cell is a number, whether they are equal. A percentage is a hundredth.

    Args:
        response: the answer's cell.
        target: the gold cell.
        criterion: the share, 0.05 for five percent.

    Raises:
        TypeError: the share is no number, or a cell no text.
    """
    said, gold = _number(response), _number(target)
    if said is None or gold is None:
        return float(said is None and gold is None and response == target)
    return float(abs(said - gold) <= abs(gold) * criterion)


def _number(text: str) -> float | None:
    is_percentage = "%" in text
    try:
        return float(text.replace("%", "")) / 100.0 if is_percentage else float(text)
    except (ValueError, TypeError):
        return None


def date_near(response: str, target: str, now: dt.datetime) -> float:
    """Whether two dates are at most 31 days apart; two cells that state no date are.

    Args:
        response: the answer's cell.
        target: the gold cell.
        now: when the answer was given.

    Raises:
        TypeError: one of them has a time zone and the other none.
    """
    said, gold = _date(response, now), _date(target, now)
    if said is None or gold is None:
        return float(said is gold)
    return float(abs((said - gold).days) <= _NEAR_DAYS)


def _date(text: str, now: dt.datetime) -> dt.datetime | None:
    try:
        return read_date(text, now)
    except Exception:  # whatever the reader of dates fails on states no date
        return None


def llm_judge(pairs: Sequence[tuple[Any, Any]], criterion: Any, judge: Judge) -> list[Any]:
    """What a judge gives each pair of an answer's cell and a gold cell.

    Args:
        pairs: the pairs.
        criterion: what the judge goes by.
        judge: the judge.

    Returns:
        The scores as the judge wrote them; 0 where it wrote none.
    """
    reply = judge.grade(criterion, pairs)
    scores = (None if reply is None else parse_markdown_json(reply)) or {}
    return [scores.get(f"idx_{place}", 0) for place in range(len(pairs))]


def measure(name: str, response: Any, target: Any, criterion: Any, now: dt.datetime) -> float:
    """Two cells compared by the metric of some name.

    Raises:
        ScorerError: there is no metric of that name.
    """
    if name == "number_near":
        return number_near(response, target, criterion)
    if name == "date_near":
        return date_near(response, target, now)
    if name == "exact_match":
        return exact_match(response, target)
    if name == "url_match":
        return url_match(response, target)
    if name == "in_match":
        return in_match(response, target)
    raise ScorerError(ASSERTION_ERROR, f"there is no metric {name!r}")
