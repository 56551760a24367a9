"""Companions: the words, labels and names of a snippet that an item of it is said of.

`search_sim.audit.pairing` says what they are for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from search_sim.audit.layout import Layout
from search_sim.audit.numbers import Number
from search_sim.audit.reading import Item, Label, Reading
from search_sim.audit.vocabulary import Attribute, Sense

_FILLERS = frozenset({":", "-", "–", "—", "is", "was", "the", "a", "an", "as", "by", "its"})
"""What may stand between a name and the label that it's the value of."""

_OPENING = frozenset({"(", ".", "!", "?"})

_ROW = frozenset({",", "/", "&", "and", "or"})
"""What may stand between labels in a row."""

_ATTACHING = frozenset({",", "(", "by", "of", "in", "at", "from"})
"""What may stand between the title's name and one that says where it belongs."""

_VALUES = frozenset({"number", "date", "placeholder", "category"})
_SENSES: dict[str, frozenset[Sense]] = {
    "[amount]": frozenset({"number"}),
    "[measure]": frozenset({"number"}),
    "[number]": frozenset({"number", "link"}),
    "[date]": frozenset({"date"}),
    "[category]": frozenset({"category"}),
    "[name]": frozenset({"name", "link"}),
    "number": frozenset({"number", "link"}),
    "date": frozenset({"date"}),
    "category": frozenset({"category"}),
    "name": frozenset({"link"}),
}
"""Which attributes a placeholder, or an item of a kind, could be a value of."""


@dataclass
class Companions:
    """What must stand in one part with an item.

    Attributes:
        words: the places of telling words.
        labels: labels.
        names: the numbers of items that name entities.
    """

    words: list[int] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    names: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Finder:
    """Finds the companions of a snippet's items.

    Attributes:
        of_title: the numbers of the items that name what the title names.
    """

    reading: Reading
    items: Sequence[Item]
    layout: Layout
    of_title: frozenset[int]

    @cached_property
    def _names(self) -> list[int]:
        return [number for number, item in enumerate(self.items) if item.kind == "name"]

    def companions(self, number: int) -> Companions:
        """The companions of an item."""
        item, found = self.items[number], Companions()
        found.words += self._beside(item)
        found.labels += self._labels(item)
        if item.kind in _VALUES:
            found.names += self._named(item)
        if not found.words and not found.labels:
            self._look_further(item, found)
        return found

    def _beside(self, item: Item) -> Iterator[int]:
        """The nearest telling words of the clause; an item between belongs to the word beyond it.

        After a colon stands what is said of the words before it. So the search to the right ends
        there, unless nothing stands before the item.
        """
        is_name = item.kind == "name"
        left = self._nearest(item, range(item.start - 1, -1, -1), past_colon=not is_name)
        if left is not None:
            yield left
        if item.kind in ("name", "category") and self._qualifies(item):
            return
        after = range(item.end, len(self.layout.clauses))
        past_colon = left is None and not is_name
        if (right := self._nearest(item, after, past_colon=past_colon)) is not None:
            yield right

    def _nearest(self, item: Item, places: Iterable[int], *, past_colon: bool) -> int | None:
        clause = self.layout.clauses[item.start]
        telling = self.layout.stems if item.kind == "category" else self.layout.telling
        for place in places:
            owner = self.layout.items[place]
            if self.layout.clauses[place] != clause or (
                owner is not None and owner not in self.of_title
            ):
                return None
            if self.reading.tokens[place].fold == ":" and not past_colon:
                return None
            if telling[place]:
                return place
        return None

    def _labels(self, item: Item) -> Iterator[Label]:
        """The nearest fitting labels of the clause, and those in a row with the one before."""
        clause, sentence = self.layout.clauses[item.start], self.layout.sentences[item.start]
        near = self._labels_of_sentence.get(sentence, ())
        fitting = [label for label in near if self._could_be(item, label)]
        before = [label for label in fitting if label.end <= item.start]
        after = [label for label in fitting if label.start >= item.end]
        if before and self.layout.clauses[before[-1].start] == clause:
            yield before[-1]
            yield from self._row(before)
        yield from self._before_colon(item, before)
        if after and self.layout.clauses[after[0].start] == clause:
            colon = ":" in self._between(item.end, after[0].start)
            if not colon or not before:
                yield after[0]

    @cached_property
    def _labels_of_sentence(self) -> dict[int, list[Label]]:
        found: dict[int, list[Label]] = {}
        for label in self.reading.labels:
            found.setdefault(self.layout.sentences[label.start], []).append(label)
        return found

    def _row(self, labels: Sequence[Label]) -> Iterator[Label]:
        """The labels right before the last one that no value of their own comes before."""
        for one, other in zip(labels[-2::-1], labels[:0:-1], strict=True):
            has_value = one.start > 0 and self.layout.items[one.start - 1] is not None
            if has_value or not self._between(one.end, other.start) <= _ROW:
                return
            yield one

    def _before_colon(self, item: Item, labels: Sequence[Label]) -> Iterator[Label]:
        """The labels of a piece of the sentence that leads to an item by a colon."""
        if not labels or ":" not in self._between(labels[-1].end, item.start):
            return
        sentence, place = self.layout.sentences[item.start], item.start
        while place and self.layout.sentences[place - 1] == sentence:
            owner = self.layout.items[place - 1]
            if self._text(place - 1) == ";" or (owner is not None and owner not in self.of_title):
                break
            place -= 1
        yield from (label for label in labels if label.start >= place)

    def _could_be(self, item: Item, label: Label) -> bool:
        names = any(attribute.sense in ("name", "link") for attribute in label.attributes)
        if item.kind == "name" and label.end <= item.start:
            between = self._between(label.end, item.start)
            if between <= _FILLERS or (names and between <= _FILLERS | _ROW | _OPENING):
                return True
        elif item.kind == "name" and self._between(item.end, label.start) <= _FILLERS - {":"}:
            return names
        senses = _SENSES[item.text if item.kind == "placeholder" else item.kind]
        for attribute in label.attributes:
            if attribute.sense in senses or (item.number and _fits(item.number, attribute)):
                return True
        return False

    def _between(self, start: int, end: int) -> set[str]:
        """What stands between two places, labels left out."""
        tokens = self.reading.tokens
        return {tokens[p].fold for p in range(start, end) if p not in self._labelled}

    @cached_property
    def _labelled(self) -> frozenset[int]:
        labels = self.reading.labels
        return frozenset(p for label in labels for p in range(label.start, label.end))

    def _look_further(self, item: Item, found: Companions) -> None:
        """The nearest telling word outside of the clause, up to another entity.

        Of an entity only the label of a relation counts: it may well be one of a list.
        """
        sentence = self.layout.sentences[item.start]
        alone = self._is_alone(item)
        within = [p for p, s in enumerate(self.layout.sentences) if alone or s == sentence]
        before = [place for place in reversed(within) if place < item.start]
        after = [place for place in within if place >= item.end and item.kind != "name"]
        for place in (*before, *after):
            label, owner = self._label_at(place), self.layout.items[place]
            if owner is not None and item.kind == "category" and self.items[owner].kind == "name":
                found.names += [owner] if owner not in self.of_title else []
                return
            if label and self._could_be(item, label):
                found.labels.append(label)
                return
            if self.layout.telling[place] and item.kind != "name":
                found.words.append(place)
                return

    def _is_alone(self, item: Item) -> bool:
        """Whether an item's sentence holds nothing else that tells: no word, no other item."""
        sentence = self.layout.sentences[item.start]
        free = (None, *self.of_title)
        return not any(
            self.layout.telling[place] or self.layout.items[place] not in free
            for place, other in enumerate(self.layout.sentences)
            if other == sentence and not item.start <= place < item.end
        )

    def _label_at(self, place: int) -> Label | None:
        return next((x for x in self.reading.labels if x.start <= place < x.end), None)

    def _named(self, item: Item) -> Iterator[int]:
        """The entities of the clause, and the one that opens the sentence."""
        if len(self._names) == len(self.of_title):
            return
        clause = self.layout.clauses[item.start]
        for number in self._names:
            other = self.items[number]
            here = number not in self.of_title and self.layout.clauses[other.start] == clause
            if here and not self._qualifies(other):
                yield number
        opener = self._opener(item)
        if opener is not None and opener not in self.of_title:
            yield opener

    def _qualifies(self, name: Item) -> bool:
        """Whether a name or category only says where the entity of the title belongs.

        As in `Port Vale, Cape County`, `Port Vale of Cape County` and `Cape County's Port Vale`.
        """
        owners = self.layout.items
        before = name.start - 1
        while before >= 0 and self._text(before) in _ATTACHING:
            before -= 1
        attached = before >= 0 and before < name.start - 1 and owners[before] in self.of_title
        follows = name.end < len(owners) and owners[name.end] in self.of_title
        return attached or follows

    def _text(self, place: int) -> str:
        return self.reading.tokens[place].fold

    def _opener(self, item: Item) -> int | None:
        """The entity that an item's sentence is about: the last one that opens a piece of it."""
        sentence = self.layout.sentences[item.start]
        opener = None
        for number in self._names:
            other = self.items[number]
            if other.start > item.start:
                break
            if self.layout.sentences[other.start] == sentence and (
                number in self.of_title or self._opens(other)
            ):
                opener = number
        return opener

    def _opens(self, name: Item) -> bool:
        """Whether a name opens a sentence or a piece of one, and isn't part of a longer phrase."""
        tokens, layout = self.reading.tokens, self.layout
        before = name.start - 1
        first = before < 0 or layout.sentences[before] != layout.sentences[name.start]
        after = tokens[name.end].fold if name.end < len(tokens) else ""
        if not first and tokens[before].fold != ";":
            return tokens[before].fold in (",", "and") and after == "("
        return name.end >= len(tokens) or not layout.stems[name.end]


def _fits(number: Number, attribute: Attribute) -> bool:
    """Whether a number could be a value of an attribute that isn't a number."""
    if attribute.sense == "date":
        return number.is_year
    return attribute.sense == "category" and attribute.numeric
