"""Effort: which pages some facts stand on, and how hard a question looks before anyone tries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection

from queries.plan import Plan
from worldgen.facts import Fact
from worldgen.pages import Web

HALF_WAY = 40
"""The effort at which the estimated difficulty is one half."""


def pages_needed(web: Web, facts: Collection[Fact]) -> tuple[str, ...]:
    """URLs of pages that together state all of some facts, by greedy cover.

    The greedy cover is at most a factor of `ln(len(facts))` above the smallest one; for detail
    pages, which hardly overlap, it is that one.
    """
    left, chosen = set(facts), []
    offers = {url: set(web.by_url[url].facts) & left for url in _stating(web, facts)}
    while left:
        best = max(offers, key=lambda url: (len(offers[url]), url), default=None)
        if best is None or not offers[best]:
            break
        left -= offers[best]
        chosen.append(best)
        offers = {url: offered & left for url, offered in offers.items() if offered & left}
    return tuple(sorted(chosen))


def spread(web: Web, facts: Collection[Fact]) -> float:
    """The largest share of some facts that stands on one page, from 0 to 1."""
    counts = Counter(url for urls in web.stating(facts).values() for url in urls)
    return max(counts.values(), default=0) / max(len(facts), 1)


def _stating(web: Web, facts: Collection[Fact]) -> list[str]:
    return sorted({url for urls in web.stating(facts).values() for url in urls})


def difficulty(plan: Plan, pages: int) -> float:
    """The estimated difficulty, from 0 to 1.

    Effort counts pages to open, and five for each further table that must be brought together; an
    effort of `HALF_WAY` is difficulty 0.5, twice that 0.75. It is an estimate to sort tasks by: how
    agents fare is measured elsewhere.
    """
    effort = pages + 5 * (len(plan.tables()) - 1) + 5 * plan.aggregated
    return round(1 - math.pow(0.5, effort / HALF_WAY), 3)
