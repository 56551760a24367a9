"""Words: each must be in what was given, or be one that says nothing of any world."""

from __future__ import annotations

from collections.abc import Iterator

from search_sim.audit.given import Given
from search_sim.audit.reading import Reading
from search_sim.audit.tokens import run
from search_sim.audit.vocabulary import Vocabulary

_ENDS = frozenset(".,;:!?)-–—|•·")


def word_faults(reading: Reading, given: Given, vocabulary: Vocabulary) -> Iterator[str]:
    """The words of a snippet that trace to nothing, those of items left out."""
    items = {p for item in reading.items for p in range(item.start, item.end)}
    for place, token in enumerate(reading.tokens):
        if token.kind != "word" or reading.quoted[place] or place in items:
            continue
        known = token.fold in vocabulary.neutral or _was_given(reading, place, given)
        if known and _leads_to_nothing(reading, place):
            yield f'nothing follows the word "{token.text}": leave it out'
        if not known and not _is_joined(reading, place, given):
            yield f'the word "{token.text}" isn\'t in what was given: leave it out'


def relation_faults(reading: Reading, given: Given) -> Iterator[str]:
    """Labels of relations that aren't written as they were given: `port of call` would say one."""
    for label in reading.labels:
        tokens = reading.tokens[label.start : label.end]
        if not label.is_relation or reading.quoted[label.start]:
            continue
        if not given.holding(run(tokens)):
            text = reading.text[tokens[0].start : tokens[-1].end]
            yield f'"{text}" isn\'t written so in what was given: write it as it is there'


def _leads_to_nothing(reading: Reading, place: int) -> bool:
    """Whether nothing follows a "for" or a "to": it could be meant for the number."""
    tokens = reading.tokens
    ends = place + 1 == len(tokens) or tokens[place + 1].fold in _ENDS
    return tokens[place].fold in ("for", "to") and ends


def _was_given(reading: Reading, place: int, given: Given) -> bool:
    """Whether a word was given, its plain endings aside or written as one word."""
    fold = reading.tokens[place].fold
    return fold in given.words or reading.stems[place] in given.stems or fold in given.joined


def _is_joined(reading: Reading, place: int, given: Given) -> bool:
    """Whether a word is part of a compound with a hyphen that was given as one word."""
    folds = [token.fold for token in reading.tokens[max(place - 2, 0) : place + 3]]
    triples = zip(folds, folds[1:], folds[2:], strict=False)
    return any(hyphen == "-" and one + other in given.words for one, hyphen, other in triples)
