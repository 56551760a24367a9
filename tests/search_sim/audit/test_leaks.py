"""Withheld values, written in every form at every place: the auditor refuses, the alarm counts.

The forms are the alarm's, which knows the truth; the auditor has its own way of reading them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from audit_support import Opened, Result

from search_sim.audit.auditor import audit
from search_sim.audit.shape import MOST_CHARACTERS
from search_sim.audit.views import words_of_phrase
from search_sim.audit.watch import Watch, watch_page
from worldgen.facts import Fact
from worldgen.masking import mask
from worldgen.seeds import generator

INSERTIONS = 400
FULL_WIDTH = {ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)}
UNITS = ("m", "km", "USD", "EUR", "%", "kg", "years")


def dressed(form: str, rng: Random) -> Iterator[str]:
    """A value as it is, and in some disguise."""
    yield form
    yield rng.choice(
        (
            form.upper(),
            form.title(),
            form.translate(FULL_WIDTH),
            " ".join(form.replace(" ", "")),
            "-".join((*form.split(), "page")),
            f"{form[:1]}\u200b{form[1:]}",
            f'"{form}"',
            f"({form})",
            f"{form} {rng.choice(UNITS)}",
            f"${form}",
        )
    )


def forms_of(watch: Watch) -> dict[int, list[str]]:
    """The forms of each fact that a page states."""
    found: dict[int, list[str]] = {}
    for phrases in watch.forms.values():
        for words, slot in phrases:
            found.setdefault(slot.fact, []).append(" ".join(words))
    return found


def is_given(form: str, result: Result) -> bool:
    """Whether a form stands in what was given, by chance: `one` in "one of the offices"."""
    return f" {form} " in f" {' '.join(words_of_phrase(result.shown))} "


def phrases_for(labels: list[str], form: str, name: str) -> Iterator[str]:
    """Plain statements of a value, beside each name of its attribute."""
    for label in labels:
        yield f"{label.capitalize()}: {form}."
        yield f"{form} {label} at {name}"
        yield f"The {label} of {name} is {form}."
        yield f"{label.capitalize()}. {form}"


def labels_of(opened: Opened, fact: Fact) -> list[str]:
    table = opened.world.blueprint.table(fact.table)
    if fact.kind in ("row", "list"):
        return [table.label, table.plural, *table.aliases]
    column = table.column(fact.column)
    return [column.label, *column.aliases]


def test_what_a_mask_hides_is_refused_in_its_own_words(opened: Opened) -> None:
    leaks = 0
    for result in opened.results(share=0.3):
        for statement in result.page.statements:
            hidden = mask(statement, opened.world.roles) != statement.text
            if hidden and len(statement.text) < MOST_CHARACTERS:
                leaks += 1
                assert audit(statement.text, result.given, opened.vocabulary), statement.text
                assert opened.alarm.count(result.page.url, statement.text, result.shown)
    assert leaks > 100


def test_a_value_put_anywhere_in_an_honest_snippet_is_refused(opened: Opened) -> None:
    rng = generator(7, opened.world.id)
    results = [r for r in opened.results() if watch_page(opened.world, r.page).facts]
    neutral = sorted(opened.vocabulary.neutral)
    tried = 0
    while tried < INSERTIONS:
        result = rng.choice(results)
        form = rng.choice(
            rng.choice(list(forms_of(watch_page(opened.world, result.page)).values()))
        )
        words = rng.choice(
            (
                result.snippet.split(),
                rng.choice(result.passages).split(),
                [*result.page.title.split(), *rng.sample(neutral, 6)],
            )
        )
        if audit(" ".join(words), result.given, opened.vocabulary):
            continue  # a "for" or "to" at the end, which leads to nothing
        if is_given(form, result):
            continue  # the test of values that are given by chance is for these
        place = rng.randrange(len(words) + 1)
        for value in dressed(form, rng):
            snippet = " ".join((*words[:place], value, *words[place:]))
            assert audit(snippet, result.given, opened.vocabulary), snippet
            tried += 1


def said_of_attributes(opened: Opened, result: Result) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each form of a withheld value of a page, with statements of it."""
    watch = watch_page(opened.world, result.page)
    name = result.page.title.split(":")[0]
    for number, forms in forms_of(watch).items():
        labels = labels_of(opened, watch.facts[number])
        for form in forms:
            yield form, tuple(phrases_for(labels, form, name))


def test_a_value_said_of_its_attribute_is_refused(opened: Opened) -> None:
    for result in opened.results(share=0.02):
        for form, snippets in said_of_attributes(opened, result):
            bare = () if is_given(form, result) else (f"{result.page.title}: {form}", f"{form}.")
            for snippet in (*snippets, *bare):
                assert audit(snippet, result.given, opened.vocabulary), snippet


def test_a_value_that_is_given_by_chance_is_refused_of_its_attribute(opened: Opened) -> None:
    found = 0
    for result in opened.results():
        for form, snippets in said_of_attributes(opened, result):
            if is_given(form, result):
                found += 1
                for snippet in snippets:
                    assert audit(snippet, result.given, opened.vocabulary), snippet
    assert found


def test_a_disclosed_value_is_refused_of_another_attribute_of_its_kind(opened: Opened) -> None:
    world = opened.world
    for result, claim in opened.disclosures(0.1):
        column = world.blueprint.table(claim.fact.table).column(claim.fact.column)
        value = next(
            s.text[c.start : c.end] for s in result.page.statements for c in s.claims if c == claim
        )
        for other in sorted(result.page.facts):
            if other.kind != "cell" or other.column == "name" or other == claim.fact:
                continue
            theirs = world.blueprint.table(other.table).column(other.column)
            if theirs.label == column.label or theirs.kind != column.kind:
                continue
            for snippet in phrases_for([theirs.label], value, "the page"):
                assert audit(snippet, result.given, opened.vocabulary), snippet
