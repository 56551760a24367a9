"""The guarantee itself: what a search response says never depends on what it may not state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from support import Case, republished

from search_sim.episode import Episode
from search_sim.guard import Effective
from search_sim.observation import Result, SearchResponse
from search_sim.open_world import OpenWorld
from worldgen.blueprint import PageKind
from worldgen.facts import Fact, RowKey, Value
from worldgen.masking import reveal
from worldgen.pages import Page, Statement
from worldgen.publish import details, publish
from worldgen.publish.coverage import Stated
from worldgen.publish.press import Press
from worldgen.roles import Roles
from worldgen.seeds import generator
from worldgen.world import Row, World

QUERIES = 100


def queries(world: World, twin: World, count: int) -> list[str]:
    """What agents and adversaries type: names, labels, guessed values of both worlds, noise."""
    rng = generator(5)
    kinds = (_cell_query, _guess, _pair_query, _yearly_query, _list_query, _noise)
    return [rng.choice(kinds)(rng, world, twin) for _ in range(count)]


def _some_cell(rng: Random, world: World) -> tuple[str, RowKey, str]:
    tables = [t for t in world.blueprint.tables if t.details and t.kind == "entity"]
    table = rng.choice(tables)
    return table.name, rng.choice(list(world.tables[table.name])), rng.choice(table.details).name


def _cell_query(rng: Random, world: World, twin: World) -> str:
    table, key, column = _some_cell(rng, world)
    labels = [c.label for c in world.blueprint.table(table).details]
    asked = [
        world.blueprint.table(table).column(column).label,
        *rng.sample(labels, rng.randint(0, 2)),
    ]
    return " ".join([world.name_of(table, key[0]), *dict.fromkeys(asked)])


def _guess(rng: Random, world: World, twin: World) -> str:
    table, key, column = _some_cell(rng, world)
    value = rng.choice((world, twin)).tables[table][key][column]
    name = world.name_of(table, key[0]) if rng.random() < 0.5 else ""
    return f"{name} {value} {world.blueprint.table(table).column(column).label}"


def _pair_query(rng: Random, world: World, twin: World) -> str:
    link = rng.choice(world.blueprint.links())
    keys = list(rng.choice((world, twin)).tables[link.name])
    key = rng.choice(keys)
    names = [world.name_of(str(ref.to), i) for ref, i in zip(link.refs, key, strict=True)]
    label = rng.choice([link.label, *(c.label for c in link.details), ""])
    return " ".join((*names, label))


def _yearly_query(rng: Random, world: World, twin: World) -> str:
    table = next(t for t in world.blueprint.tables if t.kind == "yearly")
    key = rng.choice(list(world.tables[table.name]))
    name = world.name_of(str(table.refs[0].to), key[0])
    return f"{name} {rng.choice(table.details).label} {key[1]}"


def _list_query(rng: Random, world: World, twin: World) -> str:
    table = rng.choice([t for t in world.blueprint.tables if t.kind == "entity"])
    return f"All {table.plural}, A to Z"


def _noise(rng: Random, world: World, twin: World) -> str:
    words = ["which", "is", "the", "highest", "more than", "2029", '"', "AND", "(", "site:", "é"]
    return " ".join(rng.sample(words, 4))


def half_redrawn(world: World, twin: World) -> World:
    """A world with every other guarded column from its twin, so that some facts are unchanged."""
    tables: dict[str, dict[RowKey, Row]] = {}
    for table in world.blueprint.tables:
        guarded = [c.name for c in table.details if world.roles.guarded_column(table.name, c.name)]
        changed = set(guarded[::2])
        if world.roles.guarded_rows(table.name):
            tables[table.name] = dict(twin.tables[table.name])
            continue
        theirs = twin.tables[table.name]
        rows: dict[RowKey, Row] = {}
        for key, row in world.tables[table.name].items():
            mixed: dict[str, Value] = {c: theirs[key][c] if c in changed else row[c] for c in row}
            rows[key] = mixed
        tables[table.name] = rows
    return replace(world, tables=tables)


def compare(ours: OpenWorld, theirs: OpenWorld, policy: Effective, asked: list[str]) -> int:
    """Run the same episode over both worlds and assert that they can't be told apart.

    Returns:
        How many responses disclosed something.
    """
    task = next(iter(ours.tasks.values())).model_copy(update={"disclosures": 6})
    pair = (Episode(ours, task, policy, seed=3), Episode(theirs, task, policy, seed=3))
    disclosing = 0
    for query in asked:
        first, second = (episode.search(query) for episode in pair)
        told = [episode.trajectory.turns[-1].disclosed for episode in pair]
        assert told[0] == told[1], query
        disclosing += bool(told[0])
        facts = {Fact.parse(name) for name in told[0]}
        _compare_responses(ours, theirs, (first, second), facts)
        assert pair[0].shown == pair[1].shown
        assert pair[0].counts == pair[1].counts
    for url in ("https://nowhere.example/", ours.web.pages[0].url + "x"):
        assert pair[0].extract(url) == pair[1].extract(url)
    return disclosing


def _changed(facts: set[Fact], ours: OpenWorld, theirs: OpenWorld) -> set[Fact]:
    return {f for f in facts if _truth(ours.world, f) != _truth(theirs.world, f)}


def _truth(world: World, fact: Fact) -> object:
    row = world.tables[fact.table].get(fact.key)
    return row is not None if fact.kind == "row" else (row or {}).get(fact.column)


def _compare_responses(
    ours: OpenWorld,
    theirs: OpenWorld,
    pair: tuple[SearchResponse, SearchResponse],
    told: set[Fact],
) -> None:
    changed = _changed(told, ours, theirs)
    if not changed:
        assert pair[0] == pair[1]
        return
    for first, second in zip(pair[0].results[0], pair[1].results[0], strict=True):
        assert (first.rank, first.url, first.title, first.date) == (
            second.rank,
            second.url,
            second.title,
            second.date,
        )
        pages = [opened.web.by_url[first.url] for opened in (ours, theirs)]
        if not any(changed & page.facts for page in pages):
            assert first.snippet == second.snippet
        elif all(fact.kind == "cell" for fact in changed) and all(
            changed <= p.facts for p in pages
        ):
            blanked = [
                _blank(r, p, ours.world.roles, told)
                for r, p in zip((first, second), pages, strict=True)
            ]
            assert blanked[0] == blanked[1]


def _blank(result: Result, page: Page, roles: Roles, facts: set[Fact]) -> str:
    """The snippet with every told statement as it would stand there untold."""
    text = result.snippet
    for statement in page.statements:
        told = reveal(statement, roles, facts)
        untold = reveal(statement, roles, {fact for fact in facts if fact.kind == "row"})
        if told and untold and told != untold:
            text = text.replace(told, untold)
    return text


@pytest.mark.parametrize("policy", ["reach", "tease"])
def test_a_republished_twin_answers_searches_alike(case: Case, policy: Effective) -> None:
    twin = republished(case)
    asked = queries(case.world, twin.world, QUERIES)
    disclosing = compare(case.opened, twin, policy, asked)
    assert (disclosing > 3) == (policy == "reach")


@pytest.mark.parametrize("policy", ["reach", "tease"])
def test_a_twin_with_some_facts_changed_answers_alike(case: Case, policy: Effective) -> None:
    twin = half_redrawn(case.world, republished(case, redraw=2).world)
    other = OpenWorld(twin, publish(twin), case.built.tasks)
    compare(case.opened, other, policy, queries(case.world, twin, QUERIES))


def test_the_twin_is_another_world_with_other_answers(case: Case) -> None:
    twin = republished(case)
    assert twin.world.roles == case.world.roles
    assert [p.markdown for p in twin.web.pages] != [p.markdown for p in case.opened.web.pages]


def test_a_planted_unrecorded_leak_is_caught(
    ferries: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence whose words were chosen by a guarded value that the pen never read."""
    original = details._body

    def leaking(
        press: Press, kind: PageKind, stated: Stated, key: RowKey, url: str
    ) -> Iterator[Statement]:
        yield from original(press, kind, stated, key, url)
        if kind.table == "port":
            berths = int(press._world.tables["port"][key]["berths"])
            word = "bustling" if berths > 9 else "sleepy"
            yield Statement(f"Visitors find it a {word} place.")

    monkeypatch.setattr(details, "_body", leaking)
    leaky = [
        OpenWorld(opened.world, publish(opened.world), ferries.built.tasks)
        for opened in (ferries.opened, republished(ferries))
    ]
    asked = queries(leaky[0].world, leaky[1].world, QUERIES)
    with pytest.raises(AssertionError):
        compare(leaky[0], leaky[1], "tease", asked)


def test_the_open_control_tells_worlds_apart(ferries: Case) -> None:
    twin = republished(ferries)
    asked = queries(ferries.world, twin.world, QUERIES)
    with pytest.raises(AssertionError):
        compare(ferries.opened, twin, "open", asked)
