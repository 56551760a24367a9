from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.blueprint import Column, ColumnKind
from worldgen.facts import Value
from worldgen.surface import FORMS, PLACEHOLDERS, write, write_date, write_number

CASES = Path(__file__).with_name("surface_cases.txt")
KIND = re.compile(r"(?P<kind>\w+)(?: (?P<decimals>\d))?(?: (?P<unit>.+))?")


class Case(NamedTuple):
    column: Column
    value: Value
    form: int
    text: str


def make_column(kind: str, decimals: int = 0, unit: str | None = None) -> Column:
    values = {"model": "person"}
    return Column.model_validate(
        {
            "name": "x",
            "label": "x",
            "kind": kind,
            "decimals": decimals,
            "unit": unit,
            "values": values,
        }
    )


def read_cases() -> list[object]:
    cases: list[object] = []
    for number, line in enumerate(CASES.read_text(encoding="utf-8").split("\n"), 1):
        if line and not line.startswith("#"):
            kind, value, form, text = line.split(" | ")
            parts = KIND.fullmatch(kind)
            assert parts is not None, kind
            column = make_column(parts["kind"], int(parts["decimals"] or 0), parts["unit"])
            read = (float(value) if column.decimals else int(value)) if column.numeric else value
            case = Case(column, read, int(form), text)
            cases.append(pytest.param(case, id=f"line {number}: {text}"))
    return cases


@pytest.mark.parametrize("case", read_cases())
def test_a_value_is_written(case: Case) -> None:
    assert write(case.column, case.value, case.form) == case.text


@pytest.mark.parametrize("case", read_cases())
def test_what_is_written_reads_back(case: Case, read_back: Callable[[Column, str], Value]) -> None:
    value = read_back(case.column, case.text)
    assert (type(value), value) == (type(case.value), case.value)


@given(st.dates(min_value=dt.date(1000, 1, 1)), st.integers(0, 9))
def test_dates_read_back(
    read_back: Callable[[Column, str], Value], day: dt.date, form: int
) -> None:
    column = make_column("date")
    assert read_back(column, write(column, day.isoformat(), form)) == day.isoformat()


@given(
    st.sampled_from(["money", "measure", "count", "rank"]),
    st.integers(0, 3),
    st.integers(0, 10**12),
    st.integers(0, 9),
)
def test_numbers_read_back(
    read_back: Callable[[Column, str], Value], kind: str, decimals: int, digits: int, form: int
) -> None:
    column = make_column(kind, decimals, "USD" if kind == "money" else "m")
    value = round(digits / 10**decimals, decimals) if decimals else digits
    assert read_back(column, write(column, value, form)) == value


def test_the_first_form_is_the_default() -> None:
    assert write_date("2029-03-14") == write_date("2029-03-14", 0)
    assert write_number(7) == "7"
    column = make_column("money", 0, "USD")
    assert write(column, 7) == write(column, 7, 0)


@pytest.mark.parametrize(("kind", "unit"), [("date", None), ("money", "USD")])
def test_there_are_as_many_forms_as_said(kind: str, unit: str | None) -> None:
    column = make_column(kind, 0, unit)
    value = "2029-03-14" if kind == "date" else 1299
    assert len({write(column, value, form) for form in range(20)}) == FORMS


def test_each_kind_has_one_placeholder() -> None:
    assert PLACEHOLDERS.keys() == {*get_args(ColumnKind), "name"}


def test_a_placeholder_says_its_kind_and_nothing_else() -> None:
    assert all(re.fullmatch(r"\[[a-z]+\]", text) for text in PLACEHOLDERS.values())
    names = {PLACEHOLDERS["name"], PLACEHOLDERS["ref"], PLACEHOLDERS["person"]}
    assert len(names) == 1
