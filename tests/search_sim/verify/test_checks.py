"""Checks: each holds over what the template shows, and each fails where one thing is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from search_sim.controls import Controls
from search_sim.materials import Past
from search_sim.observation import NOT_SHOWN, Extract, Result, SearchResponse, write_results
from search_sim.open_world import OpenWorld
from search_sim.render import TemplateRenderer
from search_sim.verify.actions import Note, Open, Search
from search_sim.verify.cases import Case
from search_sim.verify.checking import check_name
from search_sim.verify.play import Crash, Played, play
from search_sim.verify.scores import AXES, inspect
from worldgen.facts import Fact
from worldgen.pages import Page

PART = 200
RESULTS = 5


def _record(world: OpenWorld) -> Page:
    """A page that comes in several parts and states a guarded cell."""
    name = world.world.name_of("port", 1)
    return next(p for p in world.web.pages if p.title == f"{name}: port record")


def _actions(world: OpenWorld) -> Iterator[Search | Open | Note]:
    """An episode in which every check has something to look at."""
    name, record = world.world.name_of("port", 1), _record(world)
    ports = next(p for p in world.web.pages if p.title == "All ports, A to Z")
    far = next(p for p in world.web.pages if "vessel" in p.url and p.url not in ports.outgoing)
    yield Note(operation="add", entries={"a": "one", "b": "two"})
    yield Search(queries=(record.title,))
    yield Search(queries=(f"{name} harbour depth",))
    yield Search(queries=(name, record.title, name))
    yield Search(queries=(name,), page=2)
    yield Search(queries=(ports.title,))
    yield from (Open(url=record.url, offset=at) for at in range(0, len(record.markdown), PART))
    yield Open(url=record.url)
    yield Open(url=ports.url)
    yield Open(url=next(url for url in ports.outgoing if name not in url))
    yield Open(url=far.url)
    yield Open(url="https://nowhere.example/")
    yield Search(queries=(record.title,))
    yield Search(queries=(f"{name} county",))
    yield Note(operation="update", entries={"a": "three", "c": "four"})
    yield Note(operation="retrieve", keys=("a", "c"))
    yield Note(operation="retrieve_all")


@pytest.fixture(scope="module")
def played(islands: OpenWorld) -> Played:
    case = Case(
        number=0,
        world_id=islands.world.id,
        task_id=min(islands.tasks),
        policy="reach",
        seed=1,
        controls=Controls(results=RESULTS, extract_length=PART),
        actions=tuple(_actions(islands)),
    )
    return play(islands, case, TemplateRenderer())


def _failing(played: Played) -> dict[str, set[int]]:
    """The turns at which checks fail, by check."""
    return {
        one.check: {seen.turn for seen in one.wrong} for one in inspect(played).looked if one.wrong
    }


def test_every_check_looks_at_something_and_holds(played: Played) -> None:
    looked = inspect(played).looked
    assert [one.check for one in looked if not one.count] == []
    assert _failing(played) == {}


def test_every_check_has_a_name_and_words_of_its_own() -> None:
    checks = [check for checks in AXES.values() for check in checks]
    assert len({check_name(check) for check in checks}) == len(checks)
    assert all(check.__doc__ for check in checks)


# ---------------------------------------------------------------- changing one thing


def _number(played: Played, action: Search | Open | Note, skip: int = 0) -> int:
    """The turn of an action; of its repetitions with `skip`."""
    return [step.number for step in played.steps if step.action == action][skip]


def _step(played: Played, number: int, **changes: Any) -> Played:
    before, old, after = played.steps[: number - 1], played.steps[number - 1], played.steps[number:]
    return replace(played, steps=(*before, replace(old, **changes), *after))


def _titled(played: Played, skip: int = 0) -> int:
    return _number(played, Search(queries=(_record(played.world).title,)), skip)


def _batch(played: Played) -> int:
    return next(s.number for s in played.steps if len(getattr(s.action, "queries", ())) > 1)


def _opened(played: Played, offset: int = 0, skip: int = 0) -> int:
    return _number(played, Open(url=_record(played.world).url, offset=offset), skip)


def _response(played: Played, number: int) -> SearchResponse:
    response = played.steps[number - 1].response
    assert isinstance(response, SearchResponse)
    return response


def _extract(played: Played, number: int, **changes: Any) -> Played:
    response = played.steps[number - 1].response
    assert isinstance(response, Extract)
    return _step(played, number, response=response.model_copy(update=changes))


def _results(
    played: Played, number: int, change: Callable[[list[Result]], list[Result]], place: int = 0
) -> Played:
    """Other results at one turn, and the text that shows them."""
    action, response = played.steps[number - 1].action, _response(played, number)
    lists = [list(found) for found in response.results]
    lists[place] = change(lists[place])
    assert isinstance(action, Search)
    text = write_results(action.queries, lists)
    changed = SearchResponse(results=tuple(map(tuple, lists)), text=text)
    return _step(played, number, response=changed)


def _result(played: Played, number: int, **changes: Any) -> Played:
    """The first result of a turn with other fields."""
    return _results(played, number, lambda found: [found[0].model_copy(update=changes), *found[1:]])


def _text(played: Played, number: int, old: str, new: str) -> Played:
    response = _response(played, number)
    assert old in response.text
    text = response.text.replace(old, new, 1)
    return _step(played, number, response=response.model_copy(update={"text": text}))


def _turn(played: Played, number: int, **changes: Any) -> Played:
    turn = played.steps[number - 1].turn
    assert turn
    return _step(played, number, turn=turn.model_copy(update=changes))


def _turn_lists(played: Played, number: int) -> Played:
    """A batch whose lists are recorded the other way round."""
    turn = played.steps[number - 1].turn
    assert turn
    return _turn(played, number, searched=(*turn.searched[1:], turn.searched[0]))


def _told(played: Played, number: int, observation: str | None, action: str = "") -> Played:
    """Another past for the renderer: the turn told otherwise, or left out."""
    told = [s.number for s in played.steps[: played.told] if not isinstance(s.action, Note)]
    place = told.index(number)
    old = played.history[place]
    new = [] if observation is None else [Past(action or old.action, observation)]
    return replace(played, history=(*played.history[:place], *new, *played.history[place + 1 :]))


def _secret(played: Played) -> str:
    """A guarded value of the record page, as it is written there."""
    page = _record(played.world)
    claims = [(s, c) for s in page.statements for c in s.claims]
    guarded = [(s, c) for s, c in claims if played.world.world.roles.guarded(c.fact)]
    statement, claim = max(guarded, key=lambda found: found[1].end - found[1].start)
    return statement.text[claim.start : claim.end]


def _facts(played: Played) -> tuple[str, ...]:
    """The disclosed facts, and one more that the same query reaches by no means."""
    step = next(s for s in played.steps if s.turn and s.turn.disclosed)
    return (*(step.turn.disclosed if step.turn else ()), str(Fact("cell", "port", (2,), "depth_m")))


def _disclosing(played: Played) -> int:
    return next(s.number for s in played.steps if s.turn and s.turn.disclosed)


def _link(played: Played) -> int:
    return next(o.number for o in played.openings if o.way == "link")


def _unseen(played: Played) -> int:
    return next(o.number for o in played.openings if not o.way)


def _without_allowance(played: Played) -> Played:
    tasks = [played.task.model_copy(update={"disclosures": 0})]
    return replace(played, world=OpenWorld(played.world.world, played.world.web, tasks))


def _reopened(played: Played, content: str) -> Played:
    return _extract(played, _opened(played, skip=1), content=content)


def _opens(played: Played, number: int) -> Played:
    page = played.world.web.pages[0]
    return _extract(played, number, found=True, title=page.title, content=page.markdown[:PART])


def _closed(played: Played, number: int) -> Played:
    return _extract(played, number, found=False, title="", content=NOT_SHOWN, next_offset=None)


Change = Callable[[Played], Played]

CHANGES: list[tuple[str, str, Change]] = [
    ("answered", "raises", lambda p: _step(p, 2, response=Crash("KeyError: 3"), turn=None)),
    ("answered", "another kind", lambda p: _step(p, 2, response="text")),
    ("answered", "not recorded", lambda p: _step(p, 2, turn=None)),
    ("recorded", "text", lambda p: _turn(p, 2, observation="else")),
    ("recorded", "page", lambda p: _turn(p, _opened(p), observation="else")),
    ("recorded", "note", lambda p: _turn(p, 1, observation="else")),
    ("recorded", "tool", lambda p: _turn(p, 2, tool="answer")),
    (
        "one list a query",
        "one too few",
        lambda p: _step(
            p,
            _batch(p),
            response=SearchResponse(results=_response(p, _batch(p)).results[1:], text=""),
        ),
    ),
    ("one list a query", "another order", lambda p: _turn_lists(p, _batch(p))),
    ("number of results", "one less", lambda p: _results(p, 2, lambda found: found[:-1])),
    ("number of results", "none", lambda p: _results(p, 2, lambda found: [])),
    ("number of results", "one more", lambda p: _results(p, 2, lambda f: [*f, f[0]])),
    ("ranks", "from 0", lambda p: _result(p, 2, rank=0)),
    ("ranks", "anew on page 2", lambda p: _result(p, 5, rank=1)),
    ("ranks", "another order", lambda p: _results(p, 2, lambda f: [f[1], f[0], *f[2:]])),
    ("given results", "another page", lambda p: _result(p, 2, url="https://nowhere.example/")),
    ("given results", "twice", lambda p: _results(p, 2, lambda f: [f[0], f[0], *f[2:]])),
    ("titles and dates", "title", lambda p: _result(p, 2, title="Another title")),
    ("titles and dates", "date", lambda p: _result(p, 2, date="2020-01-01")),
    ("titles and dates", "no date", lambda p: _result(p, 2, date=None)),
    ("written form", "a blank line", lambda p: _text(p, 2, "\nTitle:", "\n\nTitle:")),
    ("written form", "no title", lambda p: _text(p, 2, "\nTitle:", "\nHeading:")),
    ("written form", "a word more", lambda p: _text(p, 2, "Snippet: ", "Snippet: Look, ")),
    ("written form", "words before", lambda p: _text(p, 2, "[1] ", "Here:\n\n[1] ")),
    ("written form", "no query", lambda p: _text(p, _batch(p), "Query: ", "Queries: ")),
    ("written form", "fewer lists", lambda p: _text(p, _batch(p), '\n\nQuery: "', '\n\n"')),
    ("dates", "another form", lambda p: _text(p, 2, "Date: ", "Date: the ")),
    ("dates", "another day", lambda p: _text(p, 2, ", 2031", ", 2030")),
    ("dates", "none", lambda p: _step(p, 2, response=_undated(_response(p, 2)))),
    ("snippets", "empty", lambda p: _result(p, 2, snippet=" ")),
    ("snippets", "two lines", lambda p: _result(p, 2, snippet="one\u2028two")),
    ("snippets", "too long", lambda p: _result(p, 2, snippet="word " * 100)),
    (
        "nothing withheld is stated",
        "a value",
        lambda p: _results(p, 2, lambda found: [_saying(r, p) for r in found]),
    ),
    (
        "disclosure obeys the policy",
        "two facts",
        lambda p: _turn(p, _disclosing(p), disclosed=_facts(p)),
    ),
    ("disclosure obeys the policy", "no query", lambda p: _turn(p, 2, disclosed=_facts(p)[:1])),
    ("disclosure obeys the policy", "tease", lambda p: replace(p, effective="tease")),
    ("disclosure obeys the policy", "open", lambda p: replace(p, effective="open")),
    ("disclosure keeps to the allowance", "one too many", _without_allowance),
    ("extracts", "less", lambda p: _extract(p, _opened(p), content="# Port")),
    ("extracts", "more", lambda p: _extract(p, _opened(p), content=_record(p.world).markdown)),
    ("extracts", "ends early", lambda p: _extract(p, _opened(p), next_offset=None)),
    ("extracts", "goes on", lambda p: _extract(p, _opened(p), next_offset=PART + 1)),
    ("parts join", "one is another", lambda p: _extract(p, _opened(p, PART), content="x" * PART)),
    (
        "same results for a query",
        "another snippet",
        lambda p: _result(p, _titled(p, 1), snippet="Port record."),
    ),
    (
        "same results for a query",
        "another order",
        lambda p: _results(p, _titled(p, 1), lambda found: found[::-1]),
    ),
    (
        "same results for a query",
        "within a batch",
        lambda p: _results(p, _batch(p), lambda found: found[:-1], place=2),
    ),
    (
        "same title and date for a page",
        "title",
        lambda p: _result(p, _titled(p, 1), title="Another title"),
    ),
    (
        "same title and date for a page",
        "date",
        lambda p: _result(p, _titled(p, 1), date="2020-01-01"),
    ),
    (
        "same title and date for a page",
        "opened",
        lambda p: _extract(p, _opened(p), title="Another title"),
    ),
    ("same page when opened again", "content", lambda p: _reopened(p, "# Another page")),
    ("pages agree with their snippets", "number", lambda p: _result(p, 2, snippet="9,417 berths.")),
    ("pages agree with their snippets", "scale", lambda p: _result(p, 2, snippet="1 million.")),
    (
        "pages agree with their snippets",
        "date",
        lambda p: _result(p, 2, snippet="Since 3 April 1977."),
    ),
    (
        "pages agree with their snippets",
        "month",
        lambda p: _result(p, 2, snippet="Since May 1702."),
    ),
    (
        "pages agree with their snippets",
        "name",
        lambda p: _result(p, 2, snippet=f"As {p.world.world.name_of('vessel', 60)} says."),
    ),
    (
        "pages agree with their snippets",
        "the page as it was read",
        lambda p: _extract(p, _opened(p), content="# Empty", next_offset=None),
    ),
    (
        "opened pages agree with their outlines",
        "heading",
        lambda p: _told(p, _opened(p), f"{_record(p.world).url}\n# {_record(p.world).title}\n## X"),
    ),
    (
        "opened pages agree with their outlines",
        "title",
        lambda p: _told(p, _opened(p), f"{_record(p.world).url}\n# Another title"),
    ),
    (
        "opened pages agree with their outlines",
        "the whole page",
        lambda p: _told(p, _opened(p), f"{_record(p.world).url}\n{_record(p.world).markdown}"),
    ),
    ("searches are told as shown", "results", lambda p: _told(p, 2, "No results found.")),
    ("searches are told as shown", "left out", lambda p: _told(p, 2, None)),
    (
        "searches are told as shown",
        "query",
        lambda p: _told(
            p,
            2,
            _response(p, 2).text,
            '{"name": "web_search", "arguments": {"query": "another"}}',
        ),
    ),
    ("searches are told as shown", "no call", lambda p: _told(p, 2, _response(p, 2).text, "{")),
    (
        "notes come back as stored",
        "another text",
        lambda p: _step(p, len(p.steps), response='{"a": "one", "b": "two"}'),
    ),
    ("notes come back as stored", "lost", lambda p: _step(p, len(p.steps), response="Not there.")),
    ("notes come back as stored", "broken", lambda p: _step(p, len(p.steps), response='{"a": ')),
    ("pages not shown answer as missing ones", "opens", lambda p: _opens(p, _unseen(p))),
    (
        "pages not shown answer as missing ones",
        "other words",
        lambda p: _extract(p, _unseen(p), content="403: not for you."),
    ),
    (
        "pages not shown answer as missing ones",
        "its title",
        lambda p: _extract(p, _unseen(p), title="MV Title"),
    ),
    ("shown pages open", "first", lambda p: _closed(p, _opened(p))),
    ("shown pages open", "later", lambda p: _closed(p, _opened(p, skip=1))),
    ("links of opened pages open", "closed", lambda p: _closed(p, _link(p))),
]


def _undated(response: SearchResponse) -> SearchResponse:
    lines = ["Date: N/A" if x.startswith("Date: ") else x for x in response.text.split("\n")]
    return response.model_copy(update={"text": "\n".join(lines)})


def _saying(result: Result, played: Played) -> Result:
    """A result that states a guarded value, if it is of the page that has it."""
    if result.url != _record(played.world).url:
        return result
    name = played.world.world.name_of("port", 1)
    return result.model_copy(update={"snippet": f"{name}: {_secret(played)}"})


@pytest.mark.parametrize(
    ("check", "what", "change"), CHANGES, ids=[f"{check}: {what}" for check, what, _ in CHANGES]
)
def test_a_check_fails_where_one_thing_is_changed(
    played: Played, check: str, what: str, change: Change
) -> None:
    changed = change(played)
    looked = next(one for one in inspect(changed).looked if one.check == check)
    turns = [a.number for a, b in zip(played.steps, changed.steps, strict=True) if a != b]
    at_another_turn = what in ("one is another", "the page as it was read")
    assert looked.wrong
    assert not turns or at_another_turn or turns[0] in {seen.turn for seen in looked.wrong}
    assert all(len(seen.problem.splitlines()) == 1 for seen in looked.wrong)


def test_every_check_is_shown_to_fail() -> None:
    names = {check_name(check) for checks in AXES.values() for check in checks}
    assert {check for check, _, _ in CHANGES} == names
