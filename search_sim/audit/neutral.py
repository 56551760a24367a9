"""The closed lists of words: neutral ones, and those that can make a claim of given words."""

from __future__ import annotations

from functools import cache
from importlib import resources

from search_sim.audit.number_words import NUMBER_WORDS, ORDINALS

_NO_SUPERLATIVES = frozenset(
    {"west", "test", "guest", "rest", "request", "interest", "forest", "harvest", "contest"}
    | {"invest", "protest", "suggest", "digest", "chest", "quest", "modest", "honest"}
)
_SHORTEST_SUPERLATIVE = 5


@cache
def _sections(name: str) -> dict[str, frozenset[str]]:
    """The words of a list by its `[sections]`; lines that start with `#` are comments."""
    found: dict[str, list[str]] = {}
    words = found.setdefault("", [])
    text = resources.files(__name__.rpartition(".")[0]).joinpath(name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            words = found.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            words += line.split()
    return {section: frozenset(words) for section, words in found.items()}


def grammar() -> frozenset[str]:
    """Words that hold a sentence together."""
    return _sections("neutral_words.txt")["grammar"]


def plain() -> frozenset[str]:
    """Other neutral words; in a world whose labels or names use one it isn't neutral."""
    return _sections("neutral_words.txt")["plain"]


@cache
def _claims() -> frozenset[str]:
    return _sections("claim_words.txt")[""] | ORDINALS | NUMBER_WORDS


def is_claim(word: str) -> bool:
    """Whether a word in lower case can make a new claim of words that were given."""
    if word in _claims():
        return True
    superlative = word.endswith("est") and len(word) >= _SHORTEST_SUPERLATIVE
    return superlative and word not in _NO_SUPERLATIVES
