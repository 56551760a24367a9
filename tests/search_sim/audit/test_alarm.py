from __future__ import annotations

from importlib import import_module

import pytest
from audit_support import Opened, open_world

from search_sim.audit.alarm import Alarm
from worldgen.pages import Claim, Page, Statement

ISLANDS = open_world("island-ferries")
FULL_WIDTH = {ord("0") + digit: chr(0xFF10 + digit) for digit in range(10)}


def first(column: str) -> tuple[Page, Statement, Claim]:
    """The first page that states a withheld cell of a column."""
    for page in ISLANDS.web.pages:
        for statement in page.statements:
            for claim in statement.claims:
                if claim.fact.column == column and claim.fact.kind == "cell":
                    return page, statement, claim
    raise AssertionError(column)


def count(page: Page, snippet: str, shown: str = "") -> int:
    return ISLANDS.alarm.count(page.url, snippet, f"{page.title}\n{shown}")


def test_a_number_is_found_in_digits_words_and_scaled() -> None:
    page, _, claim = first("cost_usd")
    value = int(claim.value)
    for written in (
        f"{value:,}",
        f"{value}",
        f"${value:,}",
        f"{value / 1e6:g} million",
        f"{value:_}",
    ):
        assert count(page, f"It cost {written}.") == 1, written
    assert count(page, f"It cost {value + 10_000:,} USD.") == 0


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (402, "four hundred and two"),
        (402, "FOUR HUNDRED TWO"),
        (402, "4 0 2"),
        (402, "402".translate(FULL_WIDTH)),
    ],
)
def test_a_number_is_found_in_disguise(value: int, written: str) -> None:
    page, claim = next(
        (page, claim)
        for page in ISLANDS.web.pages
        for statement in page.statements
        for claim in statement.claims
        if claim.fact.column == "capacity" and claim.value == value
    )
    assert claim.value == value
    assert count(page, f"Capacity {written}.") == 1


def test_a_date_is_found_in_every_usual_form() -> None:
    page, _, claim = first("opened")
    year, month, day = str(claim.value).split("-")
    for written in (f"{year}-{month}-{day}", f"{day}.{month}.{year}", f"{month}/{day}/{year}"):
        assert count(page, f"Opened {written}.") == 1, written


def test_people_are_found_by_their_family_names() -> None:
    page, _, claim = first("harbourmaster")
    first_name, family = str(claim.value).split()
    assert count(page, f"Ask {family.upper()} there.") == 1
    assert count(page, f"Ask {' '.join(family)} there.") == 1
    assert count(page, f"Ask {first_name} there.") == 0


def test_a_link_row_is_stated_by_its_far_name() -> None:
    page, statement, claim = next(
        (page, statement, claim)
        for page in ISLANDS.web.pages
        for statement in page.statements
        for claim in statement.claims
        if claim.fact.kind == "row"
    )
    name = ISLANDS.world.name_of("port", claim.fact.key[1])
    assert statement.text.startswith(name)
    assert count(page, f"Ports of call: {name}.") == 1
    assert count(page, f"{ISLANDS.world.short_names['port', claim.fact.key[1]][0]} too.") == 1


def test_what_was_shown_is_no_alarm_but_its_like_beside_the_attribute_is() -> None:
    page, _, claim = first("berths")
    value = int(claim.value)
    shown = f"The museum has {value} rooms."
    assert count(page, f"The museum has {value} rooms.", shown) == 0
    assert count(page, f"Number of berths: {value}.", shown) == 1
    assert count(page, f"Number of berths: {value}.", f"Number of berths: {value}") == 0


def test_several_facts_count_each() -> None:
    page = next(p for p in ISLANDS.web.pages if p.title.endswith(": port record"))
    text = " ".join(f"{statement.text}." for statement in page.statements)
    guarded = [f for f in page.facts if ISLANDS.world.roles.guarded(f)]
    assert count(page, text) == len(guarded) > 1


def test_a_page_that_does_not_exist_has_no_facts() -> None:
    assert ISLANDS.alarm.count("https://nowhere.example/", "14 m", "") == 0


def test_the_twin_alarms_at_its_own_values(opened: Opened, twin: Opened) -> None:
    ours = theirs = 0
    for page, other in zip(opened.web.pages[::5], twin.web.pages[::5], strict=True):
        for statement in page.statements:
            ours += opened.alarm.count(page.url, statement.text, page.title) > 0
            theirs += twin.alarm.count(other.url, statement.text, page.title) > 0
    assert ours > 3 * theirs > 0


def test_the_alarm_shares_no_code_with_the_auditor() -> None:
    modules = {"search_sim.audit.alarm", "search_sim.audit.watch", "search_sim.audit.forms"}
    modules.add("search_sim.audit.views")
    for name in modules:
        source = import_module(name)
        used = {getattr(value, "__module__", "") for value in vars(source).values()}
        audit = {module for module in used if str(module).startswith("search_sim.audit.")}
        assert audit <= modules, name
    assert isinstance(ISLANDS.alarm, Alarm)
