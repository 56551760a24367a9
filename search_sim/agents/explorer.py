"""The explorer: finds lists of names, then the page that states each fact it still needs.

It acts through the tools alone, reads the claims of pages that it opened, and answers with the
plan's query over those claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from queries.plan import Condition, Source
from search_sim.agents.asking import query_for, subject_names
from search_sim.agents.brief import CALLS_A_PAGE, Brief, Tools
from search_sim.agents.knowledge import Knowledge
from worldgen.blueprint import Column, Table
from worldgen.facts import Fact
from worldgen.publish.lists import group_title

MOST_PAGES_A_QUERY = 4
"""Pages that it opens for one query before it gives the fact up."""
PAGES_OF_RESULTS = 2


class OutOfBudgetError(Exception):
    """The explorer may make no further call."""


def explore(tools: Tools, brief: Brief) -> str:
    """Answer a task by opening pages.

    Returns:
        The answer in Markdown: of what was found, where the budget ran out.
    """
    explorer = Explorer(tools, brief)
    with suppress(OutOfBudgetError):
        explorer.run()
    return explorer.knowledge.markdown()


class Explorer:
    """One exploration: what is known, what was opened, and where kinds of facts were found."""

    def __init__(self, tools: Tools, brief: Brief) -> None:
        """Start with nothing known."""
        self._tools, self._brief = tools, brief
        self.knowledge = Knowledge(brief)
        self._calls, self._budget = 0, brief.budget
        self._opened: set[str] = set()
        self._links: dict[str, str] = {}
        self._found_at: dict[tuple[str, str], str] = {}

    def run(self) -> None:
        """Find the names, then facts until none is missing or none can be found."""
        for source in self._brief.plan.sources:
            self._enumerate(source)
        if self._brief.plan.absence:
            absence = self._brief.plan.absence
            far = self._table(self._table(absence.link).far_side.to or "")
            self._open_list(group_title(far, far.column(absence.column), str(absence.value)))
        given_up: set[Fact] = set()
        while missing := [fact for fact in self.knowledge.missing() if fact not in given_up]:
            for fact in missing:
                if fact not in self.knowledge.known and not self._find(fact):
                    given_up.add(fact)

    def _table(self, name: str) -> Table:
        return self._brief.blueprint.table(name)

    # ------------------------------------------------------------ names

    def _enumerate(self, source: Source) -> None:
        """Open the lists that name the rows of a source which the question is about."""
        table = self._table(source.table)
        if table.kind != "entity":
            return
        conditions = [c for c in self._open_conditions() if c.alias == source.alias]
        needed = self._referenced(source)
        if not conditions and not needed:
            self._open_list(f"All {table.plural}, A to Z")
        for condition in conditions:
            column = table.column(condition.column)
            self._open_list(group_title(table, column, str(condition.value)))
        for column in needed:
            if any(condition.column == column.name for condition in conditions):
                continue
            self._open_groups(table, column)

    def _open_conditions(self) -> list[Condition]:
        plan, roles = self._brief.plan, self._brief.roles
        return [
            c
            for c in plan.conditions
            if not roles.guarded_column(plan.source(c.alias).table, c.column)
        ]

    def _referenced(self, source: Source) -> list[Column]:
        """The references of a source that join it to another one of the plan."""
        table = self._table(source.table)
        names = [s.column for s in self._brief.plan.via("parent") if s.of == source.alias]
        names += [source.column] if source.via == "child" else []
        return [table.column(name) for name in names]

    def _open_groups(self, table: Table, column: Column) -> None:
        """Open the list of a table's rows for each entity that a reference may point to."""
        target = self._table(column.to or "")
        conditions = [
            c
            for c in self._open_conditions()
            if self._brief.plan.source(c.alias).table == target.name
        ]
        for condition in conditions:
            self._open_list(
                group_title(target, target.column(condition.column), str(condition.value))
            )
        if not conditions and not self.knowledge.ids(target.name):
            self._open_list(f"All {target.plural}, A to Z")
        for entity_id in self.knowledge.ids(target.name):
            self._open_list(group_title(table, column, self.knowledge.name(target.name, entity_id)))

    def _open_list(self, title: str) -> None:
        """Find the list of that title by search, and open it.

        A list is a page that the task needs too, so it adds to the budget like one.
        """
        self._budget += CALLS_A_PAGE
        known = [url for url, text in self._links.items() if text.casefold() == title.casefold()]
        for url in known or self._matching(title):
            self._open(url)
            return

    def _matching(self, title: str) -> Iterator[str]:
        for page in range(1, PAGES_OF_RESULTS + 1):
            self._spend()
            (results,) = self._tools.search(title, page=page).results
            yield from (
                result.url for result in results if result.title.casefold() == title.casefold()
            )

    # ------------------------------------------------------------ facts

    def _find(self, fact: Fact) -> bool:
        """Open pages until a fact is known: first where its kind was found before."""
        kind = (fact.table, fact.column)
        for number, url in enumerate(self._candidates(fact, kind)):
            if number >= MOST_PAGES_A_QUERY:
                break
            self._open(url)
            if fact in self.knowledge.known:
                self._found_at[kind] = _shelf(url)
                return True
        return False

    def _candidates(self, fact: Fact, kind: tuple[str, str]) -> Iterator[str]:
        names = subject_names(fact, self._brief.blueprint, self.knowledge)
        name = names[0]
        shelf = self._found_at.get(kind)
        year = str(fact.key[-1]) if self._table(fact.table).kind == "yearly" else ""
        if shelf:
            near = [
                url
                for url, text in self._links.items()
                if _shelf(url) == shelf and name in text and year in text
            ]
            yield from (url for url in near if url not in self._opened)
        query = query_for(fact, self._brief.blueprint, self.knowledge)
        for page in range(1, PAGES_OF_RESULTS + 1):
            self._spend()
            (results,) = self._tools.search(query, page=page).results
            about = [
                r.url
                for r in results
                if name in r.title and year in r.title and r.url not in self._opened
            ]
            yield from sorted(about, key=lambda url: _shelf(url) != shelf)

    def _open(self, url: str) -> None:
        """Open a page whole, and take in its claims and links."""
        if url in self._opened:
            return
        self._opened.add(url)
        offset: int | None = 0
        content = ""
        while offset is not None:
            self._spend()
            part = self._tools.extract(url, offset)
            content, offset = content + part.content, part.next_offset
        self.knowledge.add(self._brief.seen(url, content))
        self._links |= dict(_links(content))

    def _spend(self) -> None:
        if self._calls >= self._budget:
            raise OutOfBudgetError
        self._calls += 1


def _shelf(url: str) -> str:
    """The part of a URL that pages of one kind share."""
    return url.rpartition("/")[0]


def _links(content: str) -> Iterator[tuple[str, str]]:
    """The links of a page in Markdown, as URL and text."""
    for line in content.splitlines():
        if line.startswith("- [") and line.endswith(")"):
            text, _, url = line[3:-1].rpartition("](")
            yield url, text
