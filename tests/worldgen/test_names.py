from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen import names
from worldgen.blueprint import Blueprint
from worldgen.library import domain
from worldgen.names import given_names, invented_word, person, real_names, reserved_words
from worldgen.seeds import generator

SEEDS = st.integers()
NONE: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    "name", ["smith", "margaret", "müller", "jansen", "españa", "norway", "kansas", "berlin"]
)
def test_real_names_hold_people_and_places(name: str) -> None:
    assert name in real_names()


def test_real_names_are_lower_case_texts() -> None:
    assert all(name == name.lower() for name in real_names())
    assert len(real_names()) > 10_000


def test_given_names_are_common_and_sorted() -> None:
    assert list(given_names()) == sorted(set(given_names()))
    assert len(given_names()) > 100
    assert {name.lower() for name in given_names()} <= real_names()
    assert all(name.isascii() and name.isalpha() for name in given_names())


@given(SEEDS)
def test_an_invented_word_is_short_and_capitalised(seed: int) -> None:
    word = invented_word(generator(seed), NONE)
    assert 5 <= len(word) <= 10
    assert word.isascii()
    assert word.isalpha()
    assert word == word.capitalize()
    assert word.lower() not in real_names()


@given(SEEDS)
def test_an_invented_word_is_not_taken(seed: int) -> None:
    word = invented_word(generator(seed), NONE)
    taken = {word.lower()}
    assert invented_word(generator(seed), taken) != word
    assert taken == {word.lower()}


def test_an_invented_word_is_not_real(monkeypatch: pytest.MonkeyPatch) -> None:
    word = invented_word(generator(1), NONE)
    monkeypatch.setattr(names, "real_names", lambda: frozenset({word.lower()}))
    assert invented_word(generator(1), NONE) != word


def test_invented_words_are_many() -> None:
    rng = generator(1)
    words = {invented_word(rng, NONE) for _ in range(2000)}
    assert len(words) > 1900


@given(SEEDS)
def test_a_person_has_a_common_and_an_invented_name(seed: int) -> None:
    first, last = person(generator(seed), NONE).split(" ")
    assert first in given_names()
    assert last.lower() not in real_names()
    assert person(generator(seed), frozenset({last.lower()})).split(" ")[1] != last


@pytest.mark.parametrize(
    "word", ["glass", "fairs", "mirrors", "kilns", "telephone", "upper", "workshop"]
)
def test_words_of_a_blueprint_are_reserved(small: Blueprint, word: str) -> None:
    assert word in reserved_words(small)


def test_reserved_words_are_lower_case(small: Blueprint) -> None:
    assert all(word.isalpha() and word == word.lower() for word in reserved_words(small))
    assert all(len(word) >= 3 for word in reserved_words(small))


def test_no_person_bears_a_reserved_given_name() -> None:
    taken = reserved_words(domain("island-ferries"))
    assert "mark" in taken
    assert "Mark" in given_names()
    names = {person(generator(seed), taken).split()[0].lower() for seed in range(3000)}
    assert len(names) > 200
    assert not names & taken
