"""Reach: which guarded facts a query names.

The lexicon knows the names of entities and the phrases for attributes: keys, labels and years, all
of them open. What a query reaches therefore never depends on a guarded value, and asking for a
fact that doesn't hold reaches as far as asking for one that does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from search_sim.words import words
from worldgen.blueprint import Table
from worldgen.facts import Fact, cell, row
from worldgen.world import World

MOST_ATTRIBUTES = 2
"""A query that names more attributes than this reaches no fact in full."""

Phrase = tuple[str, ...]
Subject = tuple[str, int]
T = TypeVar("T")


@dataclass(frozen=True)
class Reached:
    """One fact that a query reaches in full.

    Attributes:
        fact: the fact itself.
        implied: what stating it, or stating nothing, tells as well: that its link row exists.
    """

    fact: Fact
    implied: tuple[Fact, ...] = ()

    @property
    def facts(self) -> frozenset[Fact]:
        """All facts that are disclosed together."""
        return frozenset((self.fact, *self.implied))


@dataclass(frozen=True)
class Reach:
    """How far a query reaches.

    Attributes:
        level: `full` where it reaches some facts in full, `subject` where it names exactly one
            subject and no attribute of it, else `none`.
        reached: the facts that it reaches in full, in the order of their addresses.
    """

    level: Literal["full", "subject", "none"]
    reached: tuple[Reached, ...] = ()


class Lexicon:
    """The open words of a world: names of entities, phrases for attributes, years."""

    def __init__(self, world: World) -> None:
        """Collect the words of `world`."""
        self._world = world
        self._names: dict[Phrase, Subject] = {}
        for table, entity_id, name in world.entities():
            for form in (name, *world.short_names.get((table, entity_id), ())):
                self._names[words(form)] = (table, entity_id)
        self._attributes = dict(_attribute_phrases(world))
        self._years = {
            str(y) for t in world.blueprint.tables for y in range(t.years[0], t.years[1] + 1) if y
        }

    def reach(self, query: str) -> Reach:
        """How far a query reaches: exactly one subject, complete, and at most two attributes."""
        spoken = words(query)
        subjects, rest = _matches(spoken, self._names)
        labels, rest = _matches(rest, self._attributes)
        years = sorted({int(word) for word in rest if word in self._years})
        reached: list[Reached] = []
        if len(labels) <= MOST_ATTRIBUTES:
            reached = sorted(self._facts(subjects, years, labels), key=lambda r: r.fact)
        if reached:
            return Reach("full", tuple(reached))
        return Reach("subject" if len(subjects) == 1 and not labels else "none")

    def _facts(
        self, subjects: set[Subject], years: list[int], labels: set[str]
    ) -> Iterator[Reached]:
        if len(subjects) == 1 and len(years) <= 1:
            (subject,) = subjects
            yield from (
                self._yearly(subject, years[0], labels) if years else self._cells(subject, labels)
            )
        if len(subjects) == 2 and not years:
            yield from self._linked(subjects, labels)

    def _cells(self, subject: Subject, labels: set[str]) -> Iterator[Reached]:
        table, entity_id = subject
        for column in self._world.blueprint.table(table).details:
            if column.label in labels and self._world.roles.guarded_column(table, column.name):
                yield Reached(cell(table, (entity_id,), column.name))

    def _yearly(self, subject: Subject, year: int, labels: set[str]) -> Iterator[Reached]:
        for table in self._world.blueprint.tables:
            if table.kind != "yearly" or table.refs[0].to != subject[0]:
                continue
            for column in table.details:
                guarded = self._world.roles.guarded_column(table.name, column.name)
                if guarded and column.label in labels and table.years[0] <= year <= table.years[1]:
                    yield Reached(cell(table.name, (subject[1], year), column.name))

    def _linked(self, subjects: set[Subject], labels: set[str]) -> Iterator[Reached]:
        by_table = dict(subjects)
        for link in self._world.blueprint.links():
            sides = [str(link.column(name).to) for name in link.key_columns]
            if set(sides) != set(by_table) or len(by_table) != len(subjects):
                continue
            key = tuple(by_table[side] for side in sides)
            exists = (row(link.name, key),) if self._world.roles.guarded_rows(link.name) else ()
            if link.label in labels and exists:
                yield Reached(exists[0])
            for column in link.details:
                if column.label in labels and self._world.roles.guarded_column(
                    link.name, column.name
                ):
                    yield Reached(cell(link.name, key, column.name), exists)


def _attribute_phrases(world: World) -> Iterator[tuple[Phrase, str]]:
    """The phrases for each attribute, each with its label; equal labels are one attribute."""
    for table in world.blueprint.tables:
        if table.kind == "link":
            yield from ((words(phrase), table.label) for phrase in _phrases(table))
        for column in table.details:
            yield from ((words(phrase), column.label) for phrase in (*column.aliases, column.label))


def _phrases(table: Table) -> tuple[str, ...]:
    return (*table.aliases, table.plural, table.label)


def _matches(spoken: Phrase, known: Mapping[Phrase, T]) -> tuple[set[T], Phrase]:
    """What the words name, the longest phrase first at each place, and the words left over."""
    longest = max(map(len, known), default=0)
    found: set[T] = set()
    left: list[str] = []
    place = 0
    while place < len(spoken):
        for length in range(min(longest, len(spoken) - place), 0, -1):
            phrase = spoken[place : place + length]
            if phrase in known:
                found.add(known[phrase])
                place += length
                break
        else:
            left.append(spoken[place])
            place += 1
    return found, tuple(left)
