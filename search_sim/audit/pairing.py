"""Pairing: what a snippet says of a value must be what the given text says of it.

Tracing alone would let given words be put together anew: "Beam: 14 m. Depth: [measure]" holds all
that "Depth: 14 m" needs. So for each item of a snippet there must be one given part that holds it
together with its **companions**:

1. the nearest telling word on each side of it in its clause;
2. the nearest label on each side of it in its clause, of an attribute that could have such a value,
   and the labels that stand in a row with the one before it (`depth, beam: 14 m`);
3. where its clause has neither, the nearest telling word before it, or else after it: in its
   sentence, and beyond it only if the sentence says nothing else;
4. for values, the entities that its clause names, and the one that opens its sentence, but not
   those that the title names.

A telling word is one that isn't neutral. Words of the title tell nothing, since all of the page is
about it. Sentences end at `.`, `!` and `?`. Clauses end at commas and their like, at "and", "with"
and their like, and before a label with a colon. Sentences that are whole sentences of a given part
need no pairing, and neither do the years that a title names, where they are said as years.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from search_sim.audit.companions import Companions, Finder
from search_sim.audit.given import Given
from search_sim.audit.layout import Layout
from search_sim.audit.neutral import grammar
from search_sim.audit.reading import Item, Label, Reading
from search_sim.audit.tokens import run, stem
from search_sim.audit.tracing import Holders
from search_sim.audit.vocabulary import Attribute, Vocabulary

_PERIODS = frozenset({"in", "for", "during", "year"})
"""Words after which a number of the title is a year."""

_BOTH_SIDES = 2
"""Telling words beside a word for a category that show that it means something else."""


@dataclass(frozen=True)
class Pairing:
    """The items of a snippet, each with the parts that hold it."""

    reading: Reading
    items: Sequence[Item]
    held: Sequence[Holders]
    given: Given
    vocabulary: Vocabulary
    layout: Layout

    def faults(self) -> Iterator[str]:
        """The items that no given part holds together with their companions."""
        for number, item in enumerate(self.items):
            if item.kind == "claim" or not self.held[number] or self.reading.is_quoted(item):
                continue
            if self._is_free(number):
                continue
            wanted = self._finder.companions(number)
            if not any(self._fits(part, item, wanted) for part in sorted(self.held[number])):
                yield (
                    f'"{item.text}" isn\'t said of {self._written(wanted)} in what was given: '
                    "keep it in the words of its own passage"
                )

    @cached_property
    def _finder(self) -> Finder:
        of_title = frozenset(
            number
            for number, item in enumerate(self.items)
            if item.kind == "name" and 0 in self.held[number]
        )
        return Finder(self.reading, self.items, self.layout, of_title)

    def _is_free(self, number: int) -> bool:
        """Whether an item is of the title: an entity that it names, or a year said as a year."""
        item, held = self.items[number], self.held[number]
        if item.kind == "name":
            return 0 in held
        value = item.number
        if 0 not in held or value is None or not value.is_year:
            return False
        if any(self._dates(label, item) for label in self.reading.labels):
            return False
        if value.noun and value.noun not in self.vocabulary.neutral:
            return any(stem(value.noun) in self.given.parts[part].stems for part in held)
        said = self.reading.tokens[max(item.start - 1, 0) : item.end]
        if said[0].kind != "word":
            return False
        return said[0].fold in _PERIODS or run(said) in self.given.title.run

    def _dates(self, label: Label, item: Item) -> bool:
        """Whether a label of the same sentence names a date."""
        sentences = self.layout.sentences
        dates = any(attribute.sense == "date" for attribute in label.attributes)
        return dates and sentences[label.start] == sentences[item.start]

    def _fits(self, part: int, item: Item, wanted: Companions) -> bool:
        """Whether a part that holds an item holds its companions too."""
        if item.kind == "category" and not wanted.labels:
            ambiguous = item.words in self.vocabulary.ambiguous
            if self._is_phrase(part, item) or (ambiguous and len(wanted.words) < _BOTH_SIDES):
                return self._is_phrase(part, item)
        # A name that opens a line is said of all its pieces.
        parts = self._passage(part) if item.kind == "name" else [part]
        return (
            all(self._tells(parts, self.layout.stems[place]) for place in wanted.words)
            and all(self._stand_together(part, self.held[name]) for name in wanted.names)
            and all(self._names(parts, label) for label in wanted.labels)
        )

    def _tells(self, parts: Sequence[int], word: str) -> bool:
        return any(word in self.given.parts[part].stems for part in parts)

    def _names(self, parts: Sequence[int], label: Label) -> bool:
        """Whether one of some parts names an attribute, or is a line of a list that is of it."""
        return any(
            not label.attributes.isdisjoint(self.vocabulary.named_in(self.given.parts[part]))
            or (
                label.is_relation and self._is_line(part) and label.attributes & self._heading(part)
            )
            for part in parts
        )

    def _passage(self, part: int) -> list[int]:
        """All parts of the passage that a part is of."""
        passages = self.given.passages
        return [other for other, passage in enumerate(passages) if passage == passages[part]]

    def _is_phrase(self, part: int, item: Item) -> bool:
        """Whether the word before or after a category is the one that is there in a part.

        Words that name a category can mean something else as well: an "Index entry" is no segment.
        """
        tokens, text = self.reading.tokens, self.given.parts[part].run
        before, after = item.start - 1, item.end
        leads = before >= 0 and tokens[before].kind == "word"
        if leads and tokens[before].fold not in grammar() and run(tokens[before:after]) in text:
            return True
        follows = after < len(tokens) and tokens[after].kind == "word"
        return follows and run(tokens[item.start : after + 1]) in text

    def _stand_together(self, part: int, others: Holders) -> bool:
        """Whether a part is of the same passage as one of some others."""
        passages = self.given.passages
        return any(passages[part] == passages[other] for other in others)

    def _is_line(self, part: int) -> bool:
        """Whether a part opens with the name of an entity and a colon."""
        tokens = self.given.parts[part].tokens
        colon = next((place for place, token in enumerate(tokens) if token.fold == ":"), 0)
        name = [token.fold for token in tokens[:colon] if token.kind != "mark"]
        match = next(self.vocabulary.names.find(name), None)
        return match is not None and (match.start, match.end) == (0, len(name))

    def _heading(self, part: int) -> frozenset[Attribute]:
        """The relation that the last passage before a part that is nothing but a label names."""
        for above in range(part - 1, 0, -1):
            stems = self.given.parts[above].spoken
            match = next(self.vocabulary.attributes.find(stems), None)
            if match is not None and (match.start, match.end) == (0, len(stems)):
                return frozenset(a for a in match.meaning if a.sense == "link")
        return frozenset()

    def _written(self, wanted: Companions) -> str:
        """The companions as the snippet writes them."""
        tokens = self.reading.tokens
        spans = [(label.start, label.end) for label in wanted.labels]
        spans += [(name.start, name.end) for name in (self.items[n] for n in wanted.names)]
        held = {place for start, end in spans for place in range(start, end)}
        spans += [(place, place + 1) for place in wanted.words if place not in held]
        texts = [
            self.reading.text[tokens[start].start : tokens[end - 1].end]
            for start, end in sorted(set(spans))
        ]
        return " and ".join(f'"{text}"' for text in texts) or "this"
