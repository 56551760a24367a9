"""Views: how the alarm sees a text, so that a value is found however it is dressed up.

A text becomes sentences of plain words: no marks, no accents, no invisible characters, no small
joining words; digits of any script, without separators or needless zeros.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

Words = tuple[str, ...]

_END = re.compile(r"(?<=[.!?…])\s|[\n\r\u2028\u2029]")
_THOUSANDS = re.compile(r"(?<=[0-9])[,'_](?=[0-9]{3}(?![0-9]))")
_WORD = re.compile(r"[0-9]+(?:\.[0-9]+)?|[^\W\d_]+")
_POINTS = re.compile(r"(?<![0-9.])([0-9]{1,2})\.([0-9]{1,2})\.(?=[0-9]{4})")
_MIXED = re.compile(r"\b(?=\w*[0-9])(?=\w*[a-z])\w{3,}\b")
_DROPPED = frozenset({"of", "the", "and", "a", "an", "st", "nd", "rd", "th"})
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_LEET = str.maketrans("0134578", "oleastb")


@lru_cache(maxsize=4096)
def view(text: str) -> tuple[Words, ...]:
    """The words of each sentence."""
    return tuple(words for sentence in _END.split(_plain(text)) if (words := _words(sentence)))


def other_views(text: str) -> Iterator[tuple[Words, ...]]:
    """The same with spelled-out words put together, and with digits read as letters."""
    plain = view(text)
    joined = tuple(map(_joined, plain))
    if joined != plain:
        yield joined
    folded = _plain(text)
    leet = _MIXED.sub(lambda match: match[0].translate(_LEET), folded)
    if leet != folded:
        yield view(leet)


@lru_cache(maxsize=4096)
def words_of_phrase(text: str) -> Words:
    """A short text as one sentence."""
    return _words(_plain(text))


def _plain(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = _FOREIGN.sub(lambda match: _visible(match[0]), text)
    return _POINTS.sub(r"\1 \2 ", _THOUSANDS.sub("", text.casefold()))


def _visible(character: str) -> str:
    if unicodedata.category(character) in ("Mn", "Cf"):
        return ""
    return str(unicodedata.decimal(character, character))


def _words(sentence: str) -> Words:
    found = (_number(word) for word in _WORD.findall(sentence))
    return tuple(word for word in found if word not in _DROPPED)


def _number(word: str) -> str:
    if not word[0].isdigit():
        return word
    if "." in word:
        word = word.rstrip("0").rstrip(".")
    return word.lstrip("0") or "0" if "." not in word else word


def _joined(words: Sequence[str]) -> Words:
    """Runs of single characters as one word each."""
    found: list[str] = []
    single = False
    for word in words:
        if len(word) == 1 and single:
            found[-1] += word
        else:
            found.append(word)
        single = len(word) == 1
    return tuple(found)
