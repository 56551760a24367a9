"""The parts that the auditor reads with: tokens, numbers, units, dates, and the lists of words."""

from __future__ import annotations

import re
from decimal import Decimal
from importlib import resources

import pytest
from audit_support import Opened

from answers.units import unit_names
from search_sim.audit.dates import find_dates
from search_sim.audit.neutral import grammar, is_claim, plain
from search_sim.audit.number_words import NUMBER_WORDS, ORDINALS
from search_sim.audit.numbers import find_numbers
from search_sim.audit.tokens import cut, normalise, run, sentences, stem
from worldgen.names import given_names
from worldgen.surface import PLACEHOLDERS

NUMBERS = [
    ("14 m", "14", "m"),
    ("14 metres", "14", "m"),
    ("14-metre", "14", "m"),
    ("fourteen metres", "14", "m"),
    ("$1,299", "1299", "usd"),
    ("1299 USD", "1299", "usd"),
    ("USD 1,299", "1299", "usd"),
    ("1,299 US dollars", "1299", "usd"),
    ("US$1.299 thousand", "1299", "usd"),
    ("$1.3M", "1300000", "usd"),
    ("C$1,299", "1299", "c$"),
    ("4%", "4", "%"),
    ("four percent", "4", "%"),
    ("825 m2", "825", "m^2"),
    ("825 square metres", "825", "m^2"),
    ("479 person-days", "479", "person-d"),
    ("6.5 in.", "6.5", "inch"),
    ("6.50-inch", "6.5", "inch"),
    ("19 in Thalurd", "19", None),
    ("12 months", "12", "month"),
    ("-5", "-5", None),
    ("14th", "14", "th"),
    ("two hundred and five", "205", None),
    ("twenty-one thousand", "21000", None),
    ("a hundred", "100", None),
    ("1,29", None, None),
    ("007", None, None),
    ("1.2.3", None, None),
    ("1990s", "1990", "s"),
]


@pytest.mark.parametrize(("text", "value", "unit"), NUMBERS, ids=[n[0] for n in NUMBERS])
def test_a_number_is_read_with_its_unit(text: str, value: str | None, unit: str | None) -> None:
    (found,) = find_numbers(cut(text))
    assert found.value == (None if value is None else Decimal(value))
    assert found.unit == unit


def test_digits_apart_are_several_numbers_and_a_lone_one_is_none() -> None:
    assert [n.value for n in find_numbers(cut("1 4 or one four"))] == [1, 4, 4]
    assert list(find_numbers(cut("every one of them"))) == []


DATES = [
    ("14 March 2029", "2029-03-14"),
    ("2029-03-14", "2029-03-14"),
    ("March 14th, 2029", "2029-03-14"),
    ("the 14th of March 2029", "2029-03-14"),
    ("Mar. 14, 2029", "2029-03-14"),
    ("14/03/2029", "2029-03-14"),
    ("03/04/2029", None),
    ("31 February 2029", None),
    ("March 2029", "2029-03"),
    ("2029-03", "2029-03"),
    ("14 March", "--03-14"),
]


@pytest.mark.parametrize(("text", "key"), DATES, ids=[d[0] for d in DATES])
def test_a_date_is_read_in_every_usual_form(text: str, key: str | None) -> None:
    (found,) = find_dates(text, cut(text))
    assert found.key == key


@pytest.mark.parametrize("text", ["in March", "2029", "may 2 or 3", "section 4.2", "the march"])
def test_other_texts_hold_no_day(text: str) -> None:
    assert [d for d in find_dates(text, cut(text)) if d.key and len(d.key) == 10] == []


def test_endings_are_cut_but_not_comparison() -> None:
    for one, other in [
        ("berths", "berth"),
        ("counties", "county"),
        ("classes", "class"),
        ("listed", "listing"),
        ("running", "runs"),
        ("launches", "launched"),
        ("houses", "house"),
    ]:
        assert stem(one) == stem(other)
    for one, other in [("deep", "deeper"), ("large", "largest"), ("speed", "sped"), ("is", "i")]:
        assert stem(one) != stem(other)


def test_sentences_end_at_stops_and_not_at_points() -> None:
    tokens = cut(normalise("It is 7.6 m deep. … Is it? Yes!"))
    texts = [run(tokens[start:end]).strip() for start, end in sentences(tokens)]
    assert texts == ["it is 7.6 m deep . . . .", "is it ?", "yes !"]


def test_neutral_words_claim_nothing() -> None:
    words = grammar() | plain()
    assert 300 <= len(words) <= 1000
    assert not [word for word in sorted(words) if is_claim(word)]
    assert words.isdisjoint(NUMBER_WORDS | ORDINALS)
    assert words.isdisjoint(name.lower() for name in given_names())
    assert {word for word in words if unit_names(word)} <= {"in", "has", "try"}
    assert all(re.fullmatch("[a-z]{2,}|[a]|[a-z]+'[a-z]+", word) for word in words)


@pytest.mark.parametrize("name", ["neutral_words.txt", "claim_words.txt"])
def test_a_list_names_each_word_once(name: str) -> None:
    text = resources.files("search_sim.audit").joinpath(name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(("#", "["))]
    words = " ".join(lines).split()
    assert len(words) == len(set(words))


def test_words_of_a_world_are_not_neutral_in_it(opened: Opened) -> None:
    world, neutral = opened.world, opened.vocabulary.neutral
    labels = [
        phrase
        for table in world.blueprint.tables
        for column in table.details
        for phrase in (column.label, *column.aliases)
    ]
    names = [name for _, _, name in world.entities()]
    for word in re.findall("[a-z]+", " ".join((*labels, *names)).lower()):
        assert word not in neutral or word in grammar(), word


def test_every_placeholder_is_a_token() -> None:
    for placeholder in sorted(set(PLACEHOLDERS.values())):
        (token,) = cut(placeholder)
        assert token.kind == "placeholder"
