"""Reading a snippet: what in it is a name, a category, a date, a number, a label, a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from search_sim.audit.dates import find_dates
from search_sim.audit.given import Given
from search_sim.audit.neutral import is_claim
from search_sim.audit.numbers import Number, find_numbers, with_unit
from search_sim.audit.tokens import STOPS, Token, cut, exact, normalise, run, sentences, stem
from search_sim.audit.vocabulary import Attribute, Entity, Match, Vocabulary

ItemKind = Literal["name", "category", "date", "number", "placeholder", "claim"]

_WORDED = frozenset({"name", "category", "claim"})
_ROMAN = re.compile(r"[IVXLCDM]+")


class Item(NamedTuple):
    """A part of a snippet that states something, or could.

    Attributes:
        start, end: the places of its tokens.
        text: as it is written.
        words: the same as `search_sim.audit.tokens.run` writes it; empty for numbers, dates and
            placeholders.
        number: the number, of an item that is one.
        date: the date, of an item that is one; None also where it can't be read.
        entities: those that a name can stand for; empty for a name that the world doesn't know.
    """

    kind: ItemKind
    start: int
    end: int
    text: str
    words: str
    number: Number | None = None
    date: str | None = None
    entities: frozenset[Entity] = frozenset()


class Label(NamedTuple):
    """An attribute that a snippet names.

    Attributes:
        start, end: the places of its tokens.
        attributes: those that the phrase can mean.
    """

    start: int
    end: int
    attributes: frozenset[Attribute]

    @property
    def is_relation(self) -> bool:
        """Whether it can mean a relation between entities."""
        return any(attribute.sense == "link" for attribute in self.attributes)


@dataclass(frozen=True)
class Reading:
    """A snippet, read.

    Attributes:
        text: the snippet, normalised.
        tokens: its tokens.
        stems: each token in lower case without plain endings.
        sentences: the spans of its sentences, in tokens.
        said: the same as `search_sim.audit.tokens.exact` writes them.
        quoted: for each token, whether its whole sentence is one of the given text.
        items: in the order of their places.
        labels: in the order of their places.
    """

    text: str
    tokens: tuple[Token, ...]
    stems: tuple[str, ...]
    sentences: tuple[tuple[int, int], ...]
    said: tuple[str, ...]
    quoted: tuple[bool, ...]
    items: tuple[Item, ...]
    labels: tuple[Label, ...]

    def is_quoted(self, item: Item) -> bool:
        """Whether all of an item stands in sentences of the given text."""
        return all(self.quoted[item.start : item.end])


def read(snippet: str, given: Given, vocabulary: Vocabulary) -> Reading:
    """Read a snippet."""
    text = normalise(snippet)
    tokens = cut(text)
    spans = tuple(sentences(tokens))
    said = tuple([exact(tokens[start:end]) for start, end in spans])
    quoted: list[bool] = []
    for (start, end), sentence in zip(spans, said, strict=True):
        quoted += [sentence in given.whole] * (end - start)
    stems = tuple([stem(token.fold) for token in tokens])
    reader = _Reader(text, tokens, stems, vocabulary)
    if not all(quoted):
        reader.read(quoted)
    items = tuple(sorted(reader.items, key=lambda item: item.start))
    return Reading(text, tokens, stems, spans, said, tuple(quoted), items, tuple(reader.labels))


class _Reader:
    """Finds items and labels; what one finder has taken, the next ones leave alone."""

    def __init__(
        self, text: str, tokens: Sequence[Token], stems: Sequence[str], vocabulary: Vocabulary
    ) -> None:
        self.items: list[Item] = []
        self.labels: list[Label] = []
        self._text, self._tokens, self._stems = text, tokens, stems
        self._vocabulary = vocabulary
        self._taken: set[int] = set()

    def read(self, quoted: Sequence[bool]) -> None:
        """Find everything; in quoted sentences only names, categories and labels."""
        self._names()
        self._categories_and_labels()
        self._taken.update(place for place, is_quoted in enumerate(quoted) if is_quoted)
        self._dates()
        for found in list(find_numbers(self._tokens, frozenset(self._taken))):
            number = with_unit(found, self._vocabulary.units)
            self._add("number", (number.start, number.end), number=number)
        neutral = self._vocabulary.neutral
        for place, token in enumerate(self._tokens):
            if place in self._taken:
                continue
            if token.kind == "placeholder":
                self._add("placeholder", (place, place + 1))
            elif token.kind == "word" and token.fold not in neutral and _claims(token):
                self._add("claim", (place, place + 1))

    def _names(self) -> None:
        """Names, also where marks stand between their words."""
        places, folds = self._spoken()
        for match in list(self._vocabulary.names.find(folds)):
            self._add("name", _span(places, match), entities=match.meaning)

    def _categories_and_labels(self) -> None:
        """Of a label and a category that overlap, the longer one counts."""
        places, folds = self._spoken()
        stems = [
            self._stems[place] if fold else "" for place, fold in zip(places, folds, strict=True)
        ]
        labels = list(self._vocabulary.attributes.find(stems))
        categories = [
            category
            for category in self._vocabulary.categories.find(folds)
            if not any(_covers(label, category) for label in labels)
        ]
        for category in categories:
            self._add("category", _span(places, category))
        for label in labels:
            start, end = _span(places, label)
            if self._taken.isdisjoint(range(start, end)) and not self._stops(start, end):
                self.labels.append(Label(start, end, label.meaning))
        self._taken.update(
            place for label in self.labels for place in range(label.start, label.end)
        )

    def _dates(self) -> None:
        for date in find_dates(self._text, self._tokens):
            if self._taken.isdisjoint(range(date.start, date.end)):
                self._add("date", (date.start, date.end), date=date.key)

    def _stops(self, start: int, end: int) -> bool:
        return any(token.fold in STOPS for token in self._tokens[start:end])

    def _spoken(self) -> tuple[list[int], list[str]]:
        """The places and folded texts of all tokens but marks; empty texts where one is taken."""
        places = [place for place, token in enumerate(self._tokens) if token.kind != "mark"]
        return places, ["" if p in self._taken else self._tokens[p].fold for p in places]

    def _add(
        self,
        kind: ItemKind,
        span: tuple[int, int],
        *,
        number: Number | None = None,
        date: str | None = None,
        entities: frozenset[Entity] = frozenset(),
    ) -> None:
        start, end = span
        tokens = self._tokens[start:end]
        text = self._text[tokens[0].start : tokens[-1].end]
        words = run(tokens) if kind in _WORDED else ""
        self.items.append(Item(kind, start, end, text, words, number, date, entities))
        self._taken.update(range(start, end))


def _span(places: Sequence[int], match: Match[Any]) -> tuple[int, int]:
    """The places of a match's tokens."""
    return places[match.start], places[match.end - 1] + 1


def _covers(label: Match[Any], category: Match[Any]) -> bool:
    """Whether a longer label holds a word of a category."""
    overlap = label.start < category.end and category.start < label.end
    return overlap and label.end - label.start > category.end - category.start


def _claims(token: Token) -> bool:
    return is_claim(token.fold) or (token.text.isupper() and bool(_ROMAN.fullmatch(token.text)))
