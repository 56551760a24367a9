"""What a reference agent holds: the question, the plan, the schema, and eyes for claims on pages.

It holds no answer, no truth and no table. Reading a page's claims from its text stands in for a
careful reader: a claim is seen only where the text that states it was shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from queries.lineage import Lineage
from queries.plan import Plan
from queries.task import Task
from search_sim.observation import Extract, SearchResponse
from search_sim.open_world import OpenWorld
from worldgen.blueprint import Blueprint
from worldgen.facts import Fact
from worldgen.masking import mask, reveal
from worldgen.pages import Claim, Statement
from worldgen.roles import Roles
from worldgen.world import Tables

CALLS_A_PAGE, SPARE_CALLS = 3, 10
"""An agent's budget: so many calls for each page that the task needs, and so many besides."""


class Tools(Protocol):
    """The tools of an episode."""

    def search(self, *queries: str, page: int = 1) -> SearchResponse:
        """Search the web."""
        ...

    def extract(self, url: str, offset: int = 0) -> Extract:
        """Open a page."""
        ...


@dataclass(frozen=True)
class Sight:
    """A claim that was seen, with the words it was seen in."""

    claim: Claim
    surface: str


@dataclass
class Brief:
    """What an agent is told of its task.

    Attributes:
        budget: how many calls of tools it may make, lists of names apart.
    """

    question: str
    plan: Plan
    columns: tuple[str, ...]
    blueprint: Blueprint
    roles: Roles
    budget: int
    _world: OpenWorld = field(repr=False)

    @classmethod
    def of(cls, world: OpenWorld, task: Task) -> Brief:
        """Brief an agent on a task."""
        columns = tuple(column.name for column in task.answer.columns)
        budget = CALLS_A_PAGE * task.pages_needed + SPARE_CALLS
        return cls(
            task.question,
            task.plan,
            columns,
            world.world.blueprint,
            world.world.roles,
            budget,
            world,
        )

    @property
    def lineage(self) -> Lineage:
        """The plan's queries."""
        return Lineage(self.plan, self.blueprint, self.roles)

    def seen(self, url: str, text: str) -> list[Sight]:
        """The claims of the page at `url` that a text from it states."""
        page = self._world.page(url)
        return (
            [sight for line in page.statements for sight in self._seen(line, text)] if page else []
        )

    def _seen(self, line: Statement, text: str) -> Iterator[Sight]:
        for shown, claims in _variants(line, self.roles):
            if shown in text:
                yield from (Sight(claim, line.text[claim.start : claim.end]) for claim in claims)
                return

    def open_tables(self) -> Tables:
        """The world's tables with open columns alone: what search doesn't withhold from anyone."""
        world = self._world.world
        return {
            table.name: {
                key: {c: v for c, v in row.items() if not self.roles.guarded_column(table.name, c)}
                for key, row in world.tables[table.name].items()
                if not self.roles.guarded_rows(table.name)
            }
            for table in self.blueprint.tables
        }


def _variants(line: Statement, roles: Roles) -> Iterator[tuple[str, tuple[Claim, ...]]]:
    """The texts in which a statement may be shown, fullest first, with the claims in each."""
    yield line.text, line.claims
    rows = {claim.fact for claim in line.claims if claim.fact.kind == "row"}
    for claim in line.claims:
        facts: set[Fact] = {claim.fact, *rows}
        if text := reveal(line, roles, facts):
            visible = tuple(c for c in line.claims if c.fact in facts or not _guarded(c, roles))
            yield text, visible
    if text := mask(line, roles):
        yield text, tuple(claim for claim in line.claims if not _guarded(claim, roles))


def _guarded(claim: Claim, roles: Roles) -> bool:
    return roles.guarded(claim.fact) or roles.any_guarded(claim.depends_on)
