"""Authors: who wrote the results that were shown, and how much of it a model wrote by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from search_sim.trajectory import Searched
from search_sim.verify.disclosures import disclosed_words
from search_sim.verify.play import Listing, Played


class Authors(BaseModel):
    """Counts over pages of results, each where it was rendered.

    Attributes:
        pages, results: pages of results, and results on them.
        by_model: results by a model.
        at_first_reply: of these, the ones that passed at the model's first reply.
        by_template: results by the template, by the reason why it stands in; `plain` where no
            model was asked.
        attempts, faults: how often a model was asked, and what was wrong with its replies.
        alarms: withheld facts in what a model wrote and an agent was shown.
        to_state, stated: results that were given a disclosed fact to state, and those that do.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    pages: int = 0
    results: int = 0
    by_model: int = 0
    at_first_reply: int = 0
    by_template: dict[str, int] = {}
    attempts: int = 0
    faults: int = 0
    alarms: int = 0
    to_state: int = 0
    stated: int = 0


def count_authors(played: Played) -> Counter[str]:
    """The counts of one case, reasons as `by_template.REASON`."""
    counts: Counter[str] = Counter()
    for listing in played.listings:
        if listing.first:
            counts.update(_count(listing.record))
            counts.update(_stated(played, listing))
    return counts


def sum_authors(counts: Iterable[Counter[str]]) -> Authors:
    """The counts of several cases."""
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    reasons = {n.partition(".")[2]: total[n] for n in sorted(total) if n.startswith("by_template")}
    plain = {name: n for name, n in total.items() if "." not in name}
    return Authors.model_validate({**plain, "by_template": reasons})


def _count(record: Searched) -> Counter[str]:
    counts = Counter(
        f"by_template.{one.reason or 'plain'}" for one in record.written if one.by == "template"
    )
    counts["pages"] = 1
    counts["results"] = len(record.written)
    counts["by_model"] = sum(one.by == "model" for one in record.written)
    counts["at_first_reply"] = sum(one.attempt == 1 for one in record.written)
    counts["attempts"] = record.attempts
    counts["faults"] = len(record.faults)
    counts["alarms"] = record.alarms
    return counts


def _stated(played: Played, listing: Listing) -> Counter[str]:
    """How many results had a disclosed fact to state, and how many do."""
    counts: Counter[str] = Counter()
    given = {one.url: one.stated for one in listing.record.given}
    for result in listing.results:
        page, passages = played.world.page(result.url), given.get(result.url, ())
        words = disclosed_words(page, listing.disclosed, passages) if page and passages else ()
        if words:
            counts["to_state"] += 1
            counts["stated"] += any(word in result.snippet for word in words)
    return counts
