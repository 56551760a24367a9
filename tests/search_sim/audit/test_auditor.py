from __future__ import annotations

import pytest
from audit_support import Opened, open_world
from hypothesis import given, settings
from hypothesis import strategies as st

from search_sim.audit.auditor import MOST_CHARACTERS, audit
from search_sim.audit.given import Given

ISLANDS = open_world("island-ferries")
PORT = Given.of(
    "Port Vale: port record",
    "2031-04-23",
    ["Port Vale is a licensed port.", "Number of berths: 14", "Harbour depth: [measure]"],
)


def faults(snippet: str) -> tuple[str, ...]:
    return audit(snippet, PORT, ISLANDS.vocabulary)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=MOST_CHARACTERS + 10))
def test_any_text_is_read(text: str) -> None:
    found = faults(text)
    assert found == faults(text)
    assert all(found)
    assert not any("\n" in fault for fault in found)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.none() | st.text(max_size=12), st.lists(st.text(max_size=80)))
def test_anything_can_be_given(title: str, date: str | None, passages: list[str]) -> None:
    audit("14 berths.", Given.of(title, date, passages), ISLANDS.vocabulary)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_words_of_the_given_text_in_any_order_state_no_number_that_is_not_there(
    data: st.DataObject,
) -> None:
    words = ["Port Vale", "number", "of", "berths:", "harbour", "depth:", "is", "14", "[measure]"]
    order = data.draw(st.permutations(words))
    snippet = " ".join(order)
    if not faults(snippet):
        depth = snippet.find("depth: 14")
        assert depth < 0
        assert "depth: is 14" not in snippet


def test_faults_stand_in_a_fixed_order_each_once() -> None:
    found = faults("Port Vale has 12 berths and 12 berths, tidal, tidal.")
    assert list(found) == list(dict.fromkeys(found))
    assert found == faults("Port Vale has 12 berths and 12 berths, tidal, tidal.")


def test_a_fault_names_the_words_and_what_to_do() -> None:
    assert faults("Harbour depth: 14.2 m.")[0] == (
        '"14.2 m" isn\'t in what was given for this result: leave it out'
    )
    (fault,) = faults("Harbour depth: 14.")
    assert '"14"' in fault
    assert '"Harbour depth"' in fault


@pytest.mark.parametrize("length", [MOST_CHARACTERS, MOST_CHARACTERS + 1])
def test_a_snippet_has_a_longest_length(length: int) -> None:
    snippet = "Port Vale is a licensed port." + " " * length
    found = faults(snippet[: length - 1] + ".")
    assert any("at most" in fault for fault in found) is (length > MOST_CHARACTERS)


def test_the_twin_of_a_world_has_the_same_vocabulary(opened: Opened, twin: Opened) -> None:
    assert opened.world.tables != twin.world.tables
    assert opened.vocabulary == twin.vocabulary


def test_the_twin_finds_the_same_faults(opened: Opened, twin: Opened) -> None:
    compared = 0
    for ours, theirs in zip(opened.results(0.3), twin.results(0.3), strict=True):
        assert ours.passages == theirs.passages
        for statement in (*ours.page.statements, *theirs.page.statements):
            found = audit(statement.text, ours.given, opened.vocabulary)
            assert found == audit(statement.text, theirs.given, twin.vocabulary)
            compared += bool(found)
    assert compared


def test_a_date_need_not_be_given() -> None:
    undated = Given.of("Port Vale: port record", None, ["Port Vale is a licensed port."])
    assert audit("Port Vale, 2031.", undated, ISLANDS.vocabulary)
    assert not audit("Port Vale is a licensed port.", undated, ISLANDS.vocabulary)
