"""Tokens: how snippets and given text are cut up, in one spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["word", "number", "placeholder", "mark"]

STOPS = frozenset(".!?")
"""The marks that end a sentence."""

_UNIFIED = str.maketrans(
    {**dict.fromkeys("‐‑‒−", "-"), **dict.fromkeys("’‘‛ʼ", "'"), **dict.fromkeys("“”„", '"')}  # noqa: RUF001
)
_TOKEN = re.compile(r"\[[a-z]+\]|[0-9]+(?:[.,][0-9]+)*|[^\W_]+(?:'[^\W_]+)*|\S")
_APART = frozenset(".!?,;")


class Token(NamedTuple):
    """One word, number, placeholder or mark.

    Attributes:
        text: as it is written.
        fold: in lower case, without a possessive ending.
        start, end: its span in the normalised text.
        spaced: whether a blank stands before it.
    """

    text: str
    fold: str
    kind: Kind
    start: int
    end: int
    spaced: bool


def normalise(text: str) -> str:
    """Text in one spelling: NFKC, one kind of hyphen, apostrophe and quotation mark."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_UNIFIED)


# What NamedTuple makes of this is three times slower, and a snippet has some fifty tokens.
_new_token = tuple.__new__


def cut(text: str) -> tuple[Token, ...]:
    """The tokens of a normalised text."""
    tokens = []
    last = 0
    for match in _TOKEN.finditer(text):
        written, (start, end) = match[0], match.span()
        fold, kind = _read(written)
        tokens.append(_new_token(Token, (written, fold, kind, start, end, start > last)))
        last = end
    return tuple(tokens)


@lru_cache(maxsize=32768)
def _read(written: str) -> tuple[str, Kind]:
    """A token in lower case, without a possessive ending, and its kind."""
    if "0" <= written[0] <= "9":
        return written, "number"
    if written[0].isalnum():
        return written.casefold().removesuffix("'s"), "word"
    return written, "placeholder" if written[0] == "[" and len(written) > 1 else "mark"


def run(tokens: Iterable[Token]) -> str:
    """Tokens as one text, for finding words that follow each other.

    Marks that set words apart are kept; others, such as hyphens and colons, are dropped.
    """
    kept = [fold for _, fold, kind, *_ in tokens if kind != "mark" or fold in _APART]
    return f" {' '.join(kept)} "


def exact(tokens: Iterable[Token]) -> str:
    """Tokens as one text with every mark but the stops."""
    return " ".join([token.fold for token in tokens if token.fold not in STOPS])


def sentences(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The spans of a text's sentences, their stops included."""
    spans = []
    start = 0
    stops = [place for place, token in enumerate(tokens) if token.fold in STOPS]
    for place, following in zip(stops, [*stops[1:], 0], strict=False):
        if following != place + 1:
            spans.append((start, place + 1))
            start = place + 1
    if start < len(tokens):
        spans.append((start, len(tokens)))
    return spans


_SHORTEST = 3
_VOWEL = re.compile("[aeiouy]")


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A word without plain endings: `-s`, `-es`, `-ies`, `-ed`, `-ing`.

    Comparison (`-er`, `-est`) is no plain ending: it says something else.
    """
    if not word.isalpha():
        return word
    base = _cut_off(word)
    if base.endswith("e") and len(base) > _SHORTEST:
        base = base[:-1]
    doubled = len(base) > _SHORTEST and base[-1] == base[-2] and base[-1] not in "aeiousl"
    return base[:-1] if doubled else base


def _cut_off(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= _SHORTEST and _VOWEL.search(base) and base[-1] != "e":
            return base
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORTEST:
        return word[:-1]
    return word
