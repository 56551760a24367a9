"""Quotes: the shortcut takes nothing that isn't given text, whole, with marks in between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import make_case

from search_sim.audit.auditor import audit
from search_sim.audit.given import Given
from search_sim.audit.quotes import quotes
from search_sim.audit.vocabulary import Vocabulary

TEXTS = (
    "Berths: [number]",
    "Berths: 14",
    "Berths: 140",
    "Port Kell is deep at low water.",
    "Kell Harbour",
    "Two berths; one crane",
)
GIVEN = Given.of("Port Kell: harbour notes", "2031-05-02", TEXTS)


def vocabulary() -> Vocabulary:
    return make_case("island-ferries").opened.vocabulary


@pytest.mark.parametrize(
    "snippet",
    [
        "Berths: 14",
        "Berths: 14. Berths: [number].",
        "Port Kell is deep at low water. · Berths: 140 · Kell Harbour",
        "Kell Harbour … Berths: 14.",
        "About this page: Port Kell is deep at low water.",
        "Port Kell: harbour notes. Two berths; one crane.",
    ],
)
def test_given_texts_one_after_the_other_are_quotes(snippet: str) -> None:
    assert quotes(snippet, GIVEN, vocabulary())


@pytest.mark.parametrize(
    "snippet",
    [
        "",
        "About this page:",
        "Found in: Kell Harbour",
        "Berths: 14. Berths: 14.",
        "Berths: 1400",
        "Berths: 14.5",
        "Berths: 14, Kell Harbour",
        "Berths: 14: Kell Harbour",
        "Berths: [number] - Berths: 14",
        "XBerths: 14",
        "Deep: Berths: 14",
        "not: Port Kell is deep at low water.",
        "Port Kell is deep at low water. Found there: Kell Harbour",
        "Berths: 14\nKell Harbour",
        "Berths: 14 \u200b",
    ],
)
def test_anything_else_is_looked_at_in_full(snippet: str) -> None:
    assert not quotes(snippet, GIVEN, vocabulary())


@given(
    st.permutations(TEXTS), st.sampled_from([" ", ". ", " … ", " · ", "; "]), st.text(max_size=5)
)
def test_what_is_taken_for_quotes_has_each_text_once_and_nothing_more(
    texts: list[str], mark: str, more: str
) -> None:
    snippet = mark.join(texts[:3]) + more
    if quotes(snippet, GIVEN, vocabulary()):
        assert audit(snippet, GIVEN, vocabulary()) == ()
        rest = snippet
        for text in sorted((*TEXTS, "Port Kell: harbour notes"), key=len, reverse=True):
            rest = rest.replace(text, "", 1)
        assert not any(character.isalnum() for character in rest)
