from __future__ import annotations

import datetime as dt
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from random import Random
from typing import NamedTuple

import pytest

from worldgen import names
from worldgen import populate as populating
from worldgen.blueprint import Blueprint, Column, Table
from worldgen.facts import RowKey, Value
from worldgen.library import read_blueprint
from worldgen.names import given_names, real_names, reserved_words
from worldgen.populate import populate
from worldgen.rules import FEWEST_ROWS, MOST_ROWS, check_rules
from worldgen.tables import connect
from worldgen.values import Choice, Lognormal
from worldgen.world import World

MANY = range(30)


class Pair(NamedTuple):
    world: World
    twin: World


@pytest.fixture(scope="session")
def many(listed: Blueprint) -> Sequence[Pair]:
    return [
        Pair(populate(listed, seed, "x"), populate(listed, seed, "x", redraw=1)) for seed in MANY
    ]


def cells(world: World, table: Table, column: Column) -> dict[RowKey, Value]:
    return {key: row[column.name] for key, row in world.tables[table.name].items()}


def without_id(world: World) -> object:
    return world.name, world.seed, world.roles, world.tables, world.short_names


def test_the_same_arguments_give_the_same_world(blueprint: Blueprint) -> None:
    assert populate(blueprint, 5, "a") == populate(blueprint, 5, "a")
    assert populate(blueprint, 5, "a", redraw=2) == populate(blueprint, 5, "a", redraw=2)
    assert populate(blueprint, 5, "a", redraw=0) == populate(blueprint, 5, "a")


def test_rows_come_in_the_same_order(blueprint: Blueprint) -> None:
    one, other = populate(blueprint, 5, "a"), populate(blueprint, 5, "a")
    for table in blueprint.tables:
        keys = list(one.tables[table.name])
        assert keys == sorted(keys) == list(other.tables[table.name])
        assert [list(row) for row in one.tables[table.name].values()] == [
            list(row) for row in other.tables[table.name].values()
        ]


def test_another_seed_gives_another_world(blueprint: Blueprint) -> None:
    one, other = populate(blueprint, 5, "a"), populate(blueprint, 6, "a")
    assert one.name != other.name
    invented = [table.name for table in named_by_patterns(blueprint)]
    names, others = (
        {name for table, _, name in world.entities() if table in invented} for world in (one, other)
    )
    assert names
    assert names.isdisjoint(others)


def test_the_id_is_a_label_alone(small: Blueprint) -> None:
    one, other = populate(small, 5, "a"), populate(small, 5, "b")
    assert (one.id, other.id) == ("a", "b")
    assert without_id(one) == without_id(other)


def test_a_world_has_300_to_500_rows(many: Sequence[Pair]) -> None:
    for pair in many:
        for world in pair:
            assert FEWEST_ROWS <= world.row_count <= MOST_ROWS, world.seed
            assert world.row_count == sum(len(world.tables[t.name]) for t in world.blueprint.tables)
    assert len({pair.world.row_count for pair in many}) > 5


def test_a_world_and_its_twin_obey_the_rules(many: Sequence[Pair]) -> None:
    for pair in many:
        for world in pair:
            with closing(connect(world)) as connection:
                check_rules(world, connection)


def test_names_are_unique(many: Sequence[Pair]) -> None:
    for world, _ in many:
        names = [name for *_, name in world.entities()]
        shorts = [short for found in world.short_names.values() for short in found]
        assert len(set(names)) == len(names), world.seed
        assert len(set(shorts)) == len(shorts), world.seed
        assert set(names).isdisjoint(shorts), world.seed
        assert world.name not in {*names, *shorts}


def roots(world: World, table: Table) -> dict[int, str]:
    """The invented word in each entity's name, found by the table's patterns."""
    assert table.names is not None
    first = "(?:" + "|".join(given_names()) + ")"
    patterns = [
        re.escape(pattern).replace(r"\{root\}", "([A-Z][a-z]+)").replace(r"\{first\}", first)
        for pattern in table.names.patterns
    ]
    found = {}
    for key, row in world.tables[table.name].items():
        matches = [re.fullmatch(pattern, str(row["name"])) for pattern in patterns]
        (match,) = [match for match in matches if match]
        found[key[0]] = match[1]
    return found


def entity_tables(blueprint: Blueprint) -> list[Table]:
    return [table for table in blueprint.tables if table.kind == "entity"]


def named_by_patterns(blueprint: Blueprint) -> list[Table]:
    return [t for t in entity_tables(blueprint) if t.names and not t.names.listed]


def test_no_name_is_real_or_a_word_of_the_texts(many: Sequence[Pair]) -> None:
    for world, _ in many:
        reserved = reserved_words(world.blueprint)
        words = [r for t in named_by_patterns(world.blueprint) for r in roots(world, t).values()]
        words.append(world.name)
        assert len({word.lower() for word in words}) == len(words)
        for word in words:
            assert word.lower() not in reserved, (world.seed, word)
            assert word.lower() not in real_names(), (world.seed, word)
        tables = {table.name for table in named_by_patterns(world.blueprint)}
        for table, _, name in world.entities():
            assert table not in tables or name.lower() not in real_names(), (world.seed, name)


def test_people_are_named_unlike_everything_else(many: Sequence[Pair]) -> None:
    for pair in many:
        for world in pair:
            taken = {word.lower() for _, _, name in world.entities() for word in name.split()}
            for table in world.blueprint.tables:
                for column in table.columns:
                    if column.kind == "person":
                        for name in cells(world, table, column).values():
                            first, last = str(name).split()
                            assert first in given_names()
                            assert last.lower() not in taken, (world.seed, name)


def test_a_short_name_is_the_root(small_world: World) -> None:
    expected: dict[tuple[str, int], tuple[str, ...]] = {}
    for table in entity_tables(small_world.blueprint):
        assert table.names
        if table.names.short:
            found = roots(small_world, table)
            expected |= {(table.name, i): (root,) for i, root in found.items()}
    assert small_world.short_names == expected
    assert {table for table, _ in expected} == {"region", "workshop"}


def test_listed_names_are_taken_once_each(small_text: str) -> None:
    listed = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper"]
    text = small_text.replace(
        'names = { patterns = ["{root} Fair"] }', f"names = {{ listed = {listed} }}"
    )
    blueprint = read_blueprint(text, "small.toml")
    drawn = []
    for seed in range(20):
        world = populate(blueprint, seed, "x")
        names = [name for table, _, name in world.entities() if table == "fair"]
        assert len(set(names)) == len(names)
        assert set(names) <= set(listed)
        assert populate(blueprint, seed, "x", redraw=1).ids("fair") == world.ids("fair")
        drawn.append(tuple(names))
    assert len(set(drawn)) > 10


def test_every_pattern_is_used(many: Sequence[Pair]) -> None:
    for table in named_by_patterns(many[0].world.blueprint):
        assert table.names
        names = [name for world, _ in many for t, _, name in world.entities() if t == table.name]
        for pattern in table.names.patterns:
            regex = re.escape(pattern).replace(r"\{root\}", r"\w+").replace(r"\{first\}", r"\w+")
            assert any(re.fullmatch(regex, name) for name in names), pattern


def test_a_twin_shares_what_is_open(many: Sequence[Pair]) -> None:
    for world, twin in many:
        assert (twin.id, twin.name, twin.seed) == (world.id, world.name, world.seed)
        assert (twin.roles, twin.short_names) == (world.roles, world.short_names)
        assert list(twin.entities()) == list(world.entities())
        for table in world.blueprint.tables:
            if world.roles.guarded_rows(table.name):
                continue
            assert list(twin.tables[table.name]) == list(world.tables[table.name])
            for column in table.columns:
                if not world.roles.guarded_column(table.name, column.name):
                    assert cells(twin, table, column) == cells(world, table, column), column.name


def test_a_twin_differs_in_what_is_guarded(many: Sequence[Pair]) -> None:
    seen = set()
    for world, twin in many:
        for table in world.blueprint.tables:
            if world.roles.guarded_rows(table.name):
                assert twin.tables[table.name].keys() != world.tables[table.name].keys()
            for column in table.details:
                if world.roles.guarded_column(table.name, column.name):
                    there, here = cells(twin, table, column), cells(world, table, column)
                    shared = there.keys() & here.keys()
                    assert any(there[key] != here[key] for key in shared), column.name
                    seen.add((table.name, column.name))
    assert seen == {
        (table.name, column.name)
        for table in many[0].world.blueprint.tables
        for column in table.details
        if "guarded" in column.roles or (table.kind == "link" and "guarded" in table.row_roles)
    }


def test_twins_of_a_world_differ(blueprint: Blueprint) -> None:
    twins = [populate(blueprint, 5, "a", redraw) for redraw in range(4)]
    guarded = [
        [cells(twin, t, c) for t in blueprint.tables for c in t.details if c.kind == "money"]
        for twin in twins
    ]
    assert all(one != other for i, one in enumerate(guarded) for other in guarded[:i])


def test_a_link_joins_each_home_row_to_some_others(many: Sequence[Pair]) -> None:
    for pair in many:
        for world in pair:
            for link in world.blueprint.links():
                rows = world.tables[link.name]
                home, far = link.home_side, link.far_side
                for i in world.ids(home.to or ""):
                    joined = [row[far.name] for row in rows.values() if row[home.name] == i]
                    assert link.per_home[0] <= len(joined) <= link.per_home[1]
                    assert len(set(joined)) == len(joined)
                    assert set(joined) <= set(world.ids(far.to or ""))


def links_by_far_row(world: World, link: Table) -> list[int]:
    far = link.far_side
    counts = Counter(row[far.name] for row in world.tables[link.name].values())
    return [counts[i] for i in world.ids(far.to or "")]


def test_some_rows_are_joined_more_often(many: Sequence[Pair]) -> None:
    """Even draws would give a variance close to the mean."""
    for link in many[0].world.blueprint.links():
        counts = [links_by_far_row(world, link) for world, _ in many]
        spread = [statistics.variance(found) / statistics.mean(found) for found in counts]
        assert statistics.mean(spread) > 1.12, link.name


def test_no_row_is_joined_more_often_for_its_id(many: Sequence[Pair]) -> None:
    for link in many[0].world.blueprint.links():
        halves = Counter[bool]()
        for world, _ in many:
            counts = links_by_far_row(world, link)
            middle = len(counts) // 2
            halves[True] += sum(counts[:middle])
            halves[False] += sum(counts[-middle:])
        assert 0.8 < halves[True] / halves[False] < 1.25, link.name


def test_a_yearly_table_has_every_year_of_every_entity(blueprint: Blueprint, world: World) -> None:
    for table in blueprint.tables:
        if table.kind == "yearly":
            span = range(table.years[0], table.years[1] + 1)
            ids = world.ids(table.refs[0].to or "")
            assert list(world.tables[table.name]) == [(i, year) for i in ids for year in span]


def test_a_row_repeats_its_key(blueprint: Blueprint, world: World) -> None:
    for table in blueprint.tables:
        for key, row in world.tables[table.name].items():
            assert tuple(row[name] for name in table.key_columns) == key
            extra = {"name"} if table.kind == "entity" else set()
            assert row.keys() == {*table.key_columns, *(c.name for c in table.details), *extra}


def test_ids_count_through(blueprint: Blueprint, world: World) -> None:
    for table in entity_tables(blueprint):
        assert world.ids(table.name) == tuple(range(1, len(world.tables[table.name]) + 1))
        assert table.rows[0] <= len(world.tables[table.name]) <= table.rows[1]


def test_cells_are_what_their_column_says(blueprint: Blueprint, world: World) -> None:
    for table in blueprint.tables:
        for column in table.details:
            for value in cells(world, table, column).values():
                check_cell(world, column, value)


def check_cell(world: World, column: Column, value: Value) -> None:
    if column.kind == "ref":
        assert value in world.ids(column.to or "")
    elif column.kind == "date":
        assert dt.date.fromisoformat(str(value)).isoformat() == value
        assert str(value) < world.blueprint.today.isoformat()
    elif column.numeric:
        assert type(value) is (float if column.decimals else int)
    else:
        assert isinstance(value, str)
        assert value
    if isinstance(column.values, Choice):
        assert value in column.values.options
    if isinstance(column.values, Lognormal):
        assert column.values.low <= float(value) <= column.values.high


def test_a_value_may_be_read_over_two_references(small_world: World) -> None:
    """A fee is drawn without noise, so that it shows what it was drawn from."""
    tables = small_world.tables
    assert tables["stall"]
    for row in tables["stall"].values():
        region = tables["workshop"][(int(row["workshop_id"]),)]["region_id"]
        masters = tables["region"][(int(region),)]["masters"]
        assert row["fee_usd"] == round(20 * float(masters) / 40)


def test_ranks_and_shares_hold_in_a_world(small_world: World) -> None:
    workshops = small_world.tables["workshop"].values()
    for region in small_world.ids("region"):
        group = [row for row in workshops if row["region_id"] == region]
        by_place = sorted(group, key=lambda row: int(row["place"]))
        sales = [int(row["sales_usd"]) for row in by_place]
        assert sales == sorted(sales, reverse=True)
        assert [row["place"] for row in by_place] == list(range(1, len(group) + 1))
        assert sum(int(row["quota"]) for row in group) == (100 if group else 0)


@pytest.mark.parametrize(
    ("old", "new", "shifted"),
    [
        ("median = 3,", "median = 5,", {"kilns", "sales_usd", "place"}),
        ('{ path = "kilns", power = 1.0, base = 3 }, ', "", {"sales_usd", "place"}),
        ("median = 12.0, sigma = 0.5", "median = 14.0, sigma = 0.5", {"heaviest_kg"}),
        ("skew = 1.0", "skew = 0.5", {"sister_region_id"}),
    ],
    ids=["read by others", "a factor", "read by none", "a reference"],
)
def test_a_changed_model_shifts_no_other_column(
    old: str, new: str, shifted: set[str], small_text: str, small_world: World
) -> None:
    assert small_text.count(old) == 1
    changed = read_blueprint(small_text.replace(old, new), "small.toml")
    world = populate(changed, small_world.seed, small_world.id)
    different = {
        column.name
        for table in changed.tables
        for column in table.details
        if cells(world, table, column) != cells(small_world, table, column)
    }
    assert different == shifted


def test_more_rows_shift_no_earlier_one(small_text: str, small: Blueprint) -> None:
    changed = read_blueprint(small_text.replace("rows = [5, 6]", "rows = [9, 9]"), "small.toml")
    assert changed != small
    few, more = (populate(x, 3, "x").tables["fair"] for x in (small, changed))
    assert len(few) < len(more) == 9
    assert {key: more[key] for key in few} == few


def test_more_rows_of_a_table_rename_no_row_of_another(small_text: str, small_world: World) -> None:
    changed = read_blueprint(small_text.replace("rows = [3, 4]", "rows = [7, 7]"), "small.toml")
    world = populate(changed, small_world.seed, "x")
    assert len(world.ids("region")) > len(small_world.ids("region"))
    for table in ("workshop", "fair"):
        names = [[name for t, _, name in w.entities() if t == table] for w in (world, small_world)]
        assert names[0] == names[1]


def test_what_was_invented_is_not_invented_again(
    small: Blueprint, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[str] = []

    def invented_word(rng: Random, taken: frozenset[str] | set[str]) -> str:
        assert {word.lower() for word in words} <= taken
        assert reserved_words(small) <= taken
        words.append(names.invented_word(rng, taken))
        return words[-1]

    monkeypatch.setattr(populating, "invented_word", invented_word)
    world = populate(small, 3, "x")
    assert len(words) == 1 + len(list(world.entities()))


def test_an_entity_is_found_by_its_id(small_world: World) -> None:
    for table, entity_id, name in small_world.entities():
        assert small_world.name_of(table, entity_id) == name
    assert {table for table, *_ in small_world.entities()} == {"region", "workshop", "fair"}
