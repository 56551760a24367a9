"""Episodes: one agent's attempt at one task of one world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from queries.task import Task
from search_sim.controls import Controls
from search_sim.guard import Guard, Policy, effective_policy
from search_sim.history import past_extract, past_search
from search_sim.materials import Asked, Material, Past, Rendering, Scene
from search_sim.memory import DictMemory, Operation
from search_sim.observation import NOT_SHOWN, Extract, Result, SearchResponse, write_results
from search_sim.open_world import OpenWorld
from search_sim.prompts.prompt import parts_of
from search_sim.render import Renderer, TemplateRenderer, snippet
from search_sim.tools import MOST_QUERIES
from search_sim.trajectory import Searched, Trajectory, Turn
from worldgen.errors import ConfigurationError, EpisodeClosedError
from worldgen.facts import Fact


@dataclass
class Counts:
    """What an episode has used: searches count queries, extractions count pages that were found."""

    searches: int = 0
    extractions: int = 0
    refused: int = 0


class _Found(NamedTuple):
    """What one query brought; the same query brings the same again."""

    results: tuple[Result, ...]
    disclosed: tuple[str, ...]
    record: Searched


@dataclass
class Episode:
    """One attempt: the tools, and what it has been shown.

    Attributes:
        policy: as asked for; `mixed` is drawn by the seed and stays hidden.
        shown: URLs that may be extracted: of results, of links on extracted pages, and homes of
            sites that a query named.
    """

    world: OpenWorld
    task: Task
    policy: Policy = "reach"
    seed: int = 0
    controls: Controls = field(default_factory=Controls)
    renderer: Renderer = field(default_factory=TemplateRenderer)
    counts: Counts = field(default_factory=Counts)
    shown: set[str] = field(default_factory=set)
    answer_text: str | None = None

    def __post_init__(self) -> None:
        """Settle the policy and start the record."""
        effective = effective_policy(self.policy, self.seed)
        self._guard = Guard(self.world.lexicon, effective, self.task.disclosures, self.seed)
        self._memory = DictMemory()
        self._history: list[Past] = []
        self._found: dict[tuple[str, int], _Found] = {}
        self.trajectory = Trajectory(
            task_id=self.task.task_id,
            world_id=self.task.world_id,
            policy=self.policy,
            effective_policy=effective,
            seed=self.seed,
            controls=self.controls,
            question=self.task.question,
            prompt=parts_of(self.renderer.variant, self.world.about),
        )

    def search(self, *queries: str, page: int = 1) -> SearchResponse:
        """Search with one query or a batch of up to five.

        Args:
            queries: any text.
            page: which page of results, from 1.

        Raises:
            ConfigurationError: no query, too many, or a page below 1.
            EpisodeClosedError: the answer was given.
        """
        self._must_be_open()
        if not 1 <= len(queries) <= MOST_QUERIES or page < 1:
            message = f"a search takes 1 to {MOST_QUERIES} queries and a page from 1"
            raise ConfigurationError(message)
        self.counts.searches += len(queries)
        found = self._find(dict.fromkeys(queries), page)
        lists = [found[query].results for query in queries]
        response = SearchResponse(results=tuple(lists), text=write_results(queries, lists))
        self._record(
            Turn(
                tool="web_search",
                arguments={"queries": list(queries), "page": page},
                observation=response.text,
                disclosed=tuple(fact for query in queries for fact in found[query].disclosed),
                searched=tuple(found[query].record for query in queries),
            )
        )
        self._history.append(past_search(queries, page, response.text))
        return response

    def _find(self, queries: Iterable[str], page: int) -> dict[str, _Found]:
        """What each query brings: what it brought before, or something new."""
        new = [query for query in queries if (query, page) not in self._found]
        asked, disclosed = [], []
        for query in new:
            facts = self._guard.disclose(query)
            disclosed.append(tuple(sorted(map(str, facts))))
            asked.append(Asked(query, page, self._materials(query, page, facts)))
        renderings = self.renderer.render(asked, self._scene()) if asked else []
        for one, told, rendering in zip(asked, disclosed, renderings, strict=True):
            record = Searched.of(one, rendering, self._alarms(one, rendering))
            self._found[one.query, page] = _Found(self._show(one, rendering), told, record)
        return {query: self._found[query, page] for query in queries}

    def _scene(self) -> Scene:
        world, history = self.world, tuple(self._history)
        return Scene(world.about, world.vocabulary, history, self.seed, self.controls)

    def _materials(self, query: str, page: int, disclosed: frozenset[Fact]) -> tuple[Material, ...]:
        passages, engine = self.world.full if self._guard.policy == "open" else self.world.masked
        start = (page - 1) * self.controls.results
        found = []
        for place in engine.search(query)[start : start + self.controls.results]:
            at, chosen = self.world.web.pages[place], passages.choose(place, query, disclosed)
            relevance = passages.relevance(place, query, chosen)
            found.append(Material(at.url, at.title, at.date, relevance, tuple(chosen)))
        return tuple(found)

    def _show(self, asked: Asked, rendering: Rendering) -> tuple[Result, ...]:
        """The results as the agent is shown them, which opens the way to their pages."""
        self.shown |= {material.url for material in asked.materials}
        self.shown |= {site.home for site in self.world.named_sites(asked.query)}
        first = (asked.page - 1) * self.controls.results + 1
        return tuple(
            Result(rank=rank, url=m.url, title=m.title, snippet=one.snippet, date=m.date)
            for rank, one in enumerate(rendering.results, first)
            for m in (asked.materials[one.place],)
        )

    def _alarms(self, asked: Asked, rendering: Rendering) -> int:
        """Guarded facts in what a model wrote, beyond what it was given. They change nothing."""
        if self._guard.policy == "open":
            return 0
        written = [(asked.materials[w.place], w) for w in rendering.results if w.by == "model"]
        return sum(
            self.world.alarm.count(m.url, w.snippet, "\n".join((m.title, m.date or "", snippet(m))))
            for m, w in written
        )

    def extract(self, url: str, offset: int = 0) -> Extract:
        """Open a page that the episode was shown, in full.

        Args:
            url: its URL.
            offset: where to start, in characters.

        Raises:
            ConfigurationError: the offset is negative.
            EpisodeClosedError: the answer was given.
        """
        self._must_be_open()
        if offset < 0:
            message = "an offset is a number of characters, 0 or more"
            raise ConfigurationError(message)
        address = url.strip().partition("#")[0]
        extract = self._extract(address, offset)
        page = self.world.page(address) if extract.found else None
        past = past_extract(address, page, self.world.world.roles)
        self._history.append(past)
        self._record(
            Turn(
                tool="web_extractor",
                arguments={"url": url, "offset": offset},
                observation=extract.content,
                outline=past.observation,
            )
        )
        return extract

    def _extract(self, url: str, offset: int) -> Extract:
        page = self.world.page(url) if url in self.shown else None
        if page is None:
            self.counts.refused += 1
            return Extract(url=url, title="", content=NOT_SHOWN, found=False)
        self.counts.extractions += 1
        self.shown.update(page.outgoing)
        end = offset + self.controls.extract_length
        following = end if end < len(page.markdown) else None
        content = page.markdown[offset:end]
        return Extract(url=url, title=page.title, content=content, next_offset=following)

    def memory(
        self,
        operation: Operation,
        entries: Mapping[str, str] | None = None,
        keys: Sequence[str] = (),
    ) -> str:
        """Keep notes, or read them back.

        Args:
            operation: as `search_sim.memory.DictMemory.apply` takes it.
            entries: notes by key.
            keys: keys.

        Raises:
            EpisodeClosedError: the answer was given.
        """
        self._must_be_open()
        text = self._memory.apply(operation, entries or {}, keys)
        arguments = {"operation": operation, "dict": dict(entries or {}), "key_list": list(keys)}
        self._record(Turn(tool="dict_memory", arguments=arguments, observation=text))
        return text

    def answer(self, text: str) -> None:
        """Hand in the answer, which ends the episode.

        Raises:
            EpisodeClosedError: an answer was given before.
        """
        self._must_be_open()
        self.answer_text = self.trajectory.answer = text
        self._record(Turn(tool="answer", arguments={"answer": text}, observation=""))

    def _must_be_open(self) -> None:
        if self.answer_text is not None:
            message = "the episode is closed: its answer was given; start another episode"
            raise EpisodeClosedError(message)

    def _record(self, turn: Turn) -> None:
        self.trajectory.turns.append(turn)
