"""A world opened for searching: its pages, its lexicon, and its indexes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from queries.task import Task
from search_sim.audit.alarm import Alarm
from search_sim.audit.vocabulary import Vocabulary
from search_sim.engine import Document, Engine
from search_sim.engines import MakeEngine, make_engine
from search_sim.passages import Passages
from search_sim.reach import Lexicon
from search_sim.words import words
from worldgen.errors import UnknownNameError
from worldgen.pages import Page, Site, Web
from worldgen.world import World
from worldgen.worldfile import WorldFile, read_world


class OpenWorld:
    """What search over one world shares between episodes; nothing in it changes.

    Indexes are built when first used: the masked one for every policy but `open`, the full one for
    `open` alone.
    """

    def __init__(
        self, world: World, web: Web, tasks: Sequence[Task] = (), engine: MakeEngine | None = None
    ) -> None:
        """Open a world that is in memory."""
        self.world, self.web = world, web
        self.tasks = {task.task_id: task for task in tasks}
        self._engine = engine or make_engine("tantivy")

    @classmethod
    def read(cls, path: Path, engine: MakeEngine | None = None) -> OpenWorld:
        """Open a world file, with another search engine than tantivy if one is given.

        Raises:
            WorldFileError: it is missing, no world, or damaged.
        """
        return cls.of(read_world(path), engine)

    @classmethod
    def of(cls, file: WorldFile, engine: MakeEngine | None = None) -> OpenWorld:
        """Open what a world file holds, with its tasks in the order of their ids."""
        records = file.sections.get("tasks", {})
        tasks = [Task.model_validate(records[task_id]) for task_id in sorted(records)]
        return cls(file.world, file.web, tasks, engine)

    def task(self, task_id: str) -> Task:
        """The task of that id.

        Raises:
            UnknownNameError: the world has none.
        """
        if task_id not in self.tasks:
            raise UnknownNameError(task_id, f"task of {self.world.id}", self.tasks)
        return self.tasks[task_id]

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words by which queries name facts."""
        return Lexicon(self.world)

    @cached_property
    def about(self) -> str:
        """What the world's web is about, in a sentence."""
        return self.world.blueprint.setting.format(world=self.world.name)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The open words of the world, by which what a model writes is checked."""
        return Vocabulary.of(self.world)

    @cached_property
    def alarm(self) -> Alarm:
        """What knows the truth, and counts what a model says of it beyond the disclosure."""
        return Alarm(self.world, self.web)

    @cached_property
    def masked(self) -> tuple[Passages, Engine]:
        """Masked passages, and the index over them."""
        return self._index(Passages.masked(self.web.pages, self.world.roles))

    @cached_property
    def full(self) -> tuple[Passages, Engine]:
        """Full passages, and the index over them."""
        return self._index(Passages.full(self.web.pages, self.world.roles))

    def _index(self, passages: Passages) -> tuple[Passages, Engine]:
        sites = {site.id: f"{site.name} {site.host}" for site in self.web.sites}
        documents = [
            Document(page.title, sites[page.site], passages.text(place))
            for place, page in enumerate(self.web.pages)
        ]
        return passages, self._engine(documents)

    def page(self, url: str) -> Page | None:
        """The page at a URL, if there is one."""
        return self.web.by_url.get(url)

    def named_sites(self, query: str) -> list[Site]:
        """The sites that a query names, by their whole name or host."""
        spoken = f" {' '.join(words(query))} "
        forms = {
            site.id: (site.name, site.name.removeprefix("The "), site.host)
            for site in self.web.sites
        }
        return [
            s
            for s in self.web.sites
            if any(f" {' '.join(words(f))} " in spoken for f in forms[s.id])
        ]
