from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from pydantic import ValidationError

from worldgen.blueprint import Blueprint, Column, Table, slug
from worldgen.checks import CHECKS, columns, rules, sites, tables, texts, values
from worldgen.checks.common import Check
from worldgen.errors import BlueprintError, UnknownNameError
from worldgen.library import read_blueprint

CASES = Path(__file__).with_name("blueprint_cases.txt")


class Case(NamedTuple):
    old: str
    new: str
    says: str


def read_cases() -> list[object]:
    cases: list[object] = []
    for number, line in enumerate(CASES.read_text(encoding="utf-8").split("\n"), 1):
        if line and not line.startswith("#"):
            change, says = line.split(" | ")
            old, new = change.replace("\\n", "\n").split(" => ")
            cases.append(pytest.param(Case(old, new, says), id=f"line {number}: {says}"))
    return cases


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} must stand once in small.toml"
    return text.replace(old, new)


@pytest.mark.parametrize("case", read_cases())
def test_contradictions_are_refused(case: Case, small_text: str) -> None:
    text = changed(small_text, case.old, case.new)
    if case.says == "ok":
        read_blueprint(text, "small.toml")
        return
    with pytest.raises(BlueprintError) as caught:
        read_blueprint(text, "small.toml")
    assert case.says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.blueprint in ("glass-fairs", "small.toml")


def test_json_tells_the_whole_blueprint(blueprint: Blueprint) -> None:
    assert Blueprint.model_validate_json(blueprint.model_dump_json()) == blueprint


def test_a_blueprint_is_frozen(small: Blueprint) -> None:
    with pytest.raises(ValidationError):
        setattr(small, "version", 2)  # noqa: B010 - the type checker refuses it as well


@pytest.mark.parametrize(
    ("find", "says"),
    [
        (lambda b: b.table("workshops"), "unknown table 'workshops': did you mean 'workshop'?"),
        (
            lambda b: b.table("workshop").column("kiln"),
            "unknown column of workshop 'kiln': did you mean 'kilns'?",
        ),
    ],
    ids=["table", "column"],
)
def test_unknown_names_get_a_hint(find: object, says: str, small: Blueprint) -> None:
    assert callable(find)
    with pytest.raises(UnknownNameError) as caught:
        find(small)
    assert str(caught.value) == says


def test_tables_and_columns_are_found_by_name(blueprint: Blueprint) -> None:
    for table in blueprint.tables:
        assert blueprint.table(table.name) is table
        for column in table.columns:
            assert table.column(column.name) is column


def test_links_are_the_link_tables(small: Blueprint) -> None:
    assert [table.name for table in small.links()] == ["stall", "twinning"]


@pytest.mark.parametrize(
    ("table", "key", "refs", "details"),
    [
        ("fair", ("id",), (), ("begun",)),
        ("region", ("id",), (), ("settled", "masters")),
        ("stall", ("fair_id", "workshop_id"), ("fair_id", "workshop_id"), ("since", "fee_usd")),
        ("output", ("workshop_id", "year"), ("workshop_id",), ("pieces",)),
    ],
)
def test_columns_by_their_part_in_a_row(
    table: str, key: object, refs: object, details: object, small: Blueprint
) -> None:
    found = small.table(table)
    assert found.key_columns == key
    assert tuple(column.name for column in found.refs) == refs
    assert tuple(column.name for column in found.details) == details


def test_references_of_an_entity_are_details(small: Blueprint) -> None:
    workshop = small.table("workshop")
    assert [column.name for column in workshop.refs] == ["region_id", "sister_region_id"]
    assert all(column in workshop.details for column in workshop.refs)


def test_the_sides_of_a_link(small: Blueprint) -> None:
    stall, output = small.table("stall"), small.table("output")
    assert (stall.home_side.name, stall.far_side.name) == ("workshop_id", "fair_id")
    assert output.home_side.name == "workshop_id"


@pytest.mark.parametrize(
    ("path", "where", "column"),
    [
        ("kilns", "workshop", "kilns"),
        ("region_id", "workshop", "region_id"),
        ("region_id.masters", "region", "masters"),
    ],
)
def test_where_a_path_leads(path: str, where: str, column: str, small: Blueprint) -> None:
    table, found = small.target(small.table("workshop"), path)
    assert (table.name, found.name) == (where, column)


def test_a_path_may_take_two_steps(small: Blueprint) -> None:
    table, found = small.target(small.table("stall"), "workshop_id.region_id.masters")
    assert (table.name, found.name) == ("region", "masters")


@pytest.mark.parametrize(
    ("column", "heading", "numeric"),
    [
        ("sales_usd", "Yearly sales (USD)", True),
        ("heaviest_kg", "Weight of the heaviest piece (kg)", True),
        ("kilns", "Number of kilns", True),
        ("place", "Place by sales", True),
        ("opened", "Opening date", False),
        ("owner", "Owner", False),
        ("region_id", "Region", False),
        ("craft", "Craft", False),
    ],
)
def test_headings_tell_the_unit(column: str, heading: str, numeric: bool, small: Blueprint) -> None:
    found = small.table("workshop").column(column)
    assert (found.heading, found.numeric) == (heading, numeric)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Port Kell", "port-kell"),
        ("MV Ossary", "mv-ossary"),
        ("The Kell & Brae Co.", "the-kell-brae-co"),
        ("  Kell  ", "kell"),
        ("lease-date 2", "lease-date-2"),
    ],
)
def test_slugs(text: str, expected: str) -> None:
    assert slug(text) == expected


THROUGH_A_GUARDED_REFERENCE = """
[[tables.columns]]
name = "schooling"
kind = "count"
label = "schooling"
roles = ["locator"]

[tables.columns.values]
model = "lognormal"
median = 9
sigma = 0.0
low = 1
high = 99
times = [{ path = "sister_region_id.masters", power = 1.0, base = 40 }]

[[tables]]
name = "fair"
"""


def test_an_open_column_cant_read_through_a_guarded_reference(small_text: str) -> None:
    old = '\n[[tables]]\nname = "fair"\n'
    text = changed(small_text, old, THROUGH_A_GUARDED_REFERENCE)
    with pytest.raises(BlueprintError) as caught:
        read_blueprint(text, "small.toml")
    assert caught.value.problem == (
        "workshop.schooling can be open but reads 'sister_region_id.masters', and "
        "workshop.sister_region_id can be guarded; change the roles of one"
    )


def test_an_open_column_may_read_the_key(small_text: str) -> None:
    """Columns of the key are open whatever roles they name."""
    share = 'kind = "measure"\nunit = "%"\nlabel = "gift"\nroles = ["locator"]'
    text = changed(small_text, 'kind = "money"\nunit = "USD"\nlabel = "gift"', share)
    model = '{ model = "lognormal", median = 700, sigma = 0.4, low = 50, high = 9000, step = 10 }'
    text = changed(text, model, '{ model = "share", within = "fair_id" }')
    assert read_blueprint(text, "small.toml").table("twinning").column("gift_usd").unit == "%"


def test_a_table_that_sqlite_refuses_is_named(small_text: str) -> None:
    with pytest.raises(BlueprintError, match=r"table 'sqlite_fair' can't be declared: .*; rename"):
        read_blueprint(small_text.replace('"fair"', '"sqlite_fair"'), "small.toml")


def test_sites_of_an_intranet_may_share_a_name(small_text: str) -> None:
    """Their hosts are made of their ids."""
    text = changed(small_text, 'name = "{root} Glass Register"', 'name = "{world} Herald"')
    with pytest.raises(BlueprintError, match="two sites have the host"):
        read_blueprint(text, "small.toml")
    read_blueprint(changed(text, '"long-tail"', '"private"'), "small.toml")


def test_superlatives_may_share_a_path(small_text: str) -> None:
    start = small_text.index("[[sites.superlatives]]")
    again = small_text[start:]
    with pytest.raises(BlueprintError, match="two superlatives would stand at"):
        read_blueprint(f"{small_text}\n{again}", "small.toml")
    other = again.replace("Which workshop", "What workshop")
    read_blueprint(f"{small_text}\n{other}", "small.toml")


def test_every_check_is_in_the_list() -> None:
    parts = (columns, rules, sites, tables, texts, values)
    written = {
        found
        for part in parts
        for name, found in vars(part).items()
        if getattr(found, "__module__", "") == part.__name__
        and callable(found)
        and not isinstance(found, type)
        and not name.startswith("_")
    }
    assert set(CHECKS) == written
    assert len(CHECKS) == len(written)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.__module__}.{check.__name__}")
def test_a_sound_blueprint_passes_each_check(check: Check, blueprint: Blueprint) -> None:
    assert list(check(blueprint)) == []


def test_every_kind_of_thing_is_in_the_small_blueprint(small: Blueprint) -> None:
    models = {c.values.model for table in small.tables for c in table.columns}
    assert models == {
        *("choice", "lognormal", "trend", "date_between", "date_after", "rank", "share"),
        *("reference", "person"),
    }
    kinds = {column.kind for table in small.tables for column in table.columns}
    assert kinds == {
        *("ref", "category", "money", "date", "measure", "count", "rank", "person"),
    }
    assert {table.kind for table in small.tables} == {"entity", "link", "yearly"}
    assert {type(x) for table in small.tables for x in (table, *table.columns)} == {Table, Column}
