from __future__ import annotations

from dataclasses import replace

import pytest

from worldgen.blueprint import Blueprint, Column, Superlative
from worldgen.errors import GenerationError
from worldgen.facts import RowKey, cell, complete_list, row, top
from worldgen.masking import mask
from worldgen.pages import Claim
from worldgen.publish.writer import Filling, Pen, Reader
from worldgen.roles import Roles
from worldgen.world import World

KEY = (1,)
OWNER = cell("workshop", KEY, "owner")
KILNS = cell("workshop", KEY, "kilns")


@pytest.fixture
def reader(small_world: World) -> Reader:
    return Reader(small_world)


@pytest.fixture(scope="module")
def owner(small: Blueprint) -> Column:
    return small.table("workshop").column("owner")


@pytest.fixture(scope="module")
def kilns(small: Blueprint) -> Column:
    return small.table("workshop").column("kilns")


def test_plain_text_claims_nothing(reader: Reader) -> None:
    statement = Pen(reader).text("It ").text("rains.").done()
    assert (statement.text, statement.layout, statement.href) == ("It rains.", "sentence", None)
    assert (statement.claims, statement.depends_on) == ((), ())


def test_a_statement_has_the_layout_and_link_that_it_is_given(reader: Reader) -> None:
    statement = Pen(reader).text("Kell").done("item", "https://kell.example/")
    assert (statement.layout, statement.href) == ("item", "https://kell.example/")


def test_a_stated_cell_is_a_claim(reader: Reader, small_world: World, owner: Column) -> None:
    name = small_world.tables["workshop"][KEY]["owner"]
    statement = Pen(reader).text("Owner: ").state(owner, "workshop", KEY).text(".").done()
    assert statement.text == f"Owner: {name}."
    assert statement.claims == (Claim(OWNER, name, 7, 7 + len(str(name)), "[name]", (OWNER,)),)
    assert statement.depends_on == ()


def test_a_form_is_used(reader: Reader, small: Blueprint, small_world: World) -> None:
    sales = small.table("workshop").column("sales_usd")
    value = small_world.tables["workshop"][KEY]["sales_usd"]
    texts = [Pen(reader, form).state(sales, "workshop", KEY).done().text for form in (0, 1)]
    assert texts == [f"${value:,}", f"{value:,} USD"]


def test_a_reference_is_written_by_name(
    reader: Reader, small: Blueprint, small_world: World
) -> None:
    region = small.table("workshop").column("region_id")
    region_id = small_world.tables["workshop"][KEY]["region_id"]
    statement = Pen(reader).state(region, "workshop", KEY).done()
    assert statement.text == small_world.name_of("region", int(region_id))
    assert statement.claims[0].value == region_id
    assert statement.claims[0].placeholder == "[name]"


def test_a_name_is_a_claim_that_reads_nothing(reader: Reader, small_world: World) -> None:
    statement = Pen(reader).text("- ").named("workshop", 1).done()
    name = small_world.name_of("workshop", 1)
    expected = Claim(cell("workshop", KEY, "name"), name, 2, 2 + len(name), "[name]", ())
    assert statement.claims == (expected,)


def test_a_template_is_filled(reader: Reader, small_world: World, owner: Column) -> None:
    name = str(small_world.tables["workshop"][KEY]["owner"])
    values: dict[str, Filling] = {"name": "Kell", "value": (owner, "workshop", KEY)}
    statement = Pen(reader).fill("{value} has {name}, {value}!", values).done()
    assert statement.text == f"{name} has Kell, {name}!"
    spans = [(claim.start, claim.end) for claim in statement.claims]
    second = len(f"{name} has Kell, ")
    assert spans == [(0, len(name)), (second, second + len(name))]


def test_what_is_read_outside_a_claim_is_recorded(reader: Reader) -> None:
    pen = Pen(reader)
    kilns = reader.cell("workshop", KEY, "kilns")
    statement = pen.text(f"It has {kilns} kilns.").done()
    assert statement.claims == ()
    assert statement.depends_on == (KILNS,)


def test_what_is_read_before_a_stated_cell_is_no_part_of_its_span(
    reader: Reader, owner: Column
) -> None:
    pen = Pen(reader)
    if int(reader.cell("workshop", KEY, "kilns")) > 0:
        pen.text("The busy ")
    statement = pen.state(owner, "workshop", KEY).done()
    assert statement.depends_on == (KILNS,)
    assert [claim.depends_on for claim in statement.claims] == [(OWNER,)]


def test_what_is_read_after_a_claim_is_recorded_too(reader: Reader, owner: Column) -> None:
    pen = Pen(reader).state(owner, "workshop", KEY)
    reader.cell("workshop", KEY, "kilns")
    assert pen.text(" is busy").done().depends_on == (KILNS,)


def test_a_statement_depends_on_nothing_that_an_earlier_one_read(reader: Reader) -> None:
    pen = Pen(reader)
    reader.cell("workshop", KEY, "kilns")
    pen.done()
    assert Pen(reader).text("It rains.").done().depends_on == ()


def test_what_a_claim_was_written_from_is_its_own(reader: Reader) -> None:
    pen = Pen(reader)
    kilns = reader.cell("workshop", KEY, "kilns")
    reader.cell("workshop", (2,), "kilns")
    fact = top("workshop", 1, "kilns")
    statement = pen.text("First: ").claim(fact, 1, f"#{kilns}", "[name]").done()
    other = cell("workshop", (2,), "kilns")
    assert statement.claims == (Claim(fact, 1, 7, 7 + len(f"#{kilns}"), "[name]", (KILNS, other)),)
    assert statement.depends_on == ()


def test_a_fact_that_is_read_twice_is_recorded_once(reader: Reader, kilns: Column) -> None:
    reader.cell("workshop", KEY, "kilns")
    reader.cell("workshop", KEY, "owner")
    reader.cell("workshop", KEY, "kilns")
    assert reader.take() == (KILNS, OWNER)
    assert reader.take() == ()
    pen = Pen(reader)
    reader.cell("workshop", KEY, "kilns")
    pen.claim(KILNS, 1, "x", "[x]")
    reader.cell("workshop", KEY, "owner")
    pen.state(kilns, "workshop", KEY)
    reader.cell("workshop", KEY, "owner")
    assert pen.done().depends_on == (OWNER,)


def first_stall(world: World) -> tuple[RowKey, int]:
    key = next(iter(world.tables["stall"]))
    return key, int(world.tables["stall"][key]["workshop_id"])


def test_a_line_claims_its_row_as_a_whole(
    reader: Reader, small: Blueprint, small_world: World
) -> None:
    stall = small.table("stall")
    key, workshop = first_stall(small_world)
    found = next(reader.rows(stall, workshop))
    assert found == key
    pen = Pen(reader).exists("stall", key).named("fair", key[0]).text(": fee ")
    statement = pen.state(stall.column("fee_usd"), "stall", key).done("item")
    whole, name, fee = statement.claims
    assert whole == Claim(row("stall", key), 1, 0, len(statement.text), "", (row("stall", key),))
    assert statement.spans_all(whole)
    assert (name.depends_on, fee.depends_on) == ((), (cell("stall", key, "fee_usd"),))
    assert statement.depends_on == ()


def test_a_row_that_is_read_and_not_claimed_is_recorded(
    reader: Reader, small: Blueprint, small_world: World
) -> None:
    key, workshop = first_stall(small_world)
    pen = Pen(reader)
    next(reader.rows(small.table("stall"), workshop))
    assert pen.text("It sells somewhere.").done().depends_on == (row("stall", key),)


def test_rows_are_those_of_the_home_side(
    reader: Reader, small: Blueprint, small_world: World
) -> None:
    stall = small.table("stall")
    for workshop in small_world.ids("workshop"):
        keys = list(reader.rows(stall, workshop))
        rows = small_world.tables["stall"]
        assert keys == [key for key in rows if rows[key]["workshop_id"] == workshop]
        assert reader.take() == tuple(row("stall", key) for key in keys)
        assert reader.count(stall, workshop) == len(keys)
        assert reader.take() == (complete_list("stall", "workshop_id", workshop),)


def record(column: str = "kilns") -> Superlative:
    return Superlative(
        table="workshop", column=column, by="region_id", path="p", title="t", say=("{value}",)
    )


def with_kilns(world: World, kilns: dict[int, int]) -> World:
    """The same world, all workshops in region 1, with other numbers of kilns."""
    workshops = {
        key: {**found, "region_id": 1 if key[0] in kilns else 2, "kilns": kilns.get(key[0], 99)}
        for key, found in world.tables["workshop"].items()
    }
    return replace(world, tables={**world.tables, "workshop": workshops})


@pytest.mark.parametrize(
    ("kilns", "winner"),
    [
        ({1: 3, 2: 9, 3: 4}, 2),
        ({1: 3, 2: 3, 3: 4}, 3),
        ({1: 9, 2: 10, 3: 1}, 2),
        ({1: 4, 2: 3, 3: 4}, None),
        ({1: 4}, 1),
    ],
)
def test_the_highest_of_a_group(
    kilns: dict[int, int], winner: int | None, small_world: World
) -> None:
    reader = Reader(with_kilns(small_world, kilns))
    assert reader.highest(record(), 1) == winner
    assert reader.take() == tuple(cell("workshop", (i,), "kilns") for i in kilns)


def test_guarded_columns_cant_be_read_as_open(reader: Reader, small_world: World) -> None:
    refused = 0
    for table in small_world.blueprint.tables:
        for column in table.details:
            for key in small_world.tables[table.name]:
                if small_world.roles.guarded_column(table.name, column.name):
                    with pytest.raises(GenerationError) as caught:
                        reader.open(table.name, key, column.name)
                    assert f"the guarded column {table.name}.{column.name}" in str(caught.value)
                    assert caught.value.seed == small_world.seed
                    refused += 1
                else:
                    value = small_world.tables[table.name][key][column.name]
                    assert reader.open(table.name, key, column.name) == value
    assert refused > 100
    assert reader.take() == ()


def test_cells_of_guarded_rows_cant_be_read_as_open(small_world: World) -> None:
    roles = small_world.roles
    open_fee = {**roles.columns, "stall.fee_usd": "locator"}
    world = replace(
        small_world, roles=Roles.model_validate({"columns": open_fee, "rows": roles.rows})
    )
    key, _ = first_stall(world)
    with pytest.raises(GenerationError, match=r"stall\.fee_usd"):
        Reader(world).open("stall", key, "fee_usd")


def test_a_planted_leak_is_dropped(small_world: World, reader: Reader, owner: Column) -> None:
    """A writer that lets a guarded cell shape its words can't get them past the mask."""
    pen = Pen(reader)
    word = "large" if int(reader.cell("workshop", KEY, "kilns")) > 3 else "small"
    planted = pen.text(f"A {word} workshop of ").state(owner, "workshop", KEY).done()
    assert mask(planted, small_world.roles) is None
    honest = Pen(reader).text("A workshop of ").state(owner, "workshop", KEY).done()
    assert mask(honest, small_world.roles) == "A workshop of [name]"
