"""Playing a case: what was done, what came back, and what the renderer was told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from queries.task import Task
from search_sim.guard import Effective
from search_sim.materials import Asked, Past, Rendering, Scene
from search_sim.observation import Extract, Result, SearchResponse
from search_sim.open_world import OpenWorld
from search_sim.prompts.variant import Variant
from search_sim.render import Renderer
from search_sim.trajectory import Searched, Turn
from search_sim.verify.actions import Note, Open, Response, Search, perform
from search_sim.verify.cases import Case


@dataclass(frozen=True)
class Crash:
    """What stands in the place of a response where a tool raised."""

    error: str


@dataclass(frozen=True)
class Step:
    """One action of a case.

    Attributes:
        number: its turn, from 1.
        turn: how it stands in the trajectory; None where the tool raised.
    """

    number: int
    action: Search | Open | Note
    response: Response | Crash
    turn: Turn | None


class Listing(NamedTuple):
    """The results of one query of one search, and how they came about.

    Attributes:
        number: the turn.
        first: whether the query's page of results was not shown before.
        disclosed: ids of the facts that the whole search was allowed to state.
    """

    number: int
    query: str
    page: int
    results: tuple[Result, ...]
    record: Searched
    first: bool
    disclosed: tuple[str, ...]


class Opening(NamedTuple):
    """One page that was asked for.

    Attributes:
        number: the turn.
        url: its address, without blanks around it and without a fragment.
        way: how the agent had been led to it before: by a `result`, a `link` on a page that was
            opened, the `home` of a site that a query named, or not at all.
    """

    number: int
    url: str
    offset: int
    extract: Extract
    way: str


@dataclass(frozen=True)
class Played:
    """A case that was played.

    Attributes:
        effective: the policy that the episode followed.
        history: what the renderer was told, at its last search, of the turns before.
        told: how many steps those turns come from, notes included.
    """

    world: OpenWorld
    case: Case
    effective: Effective
    steps: tuple[Step, ...]
    history: tuple[Past, ...] = ()
    told: int = 0

    @property
    def task(self) -> Task:
        """The task of the episode."""
        return self.world.task(self.case.task_id)

    @cached_property
    def searches(self) -> tuple[tuple[Step, Search, SearchResponse, Turn], ...]:
        """The searches that gave something back."""
        return tuple(
            (step, step.action, step.response, step.turn)
            for step in self.steps
            if isinstance(step.action, Search)
            and isinstance(step.response, SearchResponse)
            and step.turn
        )

    @cached_property
    def listings(self) -> tuple[Listing, ...]:
        """The results of every query, in order."""
        found: list[Listing] = []
        seen: set[tuple[str, int]] = set()
        for step, action, response, turn in self.searches:
            for query, results, record in zip(
                action.queries, response.results, turn.searched, strict=False
            ):
                first = (query, action.page) not in seen
                seen.add((query, action.page))
                found.append(
                    Listing(step.number, query, action.page, results, record, first, turn.disclosed)
                )
        return tuple(found)

    @cached_property
    def openings(self) -> tuple[Opening, ...]:
        """The pages that were asked for, in order."""
        return tuple(self._openings())

    def _openings(self) -> Iterator[Opening]:
        ways: dict[str, str] = {}
        for step in self.steps:
            if isinstance(step.action, Search) and isinstance(step.response, SearchResponse):
                for result in (r for found in step.response.results for r in found):
                    ways.setdefault(result.url, "result")
                for query in step.action.queries:
                    for site in self.world.named_sites(query):
                        ways.setdefault(site.home, "home")
            if isinstance(step.action, Open) and isinstance(step.response, Extract):
                url = step.action.url.strip().partition("#")[0]
                way = ways.get(url, "")
                yield Opening(step.number, url, step.action.offset, step.response, way)
                page = self.world.page(url) if step.response.found else None
                for link in page.outgoing if page else ():
                    ways.setdefault(link, "link")

    @cached_property
    def whole(self) -> dict[str, str]:
        """The text of each page that was read from its start to its end, by URL."""
        parts: dict[str, dict[int, Extract]] = {}
        for opening in self.openings:
            if opening.extract.found:
                parts.setdefault(opening.url, {}).setdefault(opening.offset, opening.extract)
        return {url: text for url, found in parts.items() if (text := _joined(found)) is not None}


def _joined(parts: dict[int, Extract]) -> str | None:
    """The parts of a page from offset 0 on, if they lead to its end."""
    text, offset = "", 0
    while part := parts.pop(offset, None):
        text += part.content
        if part.next_offset is None:
            return text
        offset = part.next_offset
    return None


class _Listening:
    """A renderer that keeps what another one was told last."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self.history: tuple[Past, ...] = ()
        self.calls = 0

    @property
    def variant(self) -> Variant:
        return self._renderer.variant

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        self.history = scene.history
        self.calls += 1
        return self._renderer.render(asked, scene)

    def close(self) -> None:
        self._renderer.close()


def play(world: OpenWorld, case: Case, renderer: Renderer) -> Played:
    """Play a case; whatever a tool raises is recorded."""
    listening = _Listening(renderer)
    episode = case.episode(world)
    episode.renderer = listening
    steps: list[Step] = []
    told = 0
    for number, action in enumerate(case.actions, 1):
        turns, calls = len(episode.trajectory.turns), listening.calls
        response: Response | Crash
        try:
            response = perform(episode, action)
        except Exception as error:
            response = Crash(" ".join(f"{type(error).__name__}: {error}".split()))
        told = number - 1 if listening.calls > calls else told
        recorded = episode.trajectory.turns[turns:]
        steps.append(Step(number, action, response, recorded[0] if recorded else None))
    effective = episode.trajectory.effective_policy
    return Played(world, case, effective, tuple(steps), listening.history, told)
