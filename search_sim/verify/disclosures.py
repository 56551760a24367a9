"""Disclosures: which query of a search each disclosed fact goes back to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from search_sim.reach import Lexicon, Reached
from search_sim.trajectory import Turn
from worldgen.pages import Page


class Grants(NamedTuple):
    """What was disclosed to the queries of one search.

    Attributes:
        facts: ids of the facts that were asked for, without what they imply, in order.
        problem: what of the disclosure goes back to no query; empty if nothing does.
    """

    facts: tuple[str, ...]
    problem: str = ""


def grants(lexicon: Lexicon, turn: Turn) -> Grants:
    """Tell the disclosed facts of a search apart by its queries: one for each, or none.

    A query that reaches a fact which is disclosed to a later one of the same search has disclosed
    something itself, so that the first query which fits is the right one.
    """
    left = list(turn.disclosed)
    facts = []
    for query in turn.arguments["queries"]:
        reached = lexicon.reach(query).reached
        found = next((one for one in reached if left[: len(one.facts)] == _ids(one)), None)
        if found:
            facts.append(str(found.fact))
            left = left[len(found.facts) :]
    problem = f"{left[0]} goes back to no query that names it in full" if left else ""
    return Grants(tuple(facts), problem)


def _ids(reached: Reached) -> list[str]:
    return sorted(map(str, reached.facts))


def disclosed_words(
    page: Page, disclosed: Collection[str], passages: Sequence[str]
) -> tuple[str, ...]:
    """The words in which some passages of a page state disclosed facts.

    A row that is disclosed is stated by the whole of its line, so that its words are the names in
    it.

    Args:
        page: the page.
        disclosed: ids of the disclosed facts.
        passages: those that the writer of the result was told to state.
    """
    claims = [
        (line, claim)
        for line in page.statements
        for whole in line.claims
        if str(whole.fact) in disclosed
        for claim in (line.claims if line.spans_all(whole) else (whole,))
        if not line.spans_all(claim)
    ]
    words = dict.fromkeys(line.text[claim.start : claim.end] for line, claim in claims)
    return tuple(word for word in words if any(word in passage for passage in passages))
