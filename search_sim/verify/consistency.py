"""Long-context consistency: what a turn shows agrees with all turns before and after it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from itertools import zip_longest

from answers.dates import YEAR
from search_sim.materials import Past
from search_sim.observation import NOT_SHOWN, Result, SearchResponse
from search_sim.verify.actions import Note, Search
from search_sim.verify.checking import Check, Seen
from search_sim.verify.ground import Ground, Said, ground_of
from search_sim.verify.notes import Notes
from search_sim.verify.play import Played, Step
from search_sim.verify.reading import quoted, states_date


def same_results_for_a_query(played: Played) -> Iterator[Seen]:
    """The same query and page bring the same results, whenever they are asked for again."""
    known: dict[tuple[str, int], tuple[Result, ...]] = {}
    for listing in played.listings:
        before = known.setdefault((listing.query, listing.page), listing.results)
        if not listing.first:
            same = before == listing.results
            yield Seen(listing.number, "" if same else f"other results for {quoted(listing.query)}")


def same_title_and_date_for_a_page(played: Played) -> Iterator[Seen]:
    """A URL has one title and one date, in every list and where it is opened."""
    known: dict[str, tuple[str, str | None]] = {}
    for listing in played.listings:
        for result in listing.results:
            again, heading = result.url in known, (result.title, result.date)
            before = known.setdefault(result.url, heading)
            if again:
                problem = f"{result.url} was headed {before}, now {heading}"
                yield Seen(listing.number, "" if before == heading else problem)
    for opening in played.openings:
        if opening.extract.found and opening.url in known:
            title = opening.extract.title
            problem = f"{opening.url} has the title {quoted(title)} when opened"
            yield Seen(opening.number, "" if title == known[opening.url][0] else problem)


def same_page_when_opened_again(played: Played) -> Iterator[Seen]:
    """A page that is opened again from the same offset is the same."""
    known: dict[tuple[str, int], str] = {}
    for opening in played.openings:
        at = opening.url, opening.offset
        if at in known:
            same = known[at] == opening.extract.content
            yield Seen(opening.number, "" if same else f"{opening.url} reads otherwise than before")
        if opening.extract.found:
            known.setdefault(at, opening.extract.content)


def pages_agree_with_their_snippets(played: Played) -> Iterator[Seen]:
    """Every number, date and name in a snippet stands on its page, in its title or is its date."""
    ground = ground_of(played.world)
    whole = {url: ground.said(text) for url, text in played.whole.items()}
    for listing in played.listings:
        for result in listing.results if listing.first else ():
            page = whole.get(result.url) or ground.page(result.url)
            yield Seen(listing.number, _disagreement(ground, result, page))


def searches_are_told_as_shown(played: Played) -> Iterator[Seen]:
    """A renderer is told of past searches what the agent saw, turn by turn."""
    for step, past in _told(played):
        if isinstance(step.action, Search) and isinstance(step.response, SearchResponse):
            same = _told_queries(past) == (list(step.action.queries), step.action.page)
            problem = "" if same else f"the search is told as {quoted(past.action)}"
            if past.observation != step.response.text:
                problem = f"its results are told as {quoted(past.observation)}"
            yield Seen(step.number, problem)


def opened_pages_agree_with_their_outlines(played: Played) -> Iterator[Seen]:
    """A renderer is told of an opened page its URL, title and headings, as they stand on it."""
    openings = {opening.number: opening for opening in played.openings}
    for step, past in _told(played):
        opening = openings.get(step.number)
        page = played.world.page(opening.url) if opening and opening.extract.found else None
        if page is None:
            continue
        text = played.whole.get(page.url, page.markdown)
        headings = [line for line in text.split("\n") if line.startswith("#")]
        url, *told = past.observation.split("\n")
        agrees = url == page.url and told[:1] == headings[:1] and set(told) <= set(headings)
        problem = f"{page.url} is told as {quoted(past.observation)}"
        yield Seen(step.number, "" if agrees else problem)


def notes_come_back_as_stored(played: Played) -> Iterator[Seen]:
    """The memory gives back what was stored under a key, and nothing else."""
    notes = Notes()
    for step in played.steps:
        if not isinstance(step.action, Note) or not isinstance(step.response, str):
            continue
        expected = notes.apply(step.action)
        if expected is not None:
            same = _read_notes(step.response) == expected
            problem = f"the memory gave back {quoted(step.response)}"
            yield Seen(step.number, "" if same else problem)


def pages_not_shown_answer_as_missing_ones(played: Played) -> Iterator[Seen]:
    """Pages that were not shown and pages that don't exist give one answer, to the letter."""
    for opening in played.openings:
        if opening.way and played.world.page(opening.url):
            continue
        extract = opening.extract
        same = extract.content == NOT_SHOWN and not extract.title and extract.next_offset is None
        problem = "" if same and not extract.found else f"{opening.url} answers otherwise"
        yield Seen(opening.number, problem)


def shown_pages_open(played: Played) -> Iterator[Seen]:
    """A page stays open to extraction from the turn on that showed it."""
    yield from _open(played, ("result", "home"))


def links_of_opened_pages_open(played: Played) -> Iterator[Seen]:
    """A link on a page that was opened can be followed."""
    yield from _open(played, ("link",))


CONSISTENCY: tuple[Check, ...] = (
    *(same_results_for_a_query, same_title_and_date_for_a_page, same_page_when_opened_again),
    *(pages_agree_with_their_snippets, opened_pages_agree_with_their_outlines),
    *(searches_are_told_as_shown, notes_come_back_as_stored),
    *(pages_not_shown_answer_as_missing_ones, shown_pages_open, links_of_opened_pages_open),
)
"""The checks of the axis, in the order of reports."""


def _open(played: Played, ways: tuple[str, ...]) -> Iterator[Seen]:
    for opening in played.openings:
        if opening.way in ways and played.world.page(opening.url):
            problem = f"{opening.url} was shown as a {opening.way}, but doesn't open"
            yield Seen(opening.number, "" if opening.extract.found else problem)


def _disagreement(ground: Ground, result: Result, page: Said) -> str:
    """What a snippet says that its page doesn't; empty if there is nothing."""
    said, title = ground.said(result.snippet), ground.said(result.title)
    stated = page.figures.dates | title.figures.dates | {result.date or ""}
    years = {Decimal(date[:YEAR]).normalize() for date in stated if date[:1].isdecimal()}
    numbers = said.figures.numbers - page.figures.numbers - title.figures.numbers - years
    dates = [date for date in said.figures.dates if not states_date(stated, date)]
    subjects = page.subjects | title.subjects
    names = [name for name, called in said.names.items() if not called & subjects]
    strange = [*(f"{n:f}" for n in sorted(numbers)), *sorted(dates), *names]
    return f"the snippet of {result.url} says {strange[0]}, its page doesn't" if strange else ""


def _told(played: Played) -> Iterator[tuple[Step, Past]]:
    """The turns that a renderer was told of, each with how it was told; notes are left out."""
    steps = [s for s in played.steps[: played.told] if s.turn and not isinstance(s.action, Note)]
    untold = Past("", "")
    yield from (
        (step, past or untold)
        for step, past in zip_longest(steps, played.history[: len(steps)], fillvalue=None)
        if step
    )


def _told_queries(past: Past) -> tuple[list[str], int] | None:
    """The queries and the page of a search as it was told; None if it is no search."""
    try:
        call = json.loads(past.action)
        arguments = call["arguments"]
        queries = arguments.get("queries") or [arguments["query"]]
    except (ValueError, KeyError):
        return None
    return (queries, arguments.get("page", 1)) if call["name"] == "web_search" else None


def _read_notes(text: str) -> dict[str, str] | None:
    """The notes that a memory gave back; None where they can't be read."""
    if not text.startswith("{"):
        return {}
    try:
        notes, _ = json.JSONDecoder().raw_decode(text)
    except ValueError:
        return None
    return notes if isinstance(notes, dict) else None
