"""Passages: which statements of a page a snippet shows, chosen by masked text alone.

A passage competes, and takes up room, by its masked text even where a disclosed fact is then
filled in, so a value never decides what else is shown.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from search_sim.words import words
from worldgen.facts import Fact
from worldgen.masking import mask, reveal
from worldgen.pages import Page, Statement
from worldgen.roles import Roles
from worldgen.surface import PLACEHOLDERS

SNIPPET_LENGTH = 240
"""The room in a snippet, in characters of masked text; the first passage always fits."""

Relevance = Literal["high", "moderate", "background"]
_HIGH, _MODERATE = 0.6, 0.3

_PLACEHOLDER = re.compile("|".join(map(re.escape, sorted(set(PLACEHOLDERS.values())))))


@dataclass(frozen=True)
class Passage:
    """A statement as a snippet may show it.

    Attributes:
        number: the statement's place on its page.
        text: what is shown.
        room: the length that it counts for.
        terms: the words by which it is chosen.
        disclosed: whether it states a disclosed fact.
    """

    number: int
    text: str
    room: int
    terms: frozenset[str]
    disclosed: bool = False


@dataclass(frozen=True)
class Passages:
    """The passages of every page of a web, masked or in full, with the weight of each word."""

    pages: tuple[Page, ...]
    roles: Roles
    by_page: tuple[tuple[Passage, ...], ...]
    weights: dict[str, int]

    @classmethod
    def masked(cls, pages: Sequence[Page], roles: Roles) -> Passages:
        """The passages that search may show before anything is disclosed."""
        return cls._of(pages, roles, [[mask(s, roles) for s in page.statements] for page in pages])

    @classmethod
    def full(cls, pages: Sequence[Page], roles: Roles) -> Passages:
        """The passages with nothing withheld."""
        return cls._of(pages, roles, [[s.text for s in page.statements] for page in pages])

    @classmethod
    def _of(cls, pages: Sequence[Page], roles: Roles, texts: list[list[str | None]]) -> Passages:
        by_page = tuple(
            tuple(_passage(number, text) for number, text in enumerate(page) if text is not None)
            for page in texts
        )
        counts = Counter(term for page in by_page for passage in page for term in passage.terms)
        weights = {term: _weight(count) for term, count in counts.items()}
        return cls(tuple(pages), roles, by_page, weights)

    def text(self, place: int) -> str:
        """What an index reads of a page: its passages, without placeholders."""
        return "\n".join(_stripped(passage.text) for passage in self.by_page[place])

    def choose(self, place: int, query: str, disclosed: frozenset[Fact]) -> list[Passage]:
        """The passages of a page that suit a query best, in page order.

        A passage that states a disclosed fact comes before all others.
        """
        passages = {passage.number: passage for passage in self.by_page[place]}
        if disclosed & self.pages[place].facts:
            for number, statement in enumerate(self.pages[place].statements):
                if told := _tell(number, statement, self.roles, disclosed):
                    passages[number] = told
        asked = set(words(query)) - set(words(self.pages[place].title))
        return sorted(self._fitting(passages.values(), asked), key=lambda passage: passage.number)

    def _fitting(self, passages: Iterable[Passage], asked: set[str]) -> list[Passage]:
        """Passages that fit into a snippet: each the one that adds most of what was asked for.

        Words of the title don't count, since the title says them already.
        """
        left, room = list(passages), SNIPPET_LENGTH
        chosen: list[Passage] = []
        while left:
            best = max(left, key=lambda p: (p.disclosed, self._worth(p.terms & asked), -p.number))
            if chosen and best.room > room:
                break
            chosen.append(best)
            left.remove(best)
            asked = asked - best.terms
            room -= best.room
        return chosen

    def relevance(self, place: int, query: str, chosen: Iterable[Passage]) -> Relevance:
        """How much of a query the title of a page and some of its passages name."""
        asked = frozenset(words(query))
        named = frozenset(words(self.pages[place].title)).union(*(p.terms for p in chosen))
        share = self._worth(asked & named) / max(self._worth(asked), 1)
        return "high" if share >= _HIGH else "moderate" if share >= _MODERATE else "background"

    def _worth(self, terms: frozenset[str]) -> int:
        return sum(self.weights.get(term, _RAREST) for term in terms)


def _weight(count: int) -> int:
    """What a word that stands in `count` passages is worth: whole, so that sums have no order."""
    return round(1_000_000 / math.log2(2 + count))


_RAREST = _weight(0)


def _passage(number: int, text: str) -> Passage:
    return Passage(number, text, len(text), _terms(text))


def _terms(text: str) -> frozenset[str]:
    return frozenset(words(_stripped(text)))


def _stripped(text: str) -> str:
    """A text without placeholders, which are no words of the page."""
    return _PLACEHOLDER.sub("", text)


def _tell(
    number: int, statement: Statement, roles: Roles, disclosed: frozenset[Fact]
) -> Passage | None:
    """The statement with what is disclosed filled in, if it states any of that."""
    if not any(claim.fact in disclosed for claim in statement.claims):
        return None
    text = reveal(statement, roles, disclosed)
    rows = frozenset(fact for fact in disclosed if fact.kind == "row")
    withheld = reveal(statement, roles, rows)
    if text is None or withheld is None:
        return None
    return Passage(number, text, len(withheld), _terms(withheld), disclosed=True)
