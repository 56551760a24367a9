from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from queries.candidate import Candidate
from queries.effort import difficulty, pages_needed, spread
from queries.plan import Plan
from queries.scene import Scene
from queries.task import Task
from worldgen.facts import Fact, cell
from worldgen.pages import Claim, Page, Statement, Web

Plans = Mapping[str, Mapping[str, Plan]]
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Busy machines are slow."""


def fact(number: int) -> Fact:
    return cell("port", (number,), "depth")


def web_of(*pages: frozenset[int]) -> Web:
    """A web with a page for each group of facts."""
    made = []
    for number, facts in enumerate(pages):
        claims = tuple(Claim(fact(i), 1, 0, 1, "[number]", ()) for i in sorted(facts))
        statement = Statement("1", claims=claims)
        url = f"https://site.example/{number:02}"
        made.append(Page(url, "site", f"Page {number}", "2031-01-01", (statement,)))
    return Web((), tuple(made))


PAGES = st.lists(st.frozensets(st.integers(0, 9), max_size=6), max_size=8)
ASKED = st.frozensets(st.integers(0, 9))


@UNHURRIED
@given(pages=PAGES, asked=ASKED)
def test_the_pages_needed_state_all_that_any_page_states(
    pages: list[frozenset[int]], asked: frozenset[int]
) -> None:
    web = web_of(*pages)
    facts = [fact(i) for i in sorted(asked)]
    urls = pages_needed(web, facts)
    assert list(urls) == sorted(set(urls))
    stated = {i for i in asked if any(i in page for page in pages)}
    covered = set().union(*(web.by_url[url].facts for url in urls))
    assert {fact(i) for i in stated} <= covered
    assert len(urls) <= len(stated)
    assert all(web.by_url[url].facts & set(facts) for url in urls)


@UNHURRIED
@given(pages=PAGES, asked=ASKED)
def test_no_fewer_pages_than_the_smallest_cover(
    pages: list[frozenset[int]], asked: frozenset[int]
) -> None:
    stated = {i for i in asked if any(i in page for page in pages)}
    smallest = next(
        size
        for size in range(len(pages) + 1)
        if any(stated <= set().union(*some) for some in combinations(pages, size))
    )
    found = len(pages_needed(web_of(*pages), [fact(i) for i in asked]))
    assert smallest <= found
    if smallest <= 1:
        assert found == smallest


def test_the_page_that_states_most_comes_first() -> None:
    web = web_of(frozenset({1, 2}), frozenset({1, 2, 3, 4}), frozenset({3}), frozenset({5}))
    urls = pages_needed(web, [fact(i) for i in (1, 2, 3, 4, 5)])
    assert urls == ("https://site.example/01", "https://site.example/03")
    assert pages_needed(web, [fact(99)]) == ()
    assert pages_needed(web, []) == ()


@UNHURRIED
@given(pages=PAGES, asked=ASKED)
def test_the_spread_is_the_largest_share_on_a_page(
    pages: list[frozenset[int]], asked: frozenset[int]
) -> None:
    found = spread(web_of(*pages), [fact(i) for i in asked])
    assert 0 <= found <= 1
    largest = max((len(page & asked) for page in pages), default=0)
    assert found == (largest / len(asked) if asked else 0)


def test_pages_and_spread_of_tasks(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for scene, task in tasks:
        needed = set(map(Fact.parse, task.needed))
        urls = pages_needed(scene.web, needed)
        assert len(urls) == task.pages_needed
        assert needed <= set().union(*(scene.web.by_url[url].facts for url in urls))
        assert 0 < task.spread <= 0.34
        largest = max(len(page.facts & needed) for page in scene.web.pages)
        assert task.spread == pytest.approx(largest / len(needed), abs=1e-4)
        assert task.pages_needed * largest >= len(needed)


def test_needed_pages_of_a_hand_made_plan(small: Scene, plans: Plans) -> None:
    crown = Candidate(small, plans["filtered"]["crown workshops insured for more than $50,000"])
    assert len(crown.needed) == 14
    assert len(crown.pages) == 8
    assert crown.spread == 2 / 14
    guilds = Candidate(
        small, plans["parent"]["crown workshops of guilds with more than 30 members"]
    )
    assert len(guilds.pages) == 4 + 6
    years = Candidate(small, plans["change"]["crown workshops that cut fewer panes"])
    assert len(years.pages) == 16
    assert years.spread == 1 / 16


def test_more_pages_are_harder(plans: Plans) -> None:
    for cases in plans.values():
        for plan in cases.values():
            found = [difficulty(plan, pages) for pages in range(0, 200, 5)]
            assert found == sorted(found)
            assert len(set(found)) > 30
            assert all(0 <= value <= 1 for value in found)


def test_more_tables_are_harder(plans: Plans) -> None:
    one = plans["filtered"]["workshops with a coal furnace"]
    two = plans["filtered"]["workshops of east bank guilds that opened before 1910"]
    three = plans["linked"]["crown workshops at spring fairs"]
    four = plans["linked"]["workshops of west bank guilds at autumn fairs"]
    for pages in (1, 20, 60):
        found = [difficulty(plan, pages) for plan in (one, two, three, four)]
        assert found == sorted(set(found))


def test_aggregating_is_harder_than_joining(plans: Plans) -> None:
    joined = plans["parent"]["workshops of guilds chartered before 1820"]
    grouped = plans["grouped"]["all guilds, kilns summed and latest opening"]
    assert len(joined.tables()) == len(grouped.tables())
    assert difficulty(joined, 20) < difficulty(grouped, 20)


def test_difficulty_of_known_effort(plans: Plans) -> None:
    one = plans["filtered"]["workshops with a coal furnace"]
    assert difficulty(one, 0) == 0
    assert difficulty(one, 40) == 0.5
    assert difficulty(one, 80) == 0.75
    assert difficulty(plans["linked"]["crown workshops at spring fairs"], 30) == 0.5
    assert difficulty(plans["grouped"]["stalls of the crown workshops"], 30) == 0.5
