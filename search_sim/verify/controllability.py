"""Controllability: every turn is as the settings of its episode say.

Each check looks at one turn at a time. Those that know the truth, or what the engine gave, take it
from the world and from the trajectory's record; they only watch.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator

from search_sim.audit.auditor import MOST_CHARACTERS
from search_sim.observation import Extract, SearchResponse, write_results
from search_sim.trajectory import Given
from search_sim.verify.actions import Note, Open, Search
from search_sim.verify.checking import Check, Seen, first_of
from search_sim.verify.disclosures import grants
from search_sim.verify.play import Crash, Listing, Played
from search_sim.verify.reading import Block, quoted, read_results

_KINDS = {Search: SearchResponse, Open: Extract, Note: str}


def answered(played: Played) -> Iterator[Seen]:
    """Every action brings what its tool gives back."""
    for step in played.steps:
        response = step.response
        if isinstance(response, Crash):
            yield Seen(step.number, f"the tool raised {response.error}")
        elif not isinstance(response, _KINDS[type(step.action)]) or step.turn is None:
            yield Seen(step.number, f"the tool gave back a {type(response).__name__}")
        else:
            yield Seen(step.number)


def recorded(played: Played) -> Iterator[Seen]:
    """The trajectory says what was done and what was shown."""
    for step in played.steps:
        turn, response = step.turn, step.response
        if turn is None or isinstance(response, Crash):
            continue
        shown = response.text if isinstance(response, SearchResponse) else response
        shown = shown.content if isinstance(shown, Extract) else shown
        same = turn.tool == step.action.tool and turn.observation == shown
        yield Seen(step.number, "" if same else f"it is recorded as {quoted(turn.observation)}")


def one_list_a_query(played: Played) -> Iterator[Seen]:
    """A batch brings one list for each of its queries, in order."""
    for step, action, response, turn in played.searches:
        asked = [(query, action.page) for query in action.queries]
        came = [(record.query, record.page) for record in turn.searched]
        if len(response.results) != len(asked):
            problem = f"{len(asked)} queries brought {len(response.results)} lists"
        else:
            problem = "" if came == asked else "the lists are those of other queries"
        yield Seen(step.number, problem)


def number_of_results(played: Played) -> Iterator[Seen]:
    """As many results as the control says, or what is left of them on the last page."""
    most, world = played.case.controls.results, played.world
    engine = (world.full if played.effective == "open" else world.masked)[1]
    for listing in played.listings:
        left = len(engine.search(listing.query)) - (listing.page - 1) * most
        expected, came = min(most, max(left, 0)), len(listing.results)
        problem = f"{came} results for {quoted(listing.query)}, not {expected}"
        yield Seen(listing.number, "" if came == expected else problem)


def ranks(played: Played) -> Iterator[Seen]:
    """Ranks count on from page to page."""
    most = played.case.controls.results
    for listing in _filled(played):
        first = (listing.page - 1) * most + 1
        found = [result.rank for result in listing.results]
        expected = list(range(first, first + len(found)))
        problem = f"the ranks are {found}, not {expected[:1]} and on"
        yield Seen(listing.number, "" if found == expected else problem)


def given_results(played: Played) -> Iterator[Seen]:
    """Each result is one that the engine gave for the query, and stands there once."""
    for listing in _filled(played):
        given = {one.url for one in listing.record.given}
        counts = Counter(result.url for result in listing.results)
        problems = (
            f"{url} stands there {count} times" if count > 1 else f"{url} was not given"
            for url, count in counts.items()
            if count > 1 or url not in given
        )
        yield Seen(listing.number, first_of(problems))


def titles_and_dates(played: Played) -> Iterator[Seen]:
    """Each result has the title and the date that were given with it."""
    for listing in _filled(played):
        given = {one.url: (one.title, one.date) for one in listing.record.given}
        problems = (
            f"{r.url} is headed {quoted(r.title)}, {r.date}"
            for r in listing.results
            if given.get(r.url, (r.title, r.date)) != (r.title, r.date)
        )
        yield Seen(listing.number, first_of(problems))


def written_form(played: Played) -> Iterator[Seen]:
    """The text of a search is its results in the public format, no more and no less."""
    for step, action, response, _ in played.searches:
        if len(response.results) != len(action.queries):
            continue
        try:
            read = read_results(action.queries, response.text)
        except ValueError as error:
            yield Seen(step.number, str(error))
            continue
        shown = [
            [(r.rank, r.url, r.title, r.snippet) for r in results] for results in response.results
        ]
        same = [[block[:4] for block in blocks] for blocks in read] == shown
        exact = response.text == write_results(action.queries, response.results)
        problem = "" if same and exact else "the text shows other results than the record"
        yield Seen(step.number, problem)


def dates(played: Played) -> Iterator[Seen]:
    """Dates are shown in their format, and are the days of the results."""
    for step, action, response, _ in played.searches:
        try:
            read = read_results(action.queries, response.text)
        except ValueError as error:
            yield Seen(step.number, str(error))
            continue
        pairs = zip(
            (block for blocks in read for block in blocks),
            (result.date for results in response.results for result in results),
            strict=False,
        )
        problems = (
            f"{block.url} is shown as of {block.date}, not {date}"
            for block, date in pairs
            if _day(block) != date
        )
        yield Seen(step.number, first_of(problems))


def snippets(played: Played) -> Iterator[Seen]:
    """Each snippet is one line that is neither empty nor too long."""
    for listing in _filled(played):
        given = {one.url: one for one in listing.record.given}
        problems = (
            f"{result.url}: {problem}"
            for result in listing.results
            if (problem := _unfit(result.snippet, given.get(result.url)))
        )
        yield Seen(listing.number, first_of(problems))


def nothing_withheld_is_stated(played: Played) -> Iterator[Seen]:
    """No snippet states a guarded fact beyond what was given for it."""
    if played.effective == "open":
        return
    for listing in _filled(played):
        given = {one.url: one for one in listing.record.given}
        counts = (
            (r.url, played.world.alarm.count(r.url, r.snippet, _given_text(given.get(r.url))))
            for r in listing.results
            if played.world.page(r.url)
        )
        problems = (f"{url} states {n} facts that are withheld" for url, n in counts if n)
        yield Seen(listing.number, first_of(problems))


def disclosure_obeys_the_policy(played: Played) -> Iterator[Seen]:
    """Only `reach` discloses, and only one fact a query, with what it implies, that it names."""
    for step, _, _, turn in played.searches:
        if played.effective != "reach":
            wrong = f"{turn.disclosed[0]} under {played.effective}" if turn.disclosed else ""
        else:
            wrong = grants(played.world.lexicon, turn).problem
        yield Seen(step.number, wrong)


def disclosure_keeps_to_the_allowance(played: Played) -> Iterator[Seen]:
    """Over an episode no more facts are disclosed than its task allows."""
    facts: dict[str, None] = {}
    for step, _, _, turn in played.searches:
        if played.effective != "reach":
            continue
        facts |= dict.fromkeys(grants(played.world.lexicon, turn).facts)
        allowed = played.task.disclosures
        problem = f"{len(facts)} facts so far, where {allowed} are allowed"
        yield Seen(step.number, "" if len(facts) <= allowed else problem)


def extracts(played: Played) -> Iterator[Seen]:
    """A page is given from the offset on, as much of it as the control says."""
    most = played.case.controls.extract_length
    for opening in played.openings:
        page = played.world.page(opening.url)
        if page is None or not opening.extract.found:
            continue
        end = opening.offset + most
        following = end if end < len(page.markdown) else None
        if opening.extract.content != page.markdown[opening.offset : end]:
            problem = f"{len(opening.extract.content)} characters that are not those of the page"
        elif opening.extract.next_offset != following:
            problem = f"it goes on at {opening.extract.next_offset}, not {following}"
        else:
            problem = ""
        yield Seen(opening.number, problem)


def parts_join(played: Played) -> Iterator[Seen]:
    """A page that was read from its start to its end, part after part, is the whole page."""
    last = {opening.url: opening.number for opening in played.openings}
    for url, text in played.whole.items():
        page = played.world.page(url)
        same = page is not None and page.markdown == text
        yield Seen(last[url], "" if same else f"the parts of {url} are not the page")


CONTROLLABILITY: tuple[Check, ...] = (
    *(answered, recorded, one_list_a_query, number_of_results, ranks, given_results),
    *(titles_and_dates, written_form, dates, snippets, nothing_withheld_is_stated),
    *(disclosure_obeys_the_policy, disclosure_keeps_to_the_allowance, extracts, parts_join),
)
"""The checks of the axis, in the order of reports."""


def _filled(played: Played) -> Iterator[Listing]:
    return (listing for listing in played.listings if listing.results)


def _day(block: Block) -> str | None:
    if block.date == "N/A":
        return None
    try:
        return dt.datetime.strptime(block.date, "%b %d, %Y").date().isoformat()  # noqa: DTZ007
    except ValueError:
        return block.date


def _unfit(snippet: str, given: Given | None) -> str:
    passages = (*given.passages, *given.stated) if given else ()
    most = max([MOST_CHARACTERS, *(len(passage) + 1 for passage in passages)])
    if not snippet.strip():
        return "its snippet is empty"
    if len(snippet.splitlines()) > 1:
        return f"its snippet has several lines, {quoted(snippet)}"
    return f"its snippet has {len(snippet)} characters" if len(snippet) > most else ""


def _given_text(given: Given | None) -> str:
    return "\n".join((given.title, *given.passages, *given.stated)) if given else ""
