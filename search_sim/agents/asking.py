"""Asking: the query that a careful agent types for a fact, from names and labels it knows."""

from __future__ import annotations

from search_sim.agents.knowledge import Knowledge
from worldgen.blueprint import Blueprint, Table
from worldgen.facts import Fact


def subject_names(fact: Fact, blueprint: Blueprint, knowledge: Knowledge) -> tuple[str, ...]:
    """The names of the entities that a fact is about; for a link's row, those of both sides."""
    table = blueprint.table(fact.table)
    if fact.kind == "list":
        return (knowledge.name(table.column(fact.column).to or "", fact.key[0]),)
    if table.kind == "entity":
        return (knowledge.name(table.name, fact.key[0]),)
    return tuple(
        knowledge.name(ref.to or "", entity_id)
        for ref, entity_id in zip(table.refs, fact.key, strict=False)
    )


def query_for(fact: Fact, blueprint: Blueprint, knowledge: Knowledge) -> str:
    """The query for a fact: its subject, its attribute, its year if it has one."""
    table = blueprint.table(fact.table)
    parts = [*subject_names(fact, blueprint, knowledge), _attribute(fact, table)]
    if table.kind == "yearly":
        parts.append(str(fact.key[-1]))
    return " ".join(parts)


def _attribute(fact: Fact, table: Table) -> str:
    if fact.kind == "list":
        return table.plural
    return table.label if fact.kind == "row" else table.column(fact.column).label
