"""Fills: names that stand where a passage withholds one.

A name of the title needs no pairing, since all of its page is about it. But where a passage says
"the largest battery is found in [name]", it must not be put in the placeholder's place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from search_sim.audit.given import Given
from search_sim.audit.neutral import grammar
from search_sim.audit.reading import Item, Reading
from search_sim.audit.tokens import Token

_NAME = "[name]"
_NEAR = 2
"""How many words before or after a placeholder tell its place."""


def fill_faults(reading: Reading, items: Sequence[Item], given: Given) -> Iterator[str]:
    """The names that stand between the words of a withheld one, and not so in the given text."""
    withheld = {side for part in given.parts for side in _sides(part.tokens)}
    if not withheld:
        return
    for item in items:
        if item.kind != "name" or reading.quoted[item.start]:
            continue
        before, after = _around(reading.tokens, item.start, item.end)
        phrases = [
            phrase
            for side, phrase in (
                (("", before), f"{' '.join(before)}{item.words}"),
                ((after, ""), f"{item.words}{' '.join(after)}"),
            )
            if side in withheld
        ]
        if any(not given.holding(f" {phrase.strip()} ") for phrase in phrases):
            yield f'"{item.text}" stands where a name is withheld: write {_NAME} or leave it out'


Side = tuple[tuple[str, ...] | str, tuple[str, ...] | str]


def _sides(tokens: Sequence[Token]) -> Iterator[Side]:
    """The words on each side of a part's withheld names, where they say something."""
    for place, token in enumerate(tokens):
        if token.text == _NAME:
            before, after = _around(tokens, place, place + 1)
            if _tells(before):
                yield ("", before)
            if _tells(after):
                yield (after, "")


def _around(
    tokens: Sequence[Token], start: int, end: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    before = [token.fold for token in tokens[max(start - _NEAR - 1, 0) : start]]
    after = [token.fold for token in tokens[end : end + _NEAR + 1]]
    return tuple(_words(before)[-_NEAR:]), tuple(_words(after)[:_NEAR])


def _words(folds: Sequence[str]) -> list[str]:
    return [fold for fold in folds if fold[:1].isalnum()]


def _tells(words: tuple[str, ...]) -> bool:
    return len(words) == _NEAR and not grammar().issuperset(words)
