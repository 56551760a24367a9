"""Snippets that must trace, and snippets that must not: the files in `cases`, one a domain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from search_sim.audit.auditor import audit
from search_sim.audit.given import Given
from search_sim.audit.vocabulary import Vocabulary
from worldgen.facts import RowKey
from worldgen.library import domain
from worldgen.populate import populate
from worldgen.world import Row

FOLDER = Path(__file__).with_name("cases")


@dataclass(frozen=True)
class Case:
    """One line of a file: a snippet of the result above it.

    Attributes:
        kind: `+` must trace, `!` must not, `~` ought to and doesn't.
        culprit: what a fault must name.
    """

    domain: str
    title: str
    date: str
    passages: tuple[str, ...]
    kind: str
    culprit: str
    snippet: str


def read_cases(path: Path) -> Iterator[Case]:
    title = date = ""
    passages: tuple[str, ...] = ()
    for line in path.read_text(encoding="utf-8").split("\n"):
        kind, _, rest = line.partition(" ")
        if kind == "==":
            title, _, date = rest.rpartition(" | ")
            passages = ()
        elif kind == "-":
            passages += (rest,)
        elif kind in ("+", "~", "!"):
            culprit, _, text = rest.partition(" | ") if kind == "!" else ("", "", rest)
            snippet = text.replace("\\n", "\n")
            culprit = culprit.removesuffix(" |")
            yield Case(path.stem, title, date, passages, kind, culprit, snippet)


CASES = [case for path in sorted(FOLDER.glob("*.txt")) for case in read_cases(path)]


@cache
def vocabulary(name: str) -> Vocabulary:
    """A vocabulary of the names in a file, which stay when a domain draws others."""
    world = populate(domain(name), 1, name)
    tables: dict[str, dict[RowKey, Row]] = {table: {} for table in world.tables}
    short: dict[tuple[str, int], tuple[str, ...]] = {}
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("entities "):
            table, _, names = line.removeprefix("entities ").partition(": ")
            for number, forms in enumerate(names.split("; "), 1):
                full, *others = forms.split(" = ")
                tables[table][(number,)] = {"id": number, "name": full}
                short[table, number] = tuple(others)
    return Vocabulary.of(replace(world, tables=tables, short_names=short))


def faults(case: Case) -> tuple[str, ...]:
    given = Given.of(case.title, case.date, case.passages)
    return audit(case.snippet, given, vocabulary(case.domain))


def of_kind(kind: str) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case.kind == kind]
    ids = [f"{case.domain}: {ascii(case.snippet)[:60]}" for case in chosen]
    return pytest.mark.parametrize("case", chosen, ids=ids)


@of_kind("+")
def test_an_honest_snippet_traces(case: Case) -> None:
    assert faults(case) == ()


@of_kind("!")
def test_what_was_not_given_is_a_fault_that_names_it(case: Case) -> None:
    assert case.culprit.casefold() in " ".join(faults(case)).casefold()
    assert faults(case)


@of_kind("~")
def test_some_honest_snippets_are_refused(case: Case) -> None:
    # What the whitelist costs; a case that traces one day belongs to the honest ones.
    assert faults(case)
