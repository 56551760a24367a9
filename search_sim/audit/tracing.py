"""Tracing: which parts of what was given hold an item of a snippet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from search_sim.audit.given import Given, Part
from search_sim.audit.neutral import grammar
from search_sim.audit.numbers import Number, with_unit
from search_sim.audit.reading import Item, Reading
from search_sim.audit.tokens import stem
from search_sim.audit.vocabulary import Vocabulary, plural

Holders = frozenset[int]
"""The numbers of parts of `Given`."""


def holders(item: Item, given: Given, vocabulary: Vocabulary) -> Holders:
    """The parts of the given text that hold an item, in whatever form."""
    if item.kind == "name":
        return name_holders(item, given, vocabulary)
    if item.kind == "category":
        return given.holding(item.words) | given.holding(_other_number(item.words))
    if item.number:
        number = _counting(item.number, vocabulary)
        return given.where(lambda part: _holds_number(part, number, vocabulary))
    if item.kind == "placeholder":
        return given.where(lambda part: item.text in part.placeholders)
    if item.kind == "claim":
        return given.where(lambda part: item.words.strip() in part.words)
    return given.where(lambda part: item.date in part.dates)


def name_holders(item: Item, given: Given, vocabulary: Vocabulary) -> Holders:
    """The parts that name one of the entities that a name can stand for, in full or in short."""
    if not item.entities:
        return given.holding(item.words)
    found = frozenset[int]()
    for entity in item.entities:
        for form in vocabulary.forms[entity]:
            found |= given.holding(form)
    return found


def _other_number(words: str) -> str:
    """A category in the singular if it's in the plural, and the other way round."""
    *first, last = words.split()
    singular = last[:-3] + "y" if last.endswith("ies") else last.removesuffix("s")
    return f" {' '.join((*first, singular if singular != last else plural(last)))} "


def _holds_number(part: Part, number: Number, vocabulary: Vocabulary) -> bool:
    if number.value is None or (number.noun and stem(number.noun) not in part.stems):
        return False
    if number.is_year and str(number.value) in part.years:
        return True
    return any(_same(number, _counting(other, vocabulary)) for other in part.numbers)


def _counting(number: Number, vocabulary: Vocabulary) -> Number:
    """A number whose noun says what is counted; the word after a year rarely does."""
    others = vocabulary.neutral if number.is_year else grammar()
    if number.noun in others:
        return number._replace(noun="")
    return with_unit(number, vocabulary.units)


def _same(number: Number, given: Number) -> bool:
    """Whether a given number allows another: of one value, with its unit, or with none.

    A number without a unit that counts something must count what the given one counts.
    """
    if number.value != given.value:
        return False
    if number.unit is not None:
        return number.unit == given.unit
    if not number.noun:
        return given.unit != "th"
    return given.unit is None and (not given.noun or stem(given.noun) == stem(number.noun))


_LEAVE_OUT = "isn't in what was given for this result: leave it out"


def trace_faults(reading: Reading, items: Sequence[Item], held: Sequence[Holders]) -> Iterator[str]:
    """The items of a snippet that no part of the given text holds."""
    for item, found in zip(items, held, strict=True):
        if not found and not reading.is_quoted(item):
            text = item.text if item.kind == "placeholder" else f'"{item.text}"'
            yield f"{text} {_LEAVE_OUT}"
