"""Each acceptance check with a plan that it refuses and one, as close as can be, that passes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from queries.accept import CHECKS, MOST_SPREAD, Check, reason_against
from queries.candidate import Candidate
from queries.plan import BASE, Absence, Condition, Order, Output, Plan, Source
from queries.scene import FEWEST_ROWS, MOST_ROWS, Scene
from queries.task import Task
from worldgen.facts import Fact, Value
from worldgen.pages import Web
from worldgen.roles import Roles
from worldgen.tables import connect_loose
from worldgen.world import Row

WORKSHOP = Source(alias=BASE, table="workshop", via="base")
GUILD = Source(alias="guild", table="guild", via="parent", of=BASE, column="guild_id")


def that(column: str, operator: str, value: Value, alias: str = BASE) -> Condition:
    return Condition.model_validate(
        {"alias": alias, "column": column, "operator": operator, "value": value}
    )


def stating(*columns: str) -> tuple[Output, ...]:
    return tuple(Output(alias=BASE, column=c, heading=c.capitalize()) for c in columns)


def workshops(*conditions: Condition, outputs: tuple[str, ...] = ("value_usd", "staff")) -> Plan:
    return Plan(
        family="filtered",
        base="workshop",
        sources=(WORKSHOP,),
        conditions=conditions,
        outputs=stating(*outputs),
    )


def first(limit: int, column: str = "kiln_m", *, descending: bool = True) -> Plan:
    order = Order(output=0, descending=descending, limit=limit)
    plan = workshops(outputs=(column, "master"))
    return plan.model_copy(update={"family": "top", "order": order})


def per_guild(*outputs: Output, condition: Condition | None = None) -> Plan:
    child = Source(alias="child", table="workshop", via="child", of=BASE, column="guild_id")
    return Plan(
        family="grouped",
        base="guild",
        sources=(Source(alias=BASE, table="guild", via="base"), child),
        conditions=(condition,) if condition else (),
        outputs=outputs,
    )


def absent(value: str, *conditions: Condition) -> Plan:
    absence = Absence(link="stall", column="season", value=value)
    return workshops(*conditions).model_copy(update={"absence": absence})


MOST = Output(alias="child", column="staff", heading="Highest number of staff", aggregate="max")
COUNT = Output(alias="child", column="", heading="Number of workshops", aggregate="count")
CROWN = that("glass", "=", "crown")

CASES: dict[str, tuple[str, Plan, Plan]] = {
    "four rows are too few": (
        "rows_within_bounds",
        workshops(that("value_usd", ">", 66000)),
        workshops(that("value_usd", ">", 65000)),
    ),
    "the last row that is kept ties with the first that is cut": (
        "no_tie_at_cut",
        first(6),
        first(7),
    ),
    "a tie at the cut from below": (
        "no_tie_at_cut",
        first(4, descending=False),
        first(5, descending=False),
    ),
    "nothing is cut": ("no_tie_at_cut", first(12), first(11)),
    "all workshops meet a guarded condition": (
        "every_part_matters",
        workshops(CROWN, that("value_usd", ">", 33000)),
        workshops(CROWN, that("value_usd", ">", 34000)),
    ),
    "the scope leaves nothing out that the guarded condition keeps": (
        "every_part_matters",
        workshops(CROWN, that("value_usd", ">", 90000)),
        workshops(CROWN, that("value_usd", ">", 80000)),
    ),
    "a condition on what a workshop belongs to leaves nothing out": (
        "every_part_matters",
        workshops(that("members", ">", 20, "guild")).model_copy(
            update={"sources": (WORKSHOP, GUILD)}
        ),
        workshops(that("members", ">", 30, "guild")).model_copy(
            update={"sources": (WORKSHOP, GUILD)}
        ),
    ),
    "no workshop in scope is linked": (
        "every_part_matters",
        absent("autumn", that("staff", "<", 6)),
        absent("autumn", that("staff", "<", 8)),
    ),
    "a count is the same for all groups": (
        "grouping_matters",
        per_guild(COUNT, condition=that("furnace", "=", "wood", "child")),
        per_guild(COUNT, condition=that("furnace", "=", "coal", "child")),
    ),
    "each group has one row": (
        "grouping_matters",
        per_guild(MOST, condition=that("opened", "<", "1890-01-01", "child")),
        per_guild(MOST, condition=that("opened", "<", "1900-01-01", "child")),
    ),
    "an output is open": (
        "cells_guarded",
        workshops(outputs=("value_usd", "glass")),
        workshops(outputs=("value_usd", "furnace")),
    ),
    "a count of entities by open columns": (
        "cells_guarded",
        per_guild(COUNT, MOST),
        per_guild(COUNT, MOST, condition=that("staff", ">", 12, "child")),
    ),
    "a category stands in the name of its row": (
        "name_tells_nothing",
        workshops(that("opened", ">", "1915-01-01"), outputs=("furnace",)),
        workshops(that("value_usd", ">", 33000), outputs=("furnace",)),
    ),
}


def check_of(name: str) -> Check:
    return next(check for check in CHECKS if check.__name__ == name)


@pytest.mark.parametrize("title", CASES)
def test_a_check_refuses_one_plan_and_passes_its_neighbour(small: Scene, title: str) -> None:
    name, refused, passed = CASES[title]
    assert not check_of(name)(Candidate(small, refused))
    assert check_of(name)(Candidate(small, passed))


def test_the_bounds_of_rows_are_within_bounds(scene: Scene) -> None:
    check = check_of("rows_within_bounds")
    table = max(scene.entity_tables(), key=lambda table: len(scene.world.tables[table.name]))
    assert len(scene.world.tables[table.name]) > MOST_ROWS
    for limit in range(1, MOST_ROWS + 3):
        column = scene.guarded(table)[0]
        plan = Plan(
            family="top",
            base=table.name,
            sources=(Source(alias=BASE, table=table.name, via="base"),),
            outputs=(Output(alias=BASE, column=column.name, heading=column.heading),),
            order=Order(output=0, descending=True, limit=limit),
        )
        assert check(Candidate(scene, plan)) == (FEWEST_ROWS <= limit <= MOST_ROWS)


@pytest.fixture
def with_cells(small: Scene) -> Iterator[Callable[[Mapping[int, Row]], Scene]]:
    """Makes the small scene with other cells in some workshops."""
    connections = []

    def make(cells: Mapping[int, Row]) -> Scene:
        rows = {
            key: {**row, **cells.get(key[0], {})}
            for key, row in small.world.tables["workshop"].items()
        }
        tables = {**small.world.tables, "workshop": rows}
        connections.append(connect_loose(small.blueprint, tables))
        return Scene(replace(small.world, tables=tables), small.web, connections[-1])

    yield make
    for connection in connections:
        connection.close()


WithCells = Callable[[Mapping[int, Row]], Scene]


def test_a_key_that_two_rows_share_is_refused(with_cells: WithCells) -> None:
    check, plan = check_of("key_unique"), workshops(that("value_usd", ">", 80000))
    assert check(Candidate(with_cells({2: {"name": "Penwick Works"}}), plan))
    assert not check(Candidate(with_cells({2: {"name": "Penrow Works"}}), plan))
    assert check(Candidate(with_cells({6: {"name": "Penrow Works"}}), plan))


def test_a_pair_is_named_by_both_sides(
    small: Scene, plans: Mapping[str, Mapping[str, Plan]]
) -> None:
    plan = plans["linked"]["crown workshops at spring fairs"]
    candidate = Candidate(small, plan)
    assert len({row[0] for row in candidate.rows}) < len(candidate.rows)
    assert check_of("key_unique")(candidate)


@pytest.mark.parametrize(
    ("name", "tells"),
    [
        ("Wood Works", True),
        ("The WOOD-Works", True),
        ("Woodrow Works", False),
        ("Mirrow Fair Works", True),
        ("Fair Works", False),
        ("Clara Imber & Sons", True),
        ("Mirrow Fairs", False),
        ("120500 Works", False),
    ],
)
def test_a_name_tells_where_a_guarded_text_is_a_word_of_it(
    with_cells: WithCells, name: str, tells: bool
) -> None:
    outputs = ("furnace", "master", "value_usd", "fair_id")
    plan = workshops(that("value_usd", ">", 100000), outputs=outputs)
    candidate = Candidate(with_cells({7: {"name": name}}), plan)
    assert candidate.rows == [(name, "wood", "Clara Imber", 120500, "Mirrow Fair")]
    assert check_of("name_tells_nothing")(candidate) == (not tells)


def test_a_text_of_three_letters_tells_nothing(with_cells: WithCells) -> None:
    scene = with_cells({7: {"name": "Gas Works", "furnace": "gas"}})
    candidate = Candidate(scene, workshops(that("value_usd", ">", 100000), outputs=("furnace",)))
    assert candidate.rows == [("Gas Works", "gas")]
    assert check_of("name_tells_nothing")(candidate)


def without_pages(scene: Scene, drop: Callable[[frozenset[Fact]], bool]) -> Scene:
    pages = tuple(page for page in scene.web.pages if not drop(page.facts))
    assert len(pages) < len(scene.web.pages)
    return replace(scene, web=Web(scene.web.sites, pages))


def test_a_needed_fact_that_no_page_states_is_refused(small: Scene) -> None:
    check, plan = check_of("facts_published"), workshops(that("value_usd", ">", 80000))
    candidate = Candidate(small, plan)
    assert check(candidate)
    for fact in candidate.needed:
        hidden = without_pages(small, lambda facts, fact=fact: fact in facts)  # type: ignore[misc]
        assert not check(Candidate(hidden, plan)), fact
    guild = Fact("cell", "guild", (1,), "members")
    assert check(Candidate(without_pages(small, lambda facts: guild in facts), plan))


def test_a_page_that_states_too_much_is_refused(small: Scene) -> None:
    check = check_of("spread_holds")
    plan = workshops(that("value_usd", ">", 90000), outputs=("value_usd", "staff", "opened"))
    candidate = Candidate(small, plan)
    assert check(candidate)
    needed = set(candidate.needed)
    for count in range(1, len(needed) + 1):
        crowded = crowd(small, sorted(needed)[:count])
        share = max(count / len(needed), candidate.spread)
        assert check(Candidate(crowded, plan)) == (share <= MOST_SPREAD)


def crowd(scene: Scene, facts: list[Fact]) -> Scene:
    """The scene with one more page, which states some facts."""
    claims = {
        claim.fact: statement
        for page in scene.web.pages
        for statement in page.statements
        for claim in statement.claims
    }
    statements = tuple(claims[fact] for fact in facts)
    page = replace(scene.web.pages[0], url="https://crowd.example/", statements=statements)
    return replace(scene, web=Web(scene.web.sites, (*scene.web.pages, page)))


def test_the_first_check_that_fails_names_the_reason(small: Scene) -> None:
    sound = workshops(CROWN, that("value_usd", ">", 50000))
    assert reason_against(Candidate(small, sound)) is None
    few_and_open = workshops(that("value_usd", ">", 90000), outputs=("glass",))
    assert reason_against(Candidate(small, few_and_open)) == "rows_within_bounds"
    tied_and_open = first(6).model_copy(update={"outputs": stating("kiln_m", "glass")})
    assert reason_against(Candidate(small, tied_and_open)) == "no_tie_at_cut"
    useless_and_open = workshops(that("value_usd", ">", 20000), outputs=("glass",))
    assert reason_against(Candidate(small, useless_and_open)) == "every_part_matters"
    is_open = workshops(that("value_usd", ">", 50000), outputs=("glass",))
    assert reason_against(Candidate(small, is_open)) == "cells_guarded"
    telling = workshops(that("opened", ">", "1911-01-01"), outputs=("furnace",))
    assert reason_against(Candidate(small, telling)) == "name_tells_nothing"


def test_a_column_that_another_world_leaves_open_is_refused_there(small: Scene) -> None:
    plan = workshops(CROWN, that("value_usd", ">", 50000), outputs=("opened",))
    assert reason_against(Candidate(small, plan)) is None
    roles = small.roles.columns | {"workshop.opened": "locator"}
    there = Roles.model_validate({"columns": roles, "rows": small.roles.rows})
    scene = replace(small, world=replace(small.world, roles=there))
    assert reason_against(Candidate(scene, plan)) == "cells_guarded"


def test_every_accepted_task_passes_every_check(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for scene, task in tasks[::4]:
        candidate = Candidate(scene, task.plan)
        assert [check.__name__ for check in CHECKS if not check(candidate)] == []


def test_every_check_is_tried_above() -> None:
    tried = {name for name, _, _ in CASES.values()}
    tried |= {"key_unique", "facts_published", "spread_holds"}
    assert {check.__name__ for check in CHECKS} == tried
