from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.facts import Fact, FactKind, cell, complete_list, row, top

IDENTIFIERS = st.from_regex(r"[a-z][a-z0-9_]*", fullmatch=True)
KEYS = st.lists(st.integers(min_value=0), min_size=1, max_size=3).map(tuple)
FACTS = st.builds(
    Fact, st.sampled_from(get_args(FactKind)), IDENTIFIERS, KEYS, IDENTIFIERS | st.just("")
)


@given(FACTS)
def test_an_id_reads_back(fact: Fact) -> None:
    assert Fact.parse(str(fact)) == fact


@given(FACTS, FACTS)
def test_two_facts_have_two_ids(one: Fact, other: Fact) -> None:
    assert (str(one) == str(other)) == (one == other)


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (cell("port", (12,), "depth_m"), "cell:port:12:depth_m"),
        (cell("traffic", (3, 2029), "passengers"), "cell:traffic:3.2029:passengers"),
        (row("call", (4, 12)), "row:call:4.12:"),
        (complete_list("call", "vessel_id", 4), "list:call:4:vessel_id"),
        (top("port", 2, "depth_m"), "top:port:2:depth_m"),
    ],
)
def test_the_ids_in_files(fact: Fact, text: str) -> None:
    assert str(fact) == text
    assert Fact.parse(text) == fact


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cell",
        "cell:port:12",
        "cell:port:12:depth_m:more",
        "cell:port::depth_m",
        "cell:port:12.:depth_m",
        "cell:port:twelve:depth_m",
        "cell:port:1.5.x:depth_m",
        "Cell:port:12:depth_m",
        "sum:port:12:depth_m",
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the number of parts and the key have messages of Python's own
        Fact.parse(text)


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ValueError, match=r"'sum:port:12:depth_m' is no fact's id"):
        Fact.parse("sum:port:12:depth_m")


@pytest.mark.parametrize("key", [" 12", "+12", "1_2", "012", "\u0661\u0662"])
def test_a_fact_has_one_spelling(key: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any refusal will do
        Fact.parse(f"cell:port:{key}:depth_m")
