from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_sim.observation import Result, write_date, write_results
from search_sim.open_world import OpenWorld
from search_sim.verify.ground import Ground
from search_sim.verify.reading import figures, quoted, read_results, states_date

_LINES = st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=60)
_RESULTS = st.builds(
    Result,
    rank=st.integers(1, 500),
    url=st.from_regex(r"https://[a-z]{1,9}\.example/[a-z0-9/-]{0,20}", fullmatch=True),
    title=_LINES,
    snippet=_LINES,
    date=st.none() | st.dates().map(lambda day: day.isoformat()).filter(lambda d: d > "1000"),
)


@given(st.lists(st.tuples(_LINES, st.lists(_RESULTS, max_size=3)), min_size=1, max_size=5))
def test_what_is_written_reads_back(lists: list[tuple[str, list[Result]]]) -> None:
    queries, results = [query for query, _ in lists], [found for _, found in lists]
    read = read_results(queries, write_results(queries, results))
    assert [[tuple(block) for block in blocks] for blocks in read] == [
        [(r.rank, r.url, r.title, r.snippet, write_date(r.date)) for r in found]
        for found in results
    ]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("$2,014,000,000 in all", ["2014000000"]),
        ("7.50 m and 7.5 m", ["7.5"]),
        ("about 1.2 million, or 1,200,000", ["1200000"]),
        ("the 3rd of 12 ports", ["3", "12"]),
        ("950 m2 on 4-bay platforms", ["950", "4"]),
        ("a 5G phone, E85, v2", []),
        ("[number] berths", []),
        ("see [a page](https://a.example/99/b) of 3", ["3"]),
        ("2029", ["2029"]),
        ("on 14 March 2029 at 3", ["3"]),
    ],
)
def test_numbers_of_a_text(text: str, numbers: list[str]) -> None:
    assert figures(text).numbers == {Decimal(n).normalize() for n in numbers}


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("on 14 March 2029", ["2029-03-14"]),
        ("March 14, 2029, and 2029-03-15", ["2029-03-14", "2029-03-15"]),
        ("since Sept. 3rd, 1999", ["1999-09-03"]),
        ("in May 2029", ["2029-05"]),
        ("31 February 2029", []),
        ("12 May, or MAY 12TH", ["--05-12"]),
        ("ON 8 JANUARY 2022", ["2022-01-08"]),
        ("29 Feb", ["--02-29"]),
        ("30 Feb", []),
    ],
)
def test_dates_of_a_text(text: str, dates: list[str]) -> None:
    assert figures(text).dates == set(dates)


@pytest.mark.parametrize(
    ("said", "states"),
    [
        ("2029-03-14", True),
        ("2029-03", True),
        ("--03-14", True),
        ("--05-12", True),
        ("2029-03-15", False),
        ("2030-03", False),
        ("--03-15", False),
        ("2029-05-12", False),
    ],
)
def test_a_date_states_what_is_less_precise(said: str, states: bool) -> None:
    assert states_date(["2029-03-14", "--05-12"], said) == states


def test_names_of_a_text_are_the_longest_that_stand_there(islands: OpenWorld) -> None:
    ground, world = Ground(islands), islands.world
    whole = world.name_of("port", 1)
    (short,) = world.short_names["port", 1]
    said = ground.said(f"{whole}, and {short.upper()}'s neighbours")
    assert ("port", 1) in said.subjects
    assert len(said.names) == 2
    assert not ground.said("nobody is named here").names


def test_a_quoted_text_is_one_line_in_ascii() -> None:
    assert quoted("a\u2028b\né") == '"a\\u2028b\\n\\u00e9"'
    assert quoted("x" * 200) == f'"{"x" * 80}..."'
