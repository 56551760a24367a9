from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from queries.plan import BASE
from queries.scene import Compared, Scene, Scope
from worldgen.blueprint import Column
from worldgen.facts import Value
from worldgen.seeds import generator
from worldgen.values import Lognormal

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Busy machines are slow."""

ANY = Lognormal(model="lognormal", median=1, sigma=1, low=0, high=1)
WHOLE = Column(name="staff", kind="count", label="number of staff", values=ANY)
TENTHS = Column(name="kiln_m", kind="measure", unit="m", decimals=1, label="kiln", values=ANY)
DAY = Column(name="opened", kind="date", label="opening date", values=ANY)
TEXT = Column(name="furnace", kind="category", label="furnace type", values=ANY)


def words(scope: Scope) -> str:
    return " and ".join(f"{c.alias}.{c.column}={c.value}" for c in scope.conditions)


def test_every_scope_of_a_table(small: Scene) -> None:
    found = {words(s): s.ids for s in small.scopes(small.blueprint.table("workshop"), 1, 12)}
    assert found == {
        "": tuple(range(1, 13)),
        "b.guild_id=Aldra Guild": (1, 2, 3, 4),
        "b.guild_id=Benthe Guild": (5, 6, 7),
        "b.guild_id=Corvin Guild": (8, 9, 10),
        "b.guild_id=Dolmar Guild": (11, 12),
        "b.glass=crown": (1, 3, 4, 5, 7, 9, 10, 12),
        "b.glass=flint": (2, 6, 8, 11),
        "guild_of.bank=east": (1, 2, 3, 4, 8, 9, 10),
        "guild_of.bank=west": (5, 6, 7, 11, 12),
        "b.guild_id=Aldra Guild and b.glass=crown": (1, 3, 4),
        "b.guild_id=Aldra Guild and b.glass=flint": (2,),
        "b.guild_id=Benthe Guild and b.glass=crown": (5, 7),
        "b.guild_id=Benthe Guild and b.glass=flint": (6,),
        "b.guild_id=Corvin Guild and b.glass=crown": (9, 10),
        "b.guild_id=Corvin Guild and b.glass=flint": (8,),
        "b.guild_id=Dolmar Guild and b.glass=crown": (12,),
        "b.guild_id=Dolmar Guild and b.glass=flint": (11,),
    }


def test_scopes_hold_a_number_of_rows_within_bounds(small: Scene) -> None:
    sizes = [len(s.ids) for s in small.scopes(small.blueprint.table("workshop"), 3, 7)]
    assert sorted(sizes) == [3, 3, 3, 4, 4, 5, 7]
    assert small.scopes(small.blueprint.table("workshop"), 13, 99) == []


def test_no_scope_uses_a_guarded_column(scene: Scene) -> None:
    for table in scene.entity_tables():
        for scope in scene.scopes(table, 1, 99):
            tables = {BASE: table.name, **{s.alias: s.table for s in scope.sources}}
            for condition in scope.conditions:
                assert scene.roles.column(tables[condition.alias], condition.column) == "locator"


def test_a_picked_scope_is_one_of_the_scopes(small: Scene) -> None:
    table = small.blueprint.table("workshop")
    picked = [small.pick_scope(generator(i, "pick"), table, 3, 12) for i in range(300)]
    assert {words(scope) for scope in picked if scope} == {
        words(scope) for scope in small.scopes(table, 3, 12)
    }
    assert small.pick_scope(generator(0, "pick"), table, 13, 99) is None


def test_tables_and_columns_to_ask_about(small: Scene) -> None:
    guild, workshop, stall = map(small.blueprint.table, ("guild", "workshop", "stall"))
    assert [table.name for table in small.entity_tables()] == ["workshop"]
    assert [c.name for c in small.guarded(guild)] == ["chartered", "members"]
    assert [c.name for c in small.guarded(workshop, lambda c: c.numeric)] == [
        "kiln_m",
        "value_usd",
        "staff",
    ]
    assert [c.name for c in small.guarded(stall)] == ["since", "fee_usd", "width_m"]
    assert [c.name for c in small.locators(workshop)] == ["guild_id", "glass"]
    assert [(c.name, t.name) for c, t in small.open_parents(workshop)] == [("guild_id", "guild")]
    assert small.open_parents(stall) == []
    assert set(small.graph.edges(keys=True)) == {
        ("workshop", "guild", "guild_id"),
        ("workshop", "fair", "fair_id"),
        ("stall", "workshop", "workshop_id"),
        ("stall", "fair", "fair_id"),
        ("glass_return", "workshop", "workshop_id"),
    }


def test_rows_of_an_open_link_leave_its_columns_to_their_own_roles(small: Scene) -> None:
    roles = small.roles.model_copy(
        update={
            "rows": {"stall": "locator"},
            "columns": {**small.roles.columns, "stall.since": "locator"},
        }
    )
    there = replace(small, world=replace(small.world, roles=roles))
    assert [c.name for c in there.guarded(there.blueprint.table("stall"))] == ["fee_usd", "width_m"]


CONSTANTS: list[tuple[Column, Value, Value, Value, Value]] = [
    (WHOLE, 47000, 81000, 50000, 50000),
    (WHOLE, 98, 105, 100, 100),
    (WHOLE, 41, 59, 50, 50),
    (WHOLE, 4, 7, 5, 5),
    (WHOLE, 12, 14, 13, 13),
    (WHOLE, 0, 3, 2, 2),
    (WHOLE, 12, 13, 12, 13),
    (TENTHS, 4.5, 5.8, 5.0, 5.0),
    (TENTHS, 4.5, 4.7, 4.6, 4.6),
    (TENTHS, 4.5, 4.6, 4.5, 4.6),
    (DAY, "1903-05-01", "1911-02-02", "1910-01-01", "1910-01-01"),
    (DAY, "1903-05-01", "1907-02-02", "1905-01-01", "1905-01-01"),
    (DAY, "1903-05-01", "1904-02-02", "1904-01-01", "1904-01-01"),
    (DAY, "1903-05-03", "1903-07-09", "1903-06-01", "1903-06-01"),
    (DAY, "1903-12-03", "1904-01-01", "1903-12-04", "1903-12-04"),
    (DAY, "1903-05-03", "1903-05-09", "1903-05-04", "1903-05-04"),
    (DAY, "1903-05-03", "1903-05-04", "1903-05-03", "1903-05-04"),
]


"""A column, two neighbouring values, and the constant between them after `>` and after `<`."""


@pytest.mark.parametrize(("column", "low", "high", "above", "below"), CONSTANTS)
def test_a_threshold_is_the_roundest_constant_that_no_value_equals(
    small: Scene, column: Column, low: Value, high: Value, above: Value, below: Value
) -> None:
    on = Compared(BASE, column, [low, high] * 5)
    drawn = [small.threshold(generator(i, "threshold"), on, 5, 30) for i in range(30)]
    found = {(c.operator, c.value) for c in drawn if c}
    assert found == {(">", above), ("<", below)}
    assert {type(c.value) for c in drawn if c} == {type(low)}


def holds(value: float | str, operator: str, constant: float | str) -> bool:
    pair = (str(value), str(constant)) if isinstance(value, str) else (value, constant)
    return pair[0] > pair[1] if operator == ">" else pair[0] < pair[1]  # type: ignore[operator]


NUMBERS = st.lists(st.integers(0, 10**6), min_size=7, max_size=45)
FEW_NUMBERS = st.lists(st.integers(0, 9), min_size=7, max_size=45)
DAYS = st.lists(
    st.dates(dt.date(1700, 1, 1), dt.date(2031, 1, 1)).map(dt.date.isoformat),
    min_size=7,
    max_size=45,
)


@UNHURRIED
@given(values=NUMBERS | FEW_NUMBERS | DAYS, seed=st.integers(0, 99))
def test_a_threshold_holds_for_a_number_of_rows_within_bounds(
    small: Scene, values: list[int] | list[str], seed: int
) -> None:
    column = DAY if isinstance(values[0], str) else WHOLE
    found = small.threshold(generator(seed, "t"), Compared(BASE, column, values), 5, 30)
    if found is None:
        return
    assert found.value is not None
    count = sum(holds(value, found.operator, found.value) for value in values)
    assert 5 <= count <= min(30, len(values) - 1)


@UNHURRIED
@given(values=st.lists(st.integers(0, 3), min_size=5, max_size=45), seed=st.integers(0, 99))
def test_no_threshold_only_where_no_cut_is_possible(
    small: Scene, values: list[int], seed: int
) -> None:
    found = small.threshold(generator(seed, "t"), Compared(BASE, WHOLE, values), 5, 30)
    if found is None:
        for place in range(5, min(30, len(values) - 1) + 1):
            rising, falling = sorted(values), sorted(values, reverse=True)
            assert rising[place - 1] == rising[place] or falling[place - 1] == falling[place]


@UNHURRIED
@given(tenths=st.lists(st.integers(0, 400), min_size=7, max_size=45), seed=st.integers(0, 99))
def test_a_threshold_has_no_more_decimals_than_its_column(
    small: Scene, tenths: list[int], seed: int
) -> None:
    values = [number / 10 for number in tenths]
    found = small.threshold(generator(seed, "t"), Compared(BASE, TENTHS, values), 5, 30)
    if found is None:
        return
    assert isinstance(found.value, float)
    assert round(found.value, 1) == found.value
    assert 5 <= sum(holds(value, found.operator, found.value) for value in values) <= 30


def test_a_category_is_compared_with_one_that_some_rows_have_and_others_lack(small: Scene) -> None:
    values = ["coal"] * 6 + ["wood"] * 5 + ["peat"] * 4
    on = Compared(BASE, TEXT, values)
    drawn = [small.threshold(generator(i, "c"), on, 5, 30) for i in range(30)]
    assert {(c.operator, c.value) for c in drawn if c} == {("=", "coal"), ("=", "wood")}
    assert small.threshold(generator(0, "c"), Compared(BASE, TEXT, ["coal"] * 9), 5, 30) is None
