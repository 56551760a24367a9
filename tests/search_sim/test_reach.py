from __future__ import annotations

from pathlib import Path

import pytest
from support import Case, republished

from search_sim.reach import Lexicon
from worldgen.facts import Fact

CASES = [
    [part.strip() for part in line.split("|")]
    for line in Path(__file__).with_name("reach_cases.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def _names(case: Case) -> dict[str, str]:
    world = case.world
    return {
        "port": world.name_of("port", 1),
        "short": world.short_names[("port", 1)][0],
        "port2": world.name_of("port", 2),
        "vessel": world.name_of("vessel", 1),
        "operator": world.name_of("operator", 1),
    }


def _shown(facts: frozenset[Fact]) -> str:
    cells = [f"traffic:{f.column}" if f.table == "traffic" else f.column for f in facts if f.column]
    rows = ["row" for fact in facts if fact.kind == "row"]
    return "+".join(sorted(cells) + rows)


@pytest.mark.parametrize(("query", "level", "facts", "why"), CASES, ids=[c[3] for c in CASES])
def test_reach(ferries: Case, query: str, level: str, facts: str, why: str) -> None:
    reach = Lexicon(ferries.world).reach(query.format(**_names(ferries)))
    assert reach.level == level, why
    assert " ".join(_shown(r.facts) for r in reach.reached) == (facts if facts != "-" else ""), why


def test_a_link_that_does_not_exist_is_reached_like_one_that_does(ferries: Case) -> None:
    world = ferries.world
    pairs = [(v, p) for v in world.ids("vessel")[:8] for p in world.ids("port")]
    exists = {pair in world.tables["call"] for pair in pairs}
    assert exists == {True, False}
    lexicon = Lexicon(world)
    for vessel, port in pairs:
        query = f"{world.name_of('vessel', vessel)} {world.name_of('port', port)} port of call"
        assert lexicon.reach(query).reached[0].fact.key == (vessel, port)


def test_reach_is_the_same_over_a_twin(case: Case) -> None:
    twin = republished(case).lexicon
    for table, _, name in case.world.entities():
        for column in case.world.blueprint.table(table).details:
            query = f"{name} {column.label}"
            assert twin.reach(query) == case.opened.lexicon.reach(query), query


def test_every_guarded_entity_cell_can_be_reached_by_name_and_label(case: Case) -> None:
    world = case.world
    for table, entity_id, name in world.entities():
        for column in world.blueprint.table(table).details:
            if not world.roles.guarded_column(table, column.name):
                continue
            reached = case.opened.lexicon.reach(f"{name} {column.label}").reached
            assert [(r.fact.key, r.fact.column) for r in reached] == [((entity_id,), column.name)]


def test_every_guarded_yearly_and_link_cell_can_be_reached(case: Case) -> None:
    world = case.world
    for table in world.blueprint.tables:
        if table.kind == "entity":
            continue
        key = next(iter(world.tables[table.name]))
        names = [world.name_of(str(r.to), i) for r, i in zip(table.refs, key, strict=False)]
        year = [str(key[-1])] if table.kind == "yearly" else []
        for column in table.details:
            query = " ".join([*names, column.label, *year])
            reached = case.opened.lexicon.reach(query).reached
            assert [(r.fact.table, r.fact.column) for r in reached] == [(table.name, column.name)]
