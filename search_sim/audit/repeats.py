"""Repeats: words, placeholders and marks in a row, which are a way to count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from search_sim.audit.given import Given
from search_sim.audit.neutral import grammar
from search_sim.audit.reading import Reading
from search_sim.audit.tokens import Token, run

_STOPS = (3, 4)
"""How many stops can stand in a row: an ellipsis, also after the end of a sentence."""

_JOINING = frozenset({*",;:()\"'&/-–—|•·", "and"})
_WORDED = frozenset({"word", "placeholder"})
_OFTEN = 2
"""How often a word may stand in a snippet though the given text has it less often."""


def repeat_faults(reading: Reading, given: Given) -> Iterator[str]:
    """What stands in a row more than once."""
    tokens = reading.tokens
    for start, end in _rows(tokens):
        ellipsis = tokens[start].fold == "." and end - start in _STOPS
        if not ellipsis and not reading.quoted[start]:
            yield f'"{_written(reading, start, end)}" repeats a mark: write it once'
    spoken = [place for place, token in enumerate(tokens) if token.fold not in _JOINING]
    for one, other in pairwise(spoken):
        same = reading.stems[one] == reading.stems[other] and tokens[one].kind != "mark"
        if same and not (reading.quoted[one] or given.holding(run((tokens[one], tokens[other])))):
            yield f'"{_written(reading, one, other + 1)}" repeats itself: write it once'
    yield from _too_often(reading, given)
    said = [sentence for sentence in reading.said if sentence]
    if len(set(said)) < len(said):
        yield "a sentence stands there twice: write it once"


def _too_often(reading: Reading, given: Given) -> Iterator[str]:
    """Words and placeholders that stand there more often than in all of the given text."""
    words = [t.fold for t in reading.tokens if t.kind in _WORDED and t.fold not in grammar()]
    for fold, times in Counter(words).items():
        if times > _OFTEN and times > given.counts[fold]:
            yield f'"{fold}" stands there {times} times: write it less often'


def _rows(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The spans of equal marks in a row."""
    found: list[tuple[int, int]] = []
    for place, (one, other) in enumerate(pairwise(tokens)):
        if one.kind == "mark" and one.fold == other.fold:
            if found and found[-1][1] == place + 1:
                found[-1] = (found[-1][0], place + 2)
            else:
                found.append((place, place + 2))
    return found


def _written(reading: Reading, start: int, end: int) -> str:
    return reading.text[reading.tokens[start].start : reading.tokens[end - 1].end]
