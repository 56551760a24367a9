from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.compare import gold_forms, matches, normalise_text, said_form
from answers.table import AnswerColumn
from worldgen.facts import Value

CASES = Path(__file__).with_name("compare_cases.txt")
ALIASES = {"Marrick Ferries": ("Marrick",)}
COLUMN = re.compile(
    r"(?P<kind>name|category|number|date)(?: (?P<decimals>\d))?"
    r"(?: in (?P<name>.+)| (?P<unit>.+))?"
)


class Case(NamedTuple):
    column: AnswerColumn
    gold: Value
    said: str
    same: bool


def read_cases() -> list[object]:
    cases: list[object] = []
    for number, line in enumerate(CASES.read_text(encoding="utf-8").split("\n"), 1):
        if line and not line.startswith("#"):
            column, gold, said, same, reason = line.split(" | ")
            assert same in ("yes", "no"), number
            case = Case(read_column(column), read_gold(column, gold), said, same == "yes")
            cases.append(pytest.param(case, id=f"line {number}: {reason}"))
    return cases


def read_column(text: str) -> AnswerColumn:
    match = COLUMN.fullmatch(text)
    assert match is not None, text
    parts = match.groupdict()
    return AnswerColumn.model_validate(
        {
            "name": parts["name"] or "A column",
            "kind": parts["kind"],
            "decimals": int(parts["decimals"] or 0),
            "unit": parts["unit"],
        }
    )


def read_gold(column: str, text: str) -> Value:
    if not column.startswith("number") or text == "N/A":
        return text
    return float(text) if "." in text else int(text)


@pytest.mark.parametrize("case", read_cases())
def test_case(case: Case) -> None:
    assert matches(case.column, case.gold, case.said, ALIASES) is case.same


def test_there_are_many_cases_and_none_twice() -> None:
    lines = [line for line in CASES.read_text(encoding="utf-8").split("\n") if " | " in line]
    assert len(lines) >= 80
    assert len(set(lines)) == len(lines)


def column(kind: str, decimals: int = 0) -> AnswerColumn:
    return AnswerColumn.model_validate({"name": "A column", "kind": kind, "decimals": decimals})


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise_text(normalise_text(text)) == normalise_text(text)


@given(st.text(), st.sampled_from(["name", "category", "number", "date"]))
def test_no_text_raises(text: str, kind: str) -> None:
    form = said_form(column(kind), text)
    assert form is None or form.strip() == form != ""


# In a column of three decimals the comma of 1,299 is a decimal one.
@given(st.integers(-(10**12), 10**12), st.integers(0, 2))
def test_an_integer_matches_itself_in_every_form(number: int, decimals: int) -> None:
    numeric = column("number", decimals)
    for said in (f"{number}", f"{number:,}", f"{number:,}".replace(",", "\u2009"), f"{number}.00"):
        assert matches(numeric, number, said, {})
    assert not matches(numeric, number, str(number + 1), {})


@given(st.floats(-1e12, 1e12).filter(lambda x: x == 0 or abs(x) > 1e-9), st.integers(0, 6))
def test_a_float_matches_itself_written_out(number: float, decimals: int) -> None:
    assert matches(column("number", decimals), number, f"{Decimal(repr(number)):f}", {})


@given(st.dates())
def test_a_day_matches_itself_in_every_form(day: object) -> None:
    iso = str(day)
    assert matches(column("date"), iso, iso, {})
    assert matches(column("date"), iso, iso.replace("-", "/"), {})


@pytest.mark.parametrize("gold", [float("nan"), float("inf"), "no number"])
def test_a_gold_number_that_is_none_matches_nothing(gold: Value) -> None:
    assert gold_forms(column("number"), gold, {}) == ()
    assert not matches(column("number"), gold, "nan", {})


def test_numbers_far_out_of_range_state_nothing() -> None:
    assert said_form(column("number"), "9" * 199) == "9" * 199
    assert said_form(column("number"), "9" * 201) is None
    assert gold_forms(column("number"), 1e308, {}) == ("1" + "0" * 308,)


def test_the_own_form_goes_before_those_of_aliases() -> None:
    forms = gold_forms(column("name"), "Marrick Ferries", ALIASES)
    assert forms == ("marrick ferries", "marrick")
