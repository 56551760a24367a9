"""Names that no vocabulary knows, and names that are mixed from words of several given ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from search_sim.audit.given import Given
from search_sim.audit.reading import Item, Reading
from search_sim.audit.tokens import STOPS, Token, run
from search_sim.audit.vocabulary import Vocabulary

_OPENING = frozenset({*STOPS, *":;('\"-–—•·|"})
"""Marks after which a capital letter makes no name."""

_WITHIN = frozenset("-&'")
"""Marks that can stand within a name."""

Span = tuple[int, int]
"""The places of some tokens."""


def capital_runs(reading: Reading) -> list[Span]:
    """The capitalised words that follow each other, outside of other items and quotations."""
    other = {
        place
        for item in reading.items
        if item.kind in ("date", "number", "category")
        for place in range(item.start, item.end)
    }
    found: list[Span] = []
    for place, token in enumerate(reading.tokens):
        if place in other or reading.quoted[place] or not token.text[0].isupper():
            continue
        if found and _goes_on(reading.tokens[found[-1][1] : place]):
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


def _goes_on(between: Sequence[Token]) -> bool:
    """Whether a run of capitalised words goes on after what stands between two of them."""
    return all(token.fold in _WITHIN and not token.spaced for token in between)


def capital_names(
    reading: Reading, runs: Sequence[Span], given: Given, vocabulary: Vocabulary
) -> tuple[Item, ...]:
    """The runs of capitalised words that no vocabulary knows, as names.

    The words of labels at either end are left out, and so is a first word of a sentence that is an
    ordinary one.
    """
    others = (item for item in reading.items if item.kind != "claim")
    known = {p for item in others for p in range(item.start, item.end)}
    known |= {p for label in reading.labels for p in range(label.start, label.end)}
    found = []
    for start, end in runs:
        inner = [place for place in range(start, end) if place not in known]
        if inner and inner[0] == start and _is_ordinary(reading, start, given, vocabulary):
            del inner[0]
        if inner and len(inner) == inner[-1] - inner[0] + 1:
            found.append(_name(reading, inner[0], inner[-1] + 1))
    return tuple(item for item in found if item.words not in given.title.run)


def name_faults(
    reading: Reading, runs: Sequence[Span], given: Given, vocabulary: Vocabulary
) -> Iterator[str]:
    """Names that weren't given as they stand there."""
    unknown = _unknown_runs(reading, runs, given, vocabulary)
    for start, end in chain(unknown, _mixed(reading, given, vocabulary)):
        name = _name(reading, start, end).text
        yield f'"{name}" isn\'t a name that was given for this result: write names as they are'


def _name(reading: Reading, start: int, end: int) -> Item:
    tokens = reading.tokens[start:end]
    text = reading.text[tokens[0].start : tokens[-1].end]
    return Item("name", start, end, text, run(tokens))


def _unknown_runs(
    reading: Reading, runs: Sequence[Span], given: Given, vocabulary: Vocabulary
) -> Iterator[Span]:
    """Capitalised runs that don't stand so in any given part and aren't whole names in a row."""
    whole = {p for i in reading.items if i.kind == "name" for p in range(i.start, i.end)}
    for start, end in runs:
        ordinary = _is_ordinary(reading, start, given, vocabulary)
        begins = (start, start + 1) if ordinary else (start,)
        if not any(
            whole.issuperset(range(begin, end)) or given.holding(run(reading.tokens[begin:end]))
            for begin in begins
        ):
            yield start, end


def _is_ordinary(reading: Reading, place: int, given: Given, vocabulary: Vocabulary) -> bool:
    """Whether a capital letter makes no name: an ordinary word opens a sentence there."""
    fold = reading.tokens[place].fold
    opens = place == 0 or reading.tokens[place - 1].fold in _OPENING
    return opens and (fold in vocabulary.neutral or not given.is_proper(fold))


def _mixed(reading: Reading, given: Given, vocabulary: Vocabulary) -> Iterator[Span]:
    """Short names beside a word of another given name: `Port Vale` of `Port Alder`, `Cape Vale`."""
    owner = {p: i for i in reading.items if i.kind == "name" for p in range(i.start, i.end)}
    for item in reading.items:
        if not item.entities or item.words in vocabulary.full or reading.is_quoted(item):
            continue
        forms = [form for entity in item.entities for form in vocabulary.forms[entity]]
        own = {word for form in forms for word in form.split()}
        for neighbour in (item.start - 1, item.end):
            start, end = min(neighbour, item.start), max(neighbour + 1, item.end)
            if not _joins(reading, start, end) or given.holding(run(reading.tokens[start:end])):
                continue
            word = reading.tokens[neighbour].fold
            foreign = word not in own and word in _name_words(given, vocabulary)
            if neighbour in owner or foreign:
                yield min(start, owner.get(neighbour, item).start), end


def _joins(reading: Reading, start: int, end: int) -> bool:
    """Whether the tokens of a span are words that follow each other without a mark."""
    within = start >= 0 and end <= len(reading.tokens)
    return within and all(token.kind == "word" for token in reading.tokens[start:end])


def _name_words(given: Given, vocabulary: Vocabulary) -> frozenset[str]:
    """The words of all names that were given."""
    words = set[str]()
    for part in given.parts:
        folds = [token.fold for token in part.tokens if token.kind != "mark"]
        for match in vocabulary.names.find(folds):
            words |= set(folds[match.start : match.end])
    return frozenset(words)
