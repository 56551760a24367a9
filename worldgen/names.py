"""Names: invented words and people, checked against lists of real ones."""

from __future__ import annotations

import importlib
import random
import re
from functools import cache

from worldgen.blueprint import Blueprint

_LOCALES = (
    *("da_DK", "de_DE", "en_GB", "en_IN", "en_US", "es_ES", "fi_FI", "fr_FR", "ga_IE", "it_IT"),
    *("nl_NL", "no_NO", "pl_PL", "pt_PT", "sv_SE"),
)
_LISTS = (
    *("first_names", "first_names_female", "first_names_male", "last_names", "cities", "counties"),
    *("countries", "departments", "provinces", "regions", "states"),
)
_ONSETS = (
    *("b", "br", "c", "d", "dr", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t"),
    *("th", "tr", "v", "w"),
)
_VOWELS = ("a", "e", "i", "o", "u", "a", "e", "o", "ei", "ia", "au")
_MIDDLES = (
    "b",
    "d",
    "g",
    "l",
    "ld",
    "ll",
    "m",
    "n",
    "nd",
    "nn",
    "r",
    "rr",
    "rv",
    "s",
    "v",
    "lm",
    "rd",
    "st",
)
_ENDS = ("", "l", "n", "nd", "r", "rn", "s", "sk", "st", "th", "m", "rd", "ck", "x")


@cache
def real_names() -> frozenset[str]:
    """Names of real people and places, lower case: the lists that Faker's locales carry."""
    found: set[str] = set()
    for locale in _LOCALES:
        for kind in ("person", "address"):
            try:
                module = importlib.import_module(f"faker.providers.{kind}.{locale}")
            except ModuleNotFoundError:
                continue
            for name in _LISTS:
                for entry in getattr(module.Provider, name, ()):
                    found.add((entry if isinstance(entry, str) else entry[-1]).lower())
    return frozenset(found)


_MONTHS = frozenset({"April", "August", "January", "June", "May"})
"""Given names that are dates too."""


@cache
def given_names() -> tuple[str, ...]:
    """Common given names that mean nothing else, sorted."""
    provider = importlib.import_module("faker.providers.person.en_GB").Provider
    names = {name for name in provider.first_names if name.isascii() and name.isalpha()}
    return tuple(sorted(names - _MONTHS))


def given_name(rng: random.Random, taken: frozenset[str] | set[str]) -> str:
    """A given name that is no word in `taken`, which holds lower-case words."""
    while (name := rng.choice(given_names())).lower() in taken:
        pass
    return name


def reserved_words(blueprint: Blueprint) -> frozenset[str]:
    """Words that a blueprint's texts use, lower case: no name may contain one of them."""
    return frozenset(re.findall(r"[a-z]{3,}", blueprint.model_dump_json().lower()))


def invented_word(rng: random.Random, taken: frozenset[str] | set[str]) -> str:
    """A word of two or three syllables, capitalised, that is neither real nor taken.

    `taken` holds lower-case words; the new word is not added to it.
    """
    while True:
        syllables = rng.choice((2, 2, 3))
        parts = [rng.choice(_ONSETS), rng.choice(_VOWELS)]
        for _ in range(syllables - 1):
            parts += [rng.choice(_MIDDLES), rng.choice(_VOWELS[:5])]
        word = "".join((*parts, rng.choice(_ENDS)))
        if 5 <= len(word) <= 10 and word not in taken and word not in real_names():
            return word.capitalize()


def person(rng: random.Random, taken: frozenset[str]) -> str:
    """A person who doesn't exist: a common given name and an invented family name."""
    return f"{given_name(rng, taken)} {invented_word(rng, taken)}"
