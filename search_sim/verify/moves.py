"""Moves: what an agent does next, given what it has seen so far.

A move is drawn while the case is being made, in an episode that the template renders. What that
episode has been shown doesn't depend on who writes the snippets, so that the script that comes out
of it is plain data and means the same to every renderer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from search_sim.episode import Episode
from search_sim.observation import Extract, SearchResponse
from search_sim.open_world import OpenWorld
from search_sim.tools import MOST_QUERIES
from search_sim.verify.actions import Note, Open, Response, Search, perform
from search_sim.verify.queries import draw_query, name

PARTS = 6
"""Parts of one page that are read in a row, at most."""
FAR_PAGE = 40
"""A page of results that lies beyond the end of any web of a few hundred pages."""
_TEXTS = ("", 'a "quoted" note', "two\nlines", "\u2028 and é", '{"nested": [1]}', "Not there: x.")


@dataclass
class Stage:
    """A case in the making.

    Attributes:
        length: the number of actions that it may have.
        actions: those so far.
        asked: queries so far, with their pages of results, in order.
        results: URLs of results so far, each once, in order.
        opened: what was opened, with its offsets, in order.
        keys: the keys of notes so far.
    """

    world: OpenWorld
    episode: Episode
    rng: Random
    length: int
    actions: list[Search | Open | Note] = field(default_factory=list)
    asked: list[tuple[str, int]] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    opened: list[tuple[str, int]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    @property
    def room(self) -> int:
        """How many actions may still be added."""
        return self.length - len(self.actions)

    def query(self) -> str:
        """Some query."""
        return draw_query(self.world, self.episode.task, self.rng)

    def do(self, action: Search | Open | Note) -> Response:
        """Add an action, and see what it brings."""
        response = perform(self.episode, action)
        self.actions.append(action)
        if isinstance(action, Search) and isinstance(response, SearchResponse):
            self.asked += [(query, action.page) for query in action.queries]
            urls = [result.url for found in response.results for result in found]
            self.results = list(dict.fromkeys((*self.results, *urls)))
        return response

    def open(self, url: str, offset: int = 0) -> int | None:
        """Open a page, and tell where it goes on."""
        response = self.do(Open(url=url, offset=offset))
        if not isinstance(response, Extract) or not response.found:
            return None
        self.opened.append((url, offset))
        return response.next_offset


Move = Callable[[Stage], object]


# ---------------------------------------------------------------- searches


def ask(stage: Stage) -> object:
    """A query of any kind."""
    return stage.do(Search(queries=(stage.query(),)))


def ask_for_name(stage: Stage) -> object:
    """An entity by its name, which finds pages."""
    return stage.do(Search(queries=(name(stage.world, stage.episode.task, stage.rng),)))


def ask_several(stage: Stage) -> object:
    """A batch with one of its queries twice, and one from before now and then."""
    queries = [stage.query() for _ in range(stage.rng.randint(1, MOST_QUERIES - 2))]
    queries.append(stage.rng.choice(queries))
    if stage.asked and stage.rng.random() < 0.5:
        queries.append(stage.rng.choice(stage.asked)[0])
    stage.rng.shuffle(queries)
    return stage.do(Search(queries=tuple(queries)))


def next_page(stage: Stage) -> object:
    """The page of results after one that was seen."""
    query, page = stage.rng.choice(stage.asked)
    return stage.do(Search(queries=(query,), page=page + 1))


def far_page(stage: Stage) -> object:
    """A page of results beyond the last."""
    return stage.do(Search(queries=(stage.rng.choice(stage.asked)[0],), page=FAR_PAGE))


def ask_again(stage: Stage) -> object:
    """A query of the first half once more."""
    query, page = stage.rng.choice(stage.asked[: len(stage.asked) // 2 + 1])
    return stage.do(Search(queries=(query,), page=page))


def ask_first_again(stage: Stage) -> object:
    """The very first query once more."""
    query, page = stage.asked[0]
    return stage.do(Search(queries=(query,), page=page))


def ask_for_read(stage: Stage) -> object:
    """The title of a page that was opened, which finds that page again."""
    page = stage.world.page(stage.rng.choice(stage.opened)[0]) if stage.opened else None
    return stage.do(Search(queries=(page.title if page else stage.query(),)))


# ---------------------------------------------------------------- pages


def read(stage: Stage) -> object:
    """A page that was shown, part after part."""
    url = stage.rng.choice(stage.results)
    offset: int | None = 0
    for _ in range(min(PARTS, stage.room)):
        if offset is None:
            break
        offset = stage.open(url, offset)
    return None


def read_from_the_middle(stage: Stage) -> object:
    """A page that was shown from some offset, which may lie beyond its end."""
    return stage.open(stage.rng.choice(stage.results), stage.rng.randint(1, 2_500))


def read_at_an_anchor(stage: Stage) -> object:
    """A page that was shown, its URL with blanks around it and a fragment."""
    return stage.do(Open(url=f" {stage.rng.choice(stage.results)}#history "))


def read_again(stage: Stage) -> object:
    """A page that was opened before, from the same offset."""
    return stage.open(*stage.rng.choice(stage.opened or [(stage.results[0], 0)]))


def read_first(stage: Stage) -> object:
    """The page that was shown first of all."""
    return stage.open(stage.results[0])


def follow(stage: Stage) -> object:
    """A link on a page that was opened, best one that no result led to."""
    pages = [page for url, _ in stage.opened if (page := stage.world.page(url))]
    links = list(dict.fromkeys(url for page in pages for url in page.outgoing))
    news = [url for url in links if url not in stage.results]
    return stage.open(stage.rng.choice(news or links or stage.results))


def open_unseen(stage: Stage) -> object:
    """A page that is there, but was not shown."""
    hidden = [p.url for p in stage.world.web.pages if p.url not in stage.episode.shown]
    return stage.open(stage.rng.choice(hidden)) if hidden else open_nowhere(stage)


def open_nowhere(stage: Stage) -> object:
    """A page that doesn't exist."""
    page = stage.rng.choice(stage.world.web.pages)
    return stage.open(stage.rng.choice((f"{page.url}-x", "https://nowhere.example/", "nonsense")))


# ---------------------------------------------------------------- notes


def note(stage: Stage) -> object:
    """A new note."""
    key = f"note {len(stage.keys) + 1}"
    stage.keys.append(key)
    return stage.do(
        Note(operation="add", entries={key: stage.rng.choice((*_TEXTS, *_seen(stage)))})
    )


def note_over(stage: Stage) -> object:
    """Notes under a key that is there and one that may not be, added or updated."""
    entries = {stage.rng.choice(stage.keys): "newer", "another": "x"}
    if stage.rng.random() < 0.5:
        return stage.do(Note(operation="update", entries=entries))
    stage.keys.append("another")
    return stage.do(Note(operation="add", entries=entries))


def look_up(stage: Stage) -> object:
    """Notes by their keys, one of them unknown."""
    keys = (stage.rng.choice(stage.keys), "unknown", stage.keys[0])
    return stage.do(Note(operation="retrieve", keys=keys))


def strike(stage: Stage) -> object:
    """A note removed."""
    return stage.do(Note(operation="remove", keys=(stage.rng.choice(stage.keys),)))


def look_all_up(stage: Stage) -> object:
    """All notes."""
    return stage.do(Note(operation="retrieve_all"))


def _seen(stage: Stage) -> tuple[str, ...]:
    """What an agent would note down: a line of what it saw last."""
    turns = stage.episode.trajectory.turns
    lines = turns[-1].observation.splitlines() if turns else []
    return (stage.rng.choice(lines),) if lines else ()


OPENING: tuple[Move, ...] = (note, ask_for_name, ask_several, read)
MIDDLE: tuple[tuple[Move, int], ...] = (
    *((ask, 8), (ask_several, 5), (next_page, 3), (far_page, 1), (ask_again, 3), (ask_for_read, 2)),
    *((read, 5), (read_from_the_middle, 2), (read_at_an_anchor, 1), (read_again, 2), (follow, 3)),
    *((open_unseen, 1), (open_nowhere, 1)),
    *((note, 2), (note_over, 2), (look_up, 2), (strike, 1), (look_all_up, 1)),
)
"""The moves between, with their weights."""
CLOSING: tuple[Move, ...] = (
    *(follow, open_unseen, open_nowhere, read_first, read_again, ask_first_again, ask_for_read),
    *(look_up, look_all_up),
)
"""What every case ends with, so that each check has something to look at."""
