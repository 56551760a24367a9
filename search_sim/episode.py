"""Episodes: one agent's attempt at one task of one world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from queries.task import Task
from search_sim.controls import Controls
from search_sim.guard import Guard, Policy, effective_policy
from search_sim.memory import DictMemory, Operation
from search_sim.observation import NOT_SHOWN, Extract, Result, SearchResponse, write_results
from search_sim.open_world import OpenWorld
from search_sim.render import Material, Renderer, TemplateRenderer
from search_sim.trajectory import Tool, Trajectory, Turn
from worldgen.errors import ConfigurationError, EpisodeClosedError

MOST_QUERIES = 5
"""A batch of more queries than this is refused."""


@dataclass
class Counts:
    """What an episode has used: searches count queries, extractions count pages that were found."""

    searches: int = 0
    extractions: int = 0
    refused: int = 0


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
        self.trajectory = Trajectory(
            task_id=self.task.task_id,
            world_id=self.task.world_id,
            policy=self.policy,
            effective_policy=effective,
            seed=self.seed,
            controls=self.controls,
            question=self.task.question,
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
        found, disclosed = [], []
        for query in queries:
            results, told = self._search_one(query, page)
            found.append(results)
            disclosed += told
        response = SearchResponse(results=tuple(found), text=write_results(queries, found))
        arguments = {"queries": list(queries), "page": page}
        self._record("web_search", arguments, response.text, disclosed)
        return response

    def _search_one(self, query: str, page: int) -> tuple[tuple[Result, ...], list[str]]:
        self.counts.searches += 1
        passages, engine = self.world.full if self._guard.policy == "open" else self.world.masked
        disclosed = self._guard.disclose(query)
        start = (page - 1) * self.controls.results
        places = engine.search(query)[start : start + self.controls.results]
        pages = [self.world.web.pages[place] for place in places]
        materials = [
            Material(at.url, at.title, at.date, tuple(passages.choose(place, query, disclosed)))
            for at, place in zip(pages, places, strict=True)
        ]
        snippets = self.renderer.snippets(query, materials)
        self.shown |= {at.url for at in pages} | {
            site.home for site in self.world.named_sites(query)
        }
        results = tuple(
            Result(rank=rank, url=m.url, title=m.title, snippet=snippet, date=m.date)
            for rank, (m, snippet) in enumerate(zip(materials, snippets, strict=True), start + 1)
        )
        return results, sorted(map(str, disclosed))

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
        extract = self._extract(url.strip().partition("#")[0], offset)
        self._record("web_extractor", {"url": url, "offset": offset}, extract.content, [])
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
        self._record("dict_memory", arguments, text, [])
        return text

    def answer(self, text: str) -> None:
        """Hand in the answer, which ends the episode.

        Raises:
            EpisodeClosedError: an answer was given before.
        """
        self._must_be_open()
        self.answer_text = self.trajectory.answer = text
        self._record("answer", {"answer": text}, "", [])

    def _must_be_open(self) -> None:
        if self.answer_text is not None:
            message = "the episode is closed: its answer was given; start another episode"
            raise EpisodeClosedError(message)

    def _record(
        self,
        tool: Tool,
        arguments: Mapping[str, object],
        observation: str,
        disclosed: Sequence[str],
    ) -> None:
        turn = Turn(
            tool=tool,
            arguments=dict(arguments),
            observation=observation,
            disclosed=tuple(disclosed),
        )
        self.trajectory.turns.append(turn)
