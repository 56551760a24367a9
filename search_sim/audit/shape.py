"""The shape of a snippet: one line of plain characters, not too long, without markup."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from search_sim.audit.given import Given
from worldgen.surface import PLACEHOLDERS

MOST_CHARACTERS = 400
"""The longest snippet that a model may write, in characters."""

_ALLOWED = frozenset(
    string.ascii_letters + string.digits + " .,;:!?'\"()-/&[]$%|" + "‐‑–—…‘’“”·•\u00a0\u202f"  # noqa: RUF001
)
_BRACKET = re.compile(r"[\[\]]")
_PLACEHOLDERS = re.compile("|".join(map(re.escape, sorted(set(PLACEHOLDERS.values())))))
_DOMAIN = re.compile(r"\.[a-z]{2,}")
_ENTITY = re.compile(r"&#?\w+;")


def shape_faults(snippet: str, given: Given) -> Iterator[str]:
    """What is wrong with a snippet's shape."""
    if not snippet.strip():
        yield "the snippet is empty: write one or two sentences"
    if len(snippet) > MOST_CHARACTERS:
        yield f"the snippet has {len(snippet)} characters: write at most {MOST_CHARACTERS}"
    yield from _odd_characters(snippet, given)
    yield from _addresses(snippet)
    if "](" in snippet or ("&" in snippet and _ENTITY.search(snippet)):
        yield "the snippet has markup: write plain text"
    if ("[" in snippet or "]" in snippet) and _BRACKET.search(_PLACEHOLDERS.sub("", snippet)):
        yield "square brackets are for the placeholders that were given, written as they were given"


def _addresses(snippet: str) -> Iterator[str]:
    for match in _DOMAIN.finditer(snippet):
        start = match.start()
        if start and snippet[start - 1].isalnum():
            word = snippet[: match.end()].split()[-1]
            yield f'"{word}" looks like an address: write none'
    if "://" in snippet or "www." in snippet:
        yield "the snippet has an address: write none"


def _odd_characters(snippet: str, given: Given) -> Iterator[str]:
    odd = set(snippet) - _ALLOWED - given.characters
    if odd & set("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"):
        yield "the snippet has several lines: write one line"
    if odd:
        codes = ", ".join(f"U+{ord(character):04X}" for character in sorted(odd))
        yield f"characters that weren't in what was given: {codes}; write plain letters and marks"
