"""The open words of a world: its names, its categories, its attributes.

All of it is in the blueprint or in key columns, so a world and its republished twin have the same
vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from search_sim.audit.given import Part
from search_sim.audit.neutral import grammar, plain
from search_sim.audit.number_words import NUMBER_WORDS
from search_sim.audit.tokens import cut, normalise, run, stem
from worldgen.blueprint import Column, ColumnKind
from worldgen.values import Choice
from worldgen.world import World

Sense = Literal["number", "date", "category", "name", "link"]
"""What an attribute holds; `link` for a relation, which is named or counted."""

Entity = tuple[str, int]
Phrase = tuple[str, ...]
T = TypeVar("T")

_SENSES: Mapping[ColumnKind, Sense] = {
    "ref": "name",
    "person": "name",
    "category": "category",
    "date": "date",
    "money": "number",
    "measure": "number",
    "count": "number",
    "rank": "number",
}


class Attribute(NamedTuple):
    """One attribute: equal labels in several tables are one.

    Attributes:
        label: its label.
        sense: what it holds.
        numeric: whether its values have digits or words for numbers, as those of the category
            `2 nm` have.
    """

    label: str
    sense: Sense
    numeric: bool


class Match(NamedTuple, Generic[T]):
    """A phrase that was found.

    Attributes:
        start, end: the places of its words in the sequence that was searched.
        meaning: what it stands for.
    """

    start: int
    end: int
    meaning: T


@dataclass(frozen=True)
class Phrases(Generic[T]):
    """Phrases of several words, each with what it stands for."""

    by_first: Mapping[str, tuple[tuple[Phrase, frozenset[T]], ...]]

    @classmethod
    def of(cls, phrases: Iterable[tuple[Phrase, T]]) -> Phrases[T]:
        """Collect phrases; one that comes several times stands for several things."""
        meanings: dict[Phrase, set[T]] = {}
        for phrase, meaning in phrases:
            if phrase:
                meanings.setdefault(phrase, set()).add(meaning)
        by_first: dict[str, list[tuple[Phrase, frozenset[T]]]] = {}
        for phrase in sorted(meanings, key=lambda p: (-len(p), p)):
            by_first.setdefault(phrase[0], []).append((phrase, frozenset(meanings[phrase])))
        return cls({first: tuple(found) for first, found in by_first.items()})

    def find(self, words: Sequence[str]) -> Iterator[Match[frozenset[T]]]:
        """The phrases in a sequence of words, the longest first at each place."""
        end = 0
        for place, word in enumerate(words):
            if place < end or word not in self.by_first:
                continue
            for phrase, meaning in self.by_first[word]:
                if tuple(words[place : place + len(phrase)]) == phrase:
                    end = place + len(phrase)
                    yield Match(place, end, meaning)
                    break


@dataclass(frozen=True)
class Vocabulary:
    """The open words of a world.

    Attributes:
        neutral: the words that a snippet may use though it wasn't given them.
        names: entities by their full and short names, words in lower case.
        forms: the names of each entity, as `search_sim.audit.tokens.run` writes them.
        full: their full names, written so.
        categories: category columns by their options, words in lower case.
        ambiguous: options that pages use in another sense too, as `run` writes them.
        attributes: attributes by their labels and aliases, words without plain endings.
        units: the units of its columns that are no words of grammar, without plain endings.
    """

    neutral: frozenset[str]
    names: Phrases[Entity]
    forms: Mapping[Entity, tuple[str, ...]]
    full: frozenset[str]
    categories: Phrases[str]
    ambiguous: frozenset[str]
    attributes: Phrases[Attribute]
    units: frozenset[str]

    # What a part of given text names is asked for time and again, as long as the part is kept.
    _named: WeakKeyDictionary[Part, frozenset[Attribute]] = field(
        default_factory=WeakKeyDictionary, init=False, compare=False, repr=False
    )

    def named_in(self, part: Part) -> frozenset[Attribute]:
        """The attributes that a part of given text names."""
        found = self._named.get(part)
        if found is None:
            matches = self.attributes.find(part.spoken)
            found = frozenset[Attribute]().union(*(match.meaning for match in matches))
            self._named[part] = found
        return found

    @classmethod
    def of(cls, world: World) -> Vocabulary:
        """The vocabulary of a world."""
        known = {
            (table, entity_id): (full, *world.short_names.get((table, entity_id), ()))
            for table, entity_id, full in world.entities()
        }
        names = [(_words(name), entity) for entity, forms in known.items() for name in forms]
        options = list(_options(world))
        attributes = list(_attributes(world))
        used = {
            stem(word) for phrases in (names, options) for phrase, _ in phrases for word in phrase
        }
        used |= {word for phrase, _ in attributes for word in phrase}
        return cls(
            grammar() | {word for word in plain() if stem(word) not in used},
            Phrases.of(names),
            {entity: tuple(map(_run, forms)) for entity, forms in known.items()},
            frozenset(_run(name) for name, *_ in known.values()),
            Phrases.of(options),
            frozenset(_ambiguous(world, options)),
            Phrases.of(attributes),
            frozenset(_units(world)),
        )


def _words(text: str) -> Phrase:
    return tuple(token.fold for token in cut(normalise(text)) if token.kind != "mark")


def plural(word: str) -> str:
    """A word in the plural."""
    ends_in_y = word.endswith("y") and word[-2:-1] not in "aeiou"
    return f"{word[:-1]}ies" if ends_in_y else f"{word}s"


def _run(text: str) -> str:
    return run(cut(normalise(text)))


def _options(world: World) -> Iterator[tuple[Phrase, str]]:
    """Each option of each category, also in the plural."""
    for column in _columns(world):
        if isinstance(column.values, Choice):
            for option in column.values.options:
                *first, last = _words(option) or ("",)
                yield (*first, last), column.label
                yield (*first, plural(last)), column.label


def _ambiguous(world: World, options: Iterable[tuple[Phrase, str]]) -> Iterator[str]:
    """The options that texts of the blueprint's sites hold as ordinary words: `index entry`."""
    texts = _run(" . ".join(_texts(world.blueprint.model_dump(include={"sites"}))))
    for words, _ in options:
        known = [f" {' '.join((*words[:-1], last))} " for last in (words[-1], plural(words[-1]))]
        if any(phrase in texts for phrase in known):
            yield from known


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, tuple | list):
        for value in data:
            yield from _texts(value)


def _attributes(world: World) -> Iterator[tuple[Phrase, Attribute]]:
    for table in world.blueprint.tables:
        if table.kind == "link":
            link = Attribute(table.label, "link", numeric=True)
            for phrase in (table.label, table.plural, *table.aliases):
                yield _stems(phrase), link
    for column in _columns(world):
        attribute = Attribute(column.label, _SENSES[column.kind], column.numeric or _digits(column))
        for phrase in (column.label, *column.aliases):
            yield _stems(phrase), attribute


def _units(world: World) -> Iterator[str]:
    """The units that are no words of grammar, as the inch's "in" is."""
    for column in _columns(world):
        if column.unit and column.unit.casefold() not in grammar():
            yield stem(column.unit.casefold())


def _stems(text: str) -> Phrase:
    return tuple(map(stem, _words(text)))


def _columns(world: World) -> Iterator[Column]:
    """The columns that cells are stated of: all but keys."""
    for table in world.blueprint.tables:
        yield from table.details


def _digits(column: Column) -> bool:
    """Whether a category's options hold numbers."""
    if not isinstance(column.values, Choice):
        return False
    words = [word for option in column.values.options for word in _words(option)]
    return any(word[0].isdigit() or word in NUMBER_WORDS for word in words)
