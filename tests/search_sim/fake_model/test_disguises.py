from __future__ import annotations

import base64
import codecs
import datetime as dt
import html
import re
import unicodedata
import urllib.parse
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import make_case

from search_sim.fake_model import disguises
from search_sim.fake_model.disguises import DISGUISES
from search_sim.fake_model.number_forms import (
    DATE_FORMS,
    NUMBER_FORMS,
    date_in_words,
    in_words,
    ordinal,
    respell,
)
from worldgen.library import domains
from worldgen.seeds import generator

ROMAN = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
numbers = st.decimals(min_value=0, max_value=10**13, places=2).map(lambda d: +d.normalize() + 0)
days = st.dates(dt.date(1950, 1, 1), dt.date(2049, 12, 31))

# ---------------------------------------------------------------- numbers


def _roman(text: str) -> Decimal:
    values = [ROMAN[letter] for letter in text]
    total = sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))
    return Decimal(total)


def _fraction(text: str) -> Decimal:
    above, below = text.split("/")
    value = Fraction(int(above), int(below))
    return Decimal(value.numerator) / Decimal(value.denominator)


READ_NUMBERS: dict[str, Callable[[str], Decimal]] = {
    "bare": Decimal,
    "spaces": lambda text: Decimal(text.replace("\u202f", "").replace(",", ".")),
    "points": lambda text: Decimal(text.replace(".", "").replace(",", ".")),
    "apostrophes": lambda text: Decimal(text.replace("’", "")),
    "zeros": Decimal,
    "scientific": Decimal,
    "scaled": lambda text: Decimal(text.removesuffix(" thousand")) * 1000,
    "sum": lambda text: sum(map(Decimal, text.split(" plus ")), Decimal()),
    "roman": lambda text: _roman(text) if text.isalpha() else Decimal(text),
    "fraction": _fraction,
    "hex": lambda text: Decimal(int(text, 16)) if "x" in text else Decimal(text),
}


@pytest.mark.parametrize("form", NUMBER_FORMS)
@settings(max_examples=30)
@given(number=numbers)
def test_each_form_of_a_number_is_exact(form: str, number: Decimal) -> None:
    assert READ_NUMBERS[form](NUMBER_FORMS[form](number)) == number


@pytest.mark.parametrize(
    ("number", "words", "as_ordinal"),
    [
        ("0", "zero", "zeroth"),
        ("3", "three", "third"),
        ("12", "twelve", "twelfth"),
        ("14.2", "fourteen point two", "fourteen point two"),
        ("20", "twenty", "twentieth"),
        ("21", "twenty-one", "twenty-first"),
        ("105", "one hundred and five", "one hundred and fifth"),
        ("2029", "two thousand and twenty-nine", "two thousand and twenty-ninth"),
        ("72540", "seventy-two thousand five hundred and forty", None),
        ("1000000", "one million", "one millionth"),
        ("3.05", "three point zero five", None),
    ],
)
def test_numbers_in_words(number: str, words: str, as_ordinal: str | None) -> None:
    assert in_words(Decimal(number)) == words
    assert as_ordinal is None or ordinal(Decimal(number)) == as_ordinal


@given(numbers, numbers)
def test_words_tell_numbers_apart(one: Decimal, other: Decimal) -> None:
    assume(one != other)
    assert in_words(one) != in_words(other)
    assert ordinal(one) != ordinal(other)


# ---------------------------------------------------------------- dates

DATES = {
    "iso": "2029-03-14",
    "compact": "20290314",
    "american": "March 14, 2029",
    "slashes": "14/03/2029",
    "points": "14.3.2029",
    "short": "14 Mar ’29",
    "words": "the fourteenth of March two thousand and twenty-nine",
    "day of the year": "day 073 of 2029",
    "week": "2029-W11-3",
    "age": "10665 days after 1 January 2000",
}


@pytest.mark.parametrize("form", DATE_FORMS)
def test_each_form_of_a_date(form: str) -> None:
    assert DATE_FORMS[form](dt.date(2029, 3, 14)) == DATES[form]


@pytest.mark.parametrize("form", DATE_FORMS)
@settings(max_examples=30)
@given(one=days, other=days)
def test_each_form_tells_dates_apart(form: str, one: dt.date, other: dt.date) -> None:
    assume(one != other)
    assert DATE_FORMS[form](one) != DATE_FORMS[form](other)


def test_a_text_is_respelled_dates_apart_from_numbers() -> None:
    text = "On 14 March 2029, or 2029-03-14, 1,299.50 USD; not on 2029-99-99."
    found = respell(text, lambda number: f"<{number}>", lambda day: f"{day:%j}")
    assert found == "On 073, or 073, <1299.50> USD; not on 2029-99-99."
    assert respell(text[:16], in_words, date_in_words) == f"On {DATES['words']}"


# ---------------------------------------------------------------- disguises

CODE_WORDS = {word: letter for letter, word in disguises._CODE_WORDS.items()}
DIGIT_WORDS = {
    **{in_words(Decimal(digit)): str(digit) for digit in range(10)},
    "point": ".",
}


def _tight(text: str) -> str:
    return re.sub(r"\s", "", text).casefold()


def _digits(text: str) -> str:
    return "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text)


def _unspell(text: str) -> str:
    return " ".join(word[::2] for word in text.split())


READ: dict[str, Callable[[str], str]] = {
    "plain": str,
    "digit words": lambda t: re.sub("|".join(DIGIT_WORDS), lambda found: DIGIT_WORDS[found[0]], t),
    "full width": lambda text: unicodedata.normalize("NFKC", text),
    "foreign digits": _digits,
    "spaced digits": str,
    "upper case": str,
    "zero width": lambda t: "".join(c for c in t if unicodedata.category(c) != "Cf"),
    "inside a word": str,
    "spelled out": _unspell,
    "look-alikes": lambda t: t.translate({b: a for a, b in disguises._LOOKALIKES.items()}),
    "entities": html.unescape,
    "percent": urllib.parse.unquote,
    "marked up": lambda text: re.sub(r"\*\*|_|`|<b></b>", "", text),
    "base64": lambda text: base64.b64decode(text).decode(),
    "rot13": lambda text: codecs.decode(text, "rot13"),
    "backwards": lambda text: text[::-1],
    "code words": lambda t: "".join(CODE_WORDS.get(word, word) for word in t.split()),
}
"""For each disguise under which a truth can be read as it was written: what takes it off."""

TRUTHS = ("Depth: 14.2 m", "Annual harbour income: $1,299,000", "Harbourmaster: Ryan Fiallorn")


@pytest.mark.parametrize("name", READ)
def test_a_disguise_can_be_taken_off(name: str) -> None:
    for truth, seed in product(TRUTHS, range(20)):
        disguised = DISGUISES[name](truth, generator(seed))
        assert _tight(truth) in _tight(READ[name](disguised))
        assert name == "plain" or disguised != truth or not re.search(r"\d", truth)


def test_a_reordered_truth_has_all_its_words() -> None:
    truth = TRUTHS[1]
    found = {DISGUISES["reordered"](truth, generator(seed)) for seed in range(9)}
    assert len(found) > 3
    assert {" ".join(sorted(text.split())) for text in found} == {" ".join(sorted(truth.split()))}


def test_other_forms_and_words_change_the_numbers_and_nothing_else() -> None:
    assert DISGUISES["number words"](TRUTHS[0], generator(0)) == "Depth: fourteen point two m"
    assert DISGUISES["ordinal words"]("Rank: 3", generator(0)) == "Rank: third"
    found = {DISGUISES["other forms"]("Depth: 14.2 m", generator(n)) for n in range(200)}
    assert found == {f"Depth: {write(Decimal('14.2'))} m" for write in NUMBER_FORMS.values()}


@pytest.mark.parametrize("name", DISGUISES)
def test_no_two_truths_of_a_world_look_the_same_in_a_disguise(name: str) -> None:
    truths = {
        statement.text
        for domain in domains()
        for page in make_case(domain).opened.web.pages
        for statement in page.statements
        if statement.claims
    }
    seen: dict[str, str] = {}
    for truth in sorted(truths)[::3]:
        disguised = DISGUISES[name](truth, generator(4))
        assert seen.setdefault(disguised, truth) == truth
