"""What the alarm looks for: the withheld facts of a page, in all their forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from search_sim.audit.forms import date_forms, number_forms
from search_sim.audit.views import Words, words_of_phrase
from worldgen.blueprint import Column
from worldgen.facts import Fact
from worldgen.pages import Claim, Page, Statement
from worldgen.world import World

_LONG = 6
"""Characters from which on a form is looked for across spaces and within longer words."""

_TELLING_DIGITS = 3
"""Digits from which on a number is taken to stand for one fact only."""


class Slot(NamedTuple):
    """One way of stating a fact.

    Attributes:
        fact: its number on the page.
        spelled: whether a number is in words there, which can be pronouns: "every one".
    """

    fact: int
    spelled: bool


Phrases = dict[str, list[tuple[Words, Slot]]]
"""Phrases by their first words, each with what it is a form or a name of."""


@dataclass(frozen=True)
class Watch:
    """What to look for of one page.

    Attributes:
        facts: the guarded facts that it states.
        forms: the forms of their values.
        labels: the phrases that name their attributes, for both slots of each.
        long: forms without spaces that stand in no other word.
        telling: the facts whose values stand for nothing else: dates, people, larger numbers.
    """

    facts: tuple[Fact, ...]
    forms: Phrases
    labels: Phrases
    long: tuple[tuple[str, int], ...]
    telling: frozenset[int]


def watch_page(world: World, page: Page) -> Watch:
    """What to look for of a page."""
    forms: dict[Fact, dict[Words, None]] = {}
    for statement in page.statements:
        for fact, claim in _guarded(world, statement):
            forms.setdefault(fact, {}).update(dict.fromkeys(_forms(world, claim)))
    facts = tuple(fact for fact, known in forms.items() if known)
    numbered = [(form, number) for number, fact in enumerate(facts) for form in forms[fact]]
    long = (("".join(form), number) for form, number in numbered)
    return Watch(
        facts,
        _by_first(
            (form, Slot(number, _is_spelled(world, facts[number], form)))
            for form, number in numbered
        ),
        _by_first(
            (label, Slot(number, spelled))
            for number, fact in enumerate(facts)
            for label in _labels(world, fact)
            for spelled in (False, True)
        ),
        tuple(dict.fromkeys(pair for pair in long if len(pair[0]) >= _LONG)),
        frozenset(
            n for n, fact in enumerate(facts) if _is_telling(world, fact, next(iter(forms[fact])))
        ),
    )


def _guarded(world: World, statement: Statement) -> Iterator[tuple[Fact, Claim]]:
    """The guarded facts of a statement, each with a claim that has its value.

    That a link row exists is stated by naming its far side.
    """
    guarded = world.roles.guarded
    rows = [c.fact for c in statement.claims if c.fact.kind == "row" and guarded(c.fact)]
    for claim in statement.claims:
        if claim.fact.kind == "row":
            continue
        if guarded(claim.fact):
            yield claim.fact, claim
        else:
            hidden = [*rows, *filter(guarded, claim.depends_on)]
            yield from ((fact, claim) for fact in hidden[:1])


def _forms(world: World, claim: Claim) -> Iterator[Words]:
    """The forms of a claim's value."""
    fact, value = claim.fact, claim.value
    if fact.kind == "list":
        return _split(number_forms(Decimal(str(value))))
    if fact.kind == "top":
        return _names(world, fact.table, int(value))
    if fact.column == "name":
        return _names(world, fact.table, fact.key[0])
    column = world.blueprint.table(fact.table).column(fact.column)
    if column.to:
        return _names(world, column.to, int(value))
    if column.kind == "date":
        return _split(date_forms(str(value)))
    if column.numeric:
        return _split(number_forms(Decimal(str(value))))
    return map(words_of_phrase, _texts(column, str(value)))


def _split(forms: Iterable[str]) -> Iterator[Words]:
    return (tuple(form.split()) for form in forms)


def _names(world: World, table: str, entity_id: int) -> Iterator[Words]:
    """The names of an entity; none of one that there isn't, as where several share a record."""
    if (entity_id,) in world.tables[table]:
        yield words_of_phrase(world.name_of(table, entity_id))
        for short in world.short_names.get((table, entity_id), ()):
            yield words_of_phrase(short)


def _texts(column: Column, text: str) -> Iterator[str]:
    """A category with its plural; a person in full, and by the family name."""
    yield text
    if column.kind == "person":
        yield text.split()[-1]
    else:
        yield f"{text[:-1]}ies" if text.endswith("y") else f"{text}s"


def _labels(world: World, fact: Fact) -> Iterator[Words]:
    """The phrases that name a fact's attribute."""
    table = world.blueprint.table(fact.table)
    if fact.kind in ("row", "list"):
        # A line of a list states its row by naming the far side and some of its columns.
        columns = table.details if fact.kind == "row" else ()
        phrases = (table.label, table.plural, *table.aliases, *(c.label for c in columns))
    else:
        column = table.column(fact.column)
        phrases = (column.label, *column.aliases)
    return map(words_of_phrase, phrases)


def _kind(world: World, fact: Fact) -> str:
    if fact.kind in ("list", "row", "top") or fact.column == "name":
        return "count" if fact.kind == "list" else "ref"
    return world.blueprint.table(fact.table).column(fact.column).kind


def _is_spelled(world: World, fact: Fact, form: Words) -> bool:
    numeric = _kind(world, fact) in ("count", "rank", "money", "measure")
    return numeric and not any(word[0].isdigit() for word in form)


def _is_telling(world: World, fact: Fact, form: Words) -> bool:
    kind = _kind(world, fact)
    digits = sum(character.isdigit() for character in form[0])
    return kind in ("date", "person") or (
        kind not in ("ref", "category") and digits >= _TELLING_DIGITS
    )


def _by_first(phrases: Iterable[tuple[Words, Slot]]) -> Phrases:
    found: Phrases = {}
    for words, slot in phrases:
        found.setdefault(words[0], []).append((words, slot))
    return found
