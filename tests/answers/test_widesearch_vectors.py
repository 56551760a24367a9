"""Every oracle vector of the public WideSearch scorer; `widesearch_vectors` says what they are."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from answers import widesearch
from answers.widesearch.cases import judge_of
from answers.widesearch.errors import ScorerError, logged_name

FOLDER = Path(__file__).parent / "widesearch_vectors"
LATER = dt.datetime(2026, 2, 17, 12, tzinfo=dt.UTC)
TABLES = json.loads(gzip.decompress((FOLDER / "tables.json.gz").read_bytes()))["cases"]
READ = [case for case in TABLES if case["response"] is not None and "result" in case["output"]]
FUNCTIONS = json.loads((FOLDER / "functions.json").read_text(encoding="utf-8"))
AGGREGATES = json.loads((FOLDER / "aggregate.json").read_text(encoding="utf-8"))["cases"]
DATED = ("norm_date", "date_near")


def plain(value: Any) -> Any:
    """A value as the vectors write it."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return list(map(plain, value))
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return plain(call())
    except Exception as error:
        return {"exception": logged_name(error)}


def call(name: str, given: Sequence[Any], now: dt.datetime = widesearch.FROZEN_NOW) -> Any:
    function = getattr(widesearch, name)
    return outcome(partial(function, *given, *([now] if name in DATED else [])))


class Recorder:
    """A judge that keeps what it was asked."""

    def __init__(self, judge: widesearch.Judge) -> None:
        self.judge = judge
        self.calls: list[dict[str, Any]] = []

    def align(self, said: Sequence[Any], gold: Sequence[Any]) -> str | None:
        self.calls.append({"kind": "align", "response": [*said], "reference": [*gold]})
        return self.judge.align(said, gold)

    def grade(self, criterion: Any, pairs: Sequence[tuple[Any, Any]]) -> str | None:
        told = {"kind": "judge", "criterion": criterion, "pairs": [list(pair) for pair in pairs]}
        self.calls.append(told)
        return self.judge.grade(criterion, pairs)


def test_all_vectors_are_here() -> None:
    assert len(TABLES) == 242
    assert sum(map(len, FUNCTIONS["functions"].values())) == 1814
    assert len(AGGREGATES) == 5


@pytest.mark.parametrize("case", TABLES, ids=[case["id"] for case in TABLES])
def test_a_table(case: dict[str, Any]) -> None:
    wanted = case["output"].get("result", {"load_error": True})
    assert plain(widesearch.run_case(case)) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("case", READ, ids=[case["id"] for case in READ])
def test_what_is_read_and_what_the_judge_is_asked(case: dict[str, Any]) -> None:
    output = case["output"]
    assert read(case["response"]) == (output["parsed"] or None)
    gold = widesearch.load_gold(case["gold_csv"], case["evaluation"]["required"])
    recorder = Recorder(judge_of(case["judge"]))
    response, now = case["response"], widesearch.FROZEN_NOW
    widesearch.evaluate(gold, case["evaluation"], response, recorder, now)
    assert recorder.calls == output["judge_calls"]


def read(response: str) -> Any:
    """A reply's table as the vectors write it."""
    try:
        frame = widesearch.extract_table(response)
    except ScorerError as error:
        return {"exception": error.kind.rpartition(".")[2]}
    if frame is None:
        return None
    rows = [
        [None if isinstance(cell, float) and math.isnan(cell) else plain(cell) for cell in row]
        for row in frame.rows()
    ]
    types = [column.dtype for column in frame.columns]
    return {"columns": frame.names, "dtypes": types, "rows": rows}


def test_a_table_that_depends_on_the_day() -> None:
    changed = [
        case["id"]
        for case in TABLES
        if widesearch.run_case(case, LATER) != widesearch.run_case(case)
    ]
    assert changed == [case["id"] for case in TABLES if case.get("time_dependent")] != []


@pytest.mark.parametrize("name", FUNCTIONS["functions"])
def test_a_function(name: str) -> None:
    wrong = [
        (given, wanted, found)
        for *given, wanted in FUNCTIONS["functions"][name]
        if (found := call(name, given)) != wanted
    ]
    assert wrong == []


@pytest.mark.parametrize("name", DATED)
def test_a_function_that_depends_on_the_day(name: str) -> None:
    vectors = [given for *given, _ in FUNCTIONS["functions"][name]]
    changed = [given for given in vectors if call(name, given) != call(name, given, LATER)]
    known = FUNCTIONS["time_dependent_inputs"][name]
    assert changed == [[given] if isinstance(given, str) else given for given in known] != []


@pytest.mark.parametrize("case", AGGREGATES, ids=[case["note"] for case in AGGREGATES])
def test_an_aggregation(case: dict[str, Any]) -> None:
    found = outcome(lambda: widesearch.aggregate(case["results"], case["trial_num"]))
    wanted = case["summary"]
    assert found.keys() == wanted.keys()
    for measure, summary in wanted.items():
        assert found[measure] == pytest.approx(summary, abs=1e-9)
