"""Units: which spellings mean one unit, and how a column's or a cell's unit is read.

Nothing is ever converted: a cell that gives the value in another unit than its heading asks for
is wrong, since the question states the unit.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

# One unit an entry: its name here, then its other spellings, plurals in -s left out. A spelling
# under several units (pound, kr, $) fits each of them.
_MEASURES = """
m metre meter | km kilometre kilometer | cm centimetre centimeter | mm millimetre millimeter
mi mile | nmi | ft foot feet | inch inches in | yd yard | fathom | ha hectare | acre
kg kilogram kilo | g gram | mg milligram | t tonne ton | lb pound | oz ounce
l litre liter | ml millilitre milliliter | hl hectolitre hectoliter | gal gallon
s sec second | min minute | h hr hour | d day | week | month | yr year
w watt | kw kilowatt | mw megawatt | gw gigawatt | wh | kwh | mwh | gwh | v volt
hz hertz | khz | mhz | ghz | kb | mb | gb | tb | pa | kpa | hpa | bar | db decibel
% percent pct | ‰ permille | ° degree | °c celsius | °f fahrenheit | k kelvin | kn knot kt
"""
_CURRENCIES = """
usd $ dollar | cad $ dollar | aud $ dollar | nzd $ dollar | hkd $ dollar | sgd $ dollar
eur € euro | gbp £ pound sterling | jpy ¥ yen | cny ¥ yuan rmb | inr ₹ rupee | krw ₩ won
rub ₽ rouble ruble | try ₺ lira | chf franc | sek kr krona | nok kr krone | dkk kr krone
isk kr krona | pln zł | brl real | zar rand | mxn $ peso | ils ₪ shekel | cent
"""
_MAGNITUDES = {
    "hundred": 2, "k": 3, "thousand": 3, "lakh": 5, "m": 6, "mn": 6, "mln": 6, "mio": 6,
    "million": 6, "crore": 7, "b": 9, "bn": 9, "bln": 9, "billion": 9, "tn": 12, "trn": 12,
    "trillion": 12,
}  # fmt: skip


def _entries(text: str) -> list[list[str]]:
    return [entry.split() for entry in text.strip().replace("\n", "|").split("|")]


def _by_spelling() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for entry in _entries(_MEASURES) + _entries(_CURRENCIES):
        for spelling in entry:
            table.setdefault(spelling, set()).add(entry[0])
    return {spelling: frozenset(names) for spelling, names in table.items()}


_NAMES = _by_spelling()
CURRENCIES = frozenset(entry[0] for entry in _entries(_CURRENCIES))
"""The names of the units that are money."""

SYMBOLS = "$€£¥₹₩₽₺₪%‰"
"""The units that are written with one sign and no letters."""

_FOOTNOTE = re.compile(r"(?<=[0-9])[⁰¹²³⁴-⁹]+")
_REWRITES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (rf"\b({'|'.join(sorted(CURRENCIES))}) ?(?=[0-9])", r"\1 "),
        (r"\b(?:us|ca|au|nz|hk) ?\$", "$"),
        (r"\bus dollar", "dollar"),
        (r"\b(?:square|sq)\.? ([a-z]+)|\bsq(k?m)\b", r"\1\2^2"),
        (r"\b(?:cubic|cu)\.? ([a-z]+)", r"\1^3"),
        (r"\b([a-z]+)([23])\b", r"\1^\2"),
        (r"\bnautical miles?\b", "nmi"),
        (r"\bmetric ton", "ton"),
        (r"\bper cent\b", "percent"),
        (r"\b(person|man) (?=(?:hour|day|week|month|year)s?\b)", r"\1-"),
        (r"(?:\bdegrees? |° ?)([cf])(?:elsius|ahrenheit)?\b", r"°\1"),
        (r"\bmph\b", "mi/h"),
        (r"\bk(?:mh|ph)\b", "km/h"),
    )
)
_WORD = re.compile(rf"[^\W\d_]+(?:-[^\W\d_]+)*(?:\^[23])?|°[cf]?|[{SYMBOLS}]")
_PER = re.compile(r"/|\bper\b")


def tidy(text: str) -> str:
    """Text in one spelling for reading numbers and units from it: NFKC, lower case, `m^2`, `km/h`.

    Superscript digits after a digit are footnote marks and are dropped.
    """
    text = _FOOTNOTE.sub("", text).replace("²", "^2").replace("³", "^3")
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return text


def magnitude(word: str) -> int | None:
    """The power of ten that `k`, `million` and their like stand for; None for other words."""
    return _MAGNITUDES.get(word, _MAGNITUDES.get(word.removesuffix("s")) if len(word) > 3 else None)


def unit_names(word: str) -> frozenset[str]:
    """The units that a tidied word can mean; empty if it is no known unit."""
    base, mark, power = word.partition("^")
    names = _NAMES.get(base, frozenset())
    if not names and len(base) > 2:  # `ms` is no plural
        names = _NAMES.get(base.removesuffix("s"), names)
    return frozenset(name + mark + power for name in names)


def word_names(word: str) -> frozenset[str]:
    """The units that a tidied word can mean, or the word itself in the singular."""
    return unit_names(word) or frozenset({word.removesuffix("s")})


class Unit(NamedTuple):
    """A unit as read: `million USD per night`.

    Attributes:
        names: the units that any of its words can mean; `usd`.
        per: the same after the stroke or the word "per"; `night`.
        scale: what one of it is worth in plain units; 1,000,000.
    """

    names: frozenset[str]
    per: frozenset[str]
    scale: Decimal

    @property
    def is_measure(self) -> bool:
        """Whether it is a known unit that is not money."""
        return any(unit_names(name) for name in self.names - CURRENCIES)


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> Unit:
    """Read a unit from a heading or a column."""
    main, *rest = _PER.split(tidy(text), maxsplit=1)
    words = _WORD.findall(main)
    money = any(unit_names(word) & CURRENCIES for word in words)
    power, names = 0, frozenset[str]()
    for word in words:
        scale = None if unit_names(word) and not money else magnitude(word)
        power += scale or 0
        names |= frozenset() if scale else word_names(word)
    per = frozenset(name for word in _WORD.findall(" ".join(rest)) for name in word_names(word))
    return Unit(names, per, Decimal(1).scaleb(power))


def same_unit(one: str, other: str) -> bool:
    """Whether two spellings can mean one unit: `m` and `metres`, `USD` and `$`."""
    a, b = parse_unit(one), parse_unit(other)
    per_fits = a.per == b.per or bool(a.per & b.per)
    return bool(a.names & b.names) and per_fits and a.scale == b.scale
