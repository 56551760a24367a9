"""The snippet reader: never opens a page, and asks search for each fact that it needs.

It is given all open facts, the names and locators that search hides from nobody, so what it scores
bounds what an agent can get from snippets by asking fact by fact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from queries.plan import link_of
from search_sim.agents.asking import query_for
from search_sim.agents.brief import Brief, Tools
from search_sim.agents.knowledge import Knowledge
from search_sim.tools import MOST_QUERIES
from worldgen.facts import Fact, RowKey, row

MOST_PASSES = 3
"""Facts that turn out to be needed once others are known are asked for in further passes."""


def read_snippets(tools: Tools, brief: Brief) -> str:
    """Answer a task from snippets alone, in Markdown."""
    knowledge = Knowledge(brief, brief.open_tables())
    asked: set[Fact] = set()
    for _ in range(MOST_PASSES):
        wanted = [fact for fact in dict.fromkeys(_wanted(brief, knowledge)) if fact not in asked]
        if not wanted:
            break
        asked.update(wanted)
        for start in range(0, len(wanted), MOST_QUERIES):
            batch = wanted[start : start + MOST_QUERIES]
            _ask(tools, brief, knowledge, [fact for fact in batch if fact not in knowledge.known])
    return knowledge.markdown()


def _ask(tools: Tools, brief: Brief, knowledge: Knowledge, facts: Sequence[Fact]) -> None:
    """Ask for a batch of facts, a query each."""
    if not facts:
        return
    queries = [query_for(fact, brief.blueprint, knowledge) for fact in facts]
    for results in tools.search(*queries).results:
        for result in results:
            knowledge.add(brief.seen(result.url, result.snippet))


def _wanted(brief: Brief, knowledge: Knowledge) -> Iterator[Fact]:
    """What the answer needs; instead of a complete list, the link rows that it could hold."""
    for fact in knowledge.missing():
        yield fact
        if fact.kind == "list":
            yield from (row(fact.table, key) for key in _possible_rows(brief, knowledge, fact))


def _possible_rows(brief: Brief, knowledge: Knowledge, fact: Fact) -> list[RowKey]:
    """The rows that a list could hold, by the open conditions on its far side."""
    link = link_of(brief.blueprint, brief.plan)
    if link is None or not (brief.plan.via("far") or brief.plan.absence):
        return []
    far = link.far_side.to or ""
    ids = [i for i in knowledge.ids(far) if _in_group(brief, knowledge, far, i)]
    home = link.key_columns.index(link.home_side.name)
    return [(fact.key[0], i) if home == 0 else (i, fact.key[0]) for i in ids]


def _in_group(brief: Brief, knowledge: Knowledge, far: str, entity_id: int) -> bool:
    pairs = [(c.column, c.value) for c in brief.plan.conditions if c.alias == "far"]
    if brief.plan.absence:
        pairs.append((brief.plan.absence.column, brief.plan.absence.value))
    cells = knowledge.tables[far][(entity_id,)]
    for name, value in pairs:
        column = brief.blueprint.table(far).column(name)
        cell = cells.get(name)
        shown = knowledge.name(column.to, int(cell)) if column.to and cell is not None else cell
        if shown != value:
            return False
    return True
