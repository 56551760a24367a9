"""The layout of a snippet: which words share a clause, and which of them tell something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_sim.audit.given import Given
from search_sim.audit.reading import Item, Reading
from search_sim.audit.tokens import Token
from search_sim.audit.vocabulary import Vocabulary

_WALL_MARKS = frozenset(",;()|•·–—")
_WALL_WORDS = frozenset({"and", "with", "while", "whose", "which", "where", "but", "or"})


@dataclass(frozen=True)
class Layout:
    """A snippet's clauses and telling words, by the places of its tokens.

    Attributes:
        clauses, sentences: the number of each token's clause and sentence.
        stems: each token's stem; empty where it is no word, is neutral, or belongs to an item.
        telling: the same, but empty also where the title has the word and no label holds it.
        items: the number of the item that holds a token, or None.
    """

    clauses: tuple[int, ...]
    sentences: tuple[int, ...]
    stems: tuple[str, ...]
    telling: tuple[str, ...]
    items: tuple[int | None, ...]

    @classmethod
    def of(cls, reading: Reading, items: Sequence[Item], given: Given, vocab: Vocabulary) -> Layout:
        """The layout of a snippet with these items."""
        owner: list[int | None] = [None] * len(reading.tokens)
        for number, item in enumerate(items):
            if item.kind != "claim":
                owner[item.start : item.end] = [number] * (item.end - item.start)
        labels = {p for label in reading.labels for p in range(label.start, label.end)}
        stems = [
            reading.stems[place]
            if token.kind == "word"
            and owner[place] is None
            and (place in labels or token.fold not in vocab.neutral)
            else ""
            for place, token in enumerate(reading.tokens)
        ]
        title = given.title.stems
        telling = [s if place in labels or s not in title else "" for place, s in enumerate(stems)]
        walls = set(_walls(reading, owner, labels))
        return cls(
            tuple(_numbered(reading, walls)),
            tuple(n for n, (s, e) in enumerate(reading.sentences) for _ in range(s, e)),
            tuple(stems),
            tuple(telling),
            tuple(owner),
        )


def _walls(reading: Reading, owner: list[int | None], labels: set[int]) -> Iterator[int]:
    """The places at which a clause starts."""
    for place, token in enumerate(reading.tokens):
        if owner[place] is None and place not in labels and _is_wall(reading.tokens, place, token):
            yield place
    for label in reading.labels:
        if label.end < len(reading.tokens) and reading.tokens[label.end].fold == ":":
            yield label.start
    yield from (start for start, _ in reading.sentences)


def _is_wall(tokens: tuple[Token, ...], place: int, token: Token) -> bool:
    if token.fold == "-":
        return token.spaced and (place + 1 == len(tokens) or tokens[place + 1].spaced)
    return token.fold in _WALL_MARKS or token.fold in _WALL_WORDS


def _numbered(reading: Reading, walls: set[int]) -> Iterator[int]:
    number = 0
    for place in range(len(reading.tokens)):
        number += place in walls
        yield number
