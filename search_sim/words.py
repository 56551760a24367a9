"""Words: how queries and passages are cut up for matching."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:[.,][0-9]+)*")
_SHORTEST_PLURAL = 4


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The words of a text: folded to lower case, plurals in -s reduced."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return tuple(_singular(word) for word in _WORD.findall(folded))


def _singular(word: str) -> str:
    plural = len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word
