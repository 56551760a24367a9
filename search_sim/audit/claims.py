"""Claims: words such as "more", "first" or "deepest", which can make a claim of given words.

Such a word says something of the word that follows it, or else of one before it. So a run of them
must stand in a given part that has the same word right after them; where a snippet has no word
there, the nearest telling word before them must be in that part too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from search_sim.audit.given import Given, Part
from search_sim.audit.layout import Layout
from search_sim.audit.reading import Item, Reading
from search_sim.audit.tokens import Token, stem

_ARTICLES = frozenset({"a", "an", "the", "of"})
_REACH = 3
"""How many words after a claim the word that it is made of can stand."""

_OPENING = frozenset({"", ".", "!", "?"})
_COPULAS = frozenset({"is", "are", "was", "were", "be", "been", "as"})


def claim_faults(
    reading: Reading, items: Sequence[Item], given: Given, layout: Layout
) -> Iterator[str]:
    """The claims that the given text doesn't make."""
    for start, end in _runs(items):
        if reading.quoted[start]:
            continue
        ones = [place for place in range(start, end) if reading.tokens[place].fold == "one"]
        is_given = any(_makes(reading, (start, end), layout, part) for part in given.parts)
        if not is_given or not all(_one_is_given(reading.tokens, one, given) for one in ones):
            text = reading.text[reading.tokens[start].start : reading.tokens[end - 1].end]
            yield f'"{text}" isn\'t said of this in what was given: leave it out'


def _runs(items: Sequence[Item]) -> Iterator[tuple[int, int]]:
    """The spans of claims that follow each other."""
    start = end = -1
    for item in items:
        if item.kind != "claim":
            continue
        if item.start != end:
            if start >= 0:
                yield start, end
            start = item.start
        end = item.end
    if start >= 0:
        yield start, end


def _makes(reading: Reading, span: tuple[int, int], layout: Layout, part: Part) -> bool:
    """Whether a part makes the claim that stands at a span of the snippet."""
    start, end = span
    words = {token.fold for token in reading.tokens[start:end]}
    if not words <= part.words:
        return False
    if following := _following(layout, end, reading.tokens):
        return _follows(part, reading.tokens[end - 1].fold, following)
    before = _nearest(layout, range(start - 1, -1, -1), start)
    after = _nearest(layout, range(end, len(layout.stems)), start)
    return (before or after or "") in ({""} | part.stems)


def _following(layout: Layout, end: int, tokens: Sequence[Token]) -> str:
    """The stem of the telling word right after a claim, articles aside; else empty."""
    while end < len(tokens) and tokens[end].fold in _ARTICLES:
        end += 1
    return layout.stems[end] if end < len(tokens) else ""


def _follows(part: Part, claim: str, following: str) -> bool:
    words = [token.fold for token in part.tokens if token.kind == "word"]
    return any(
        following in map(stem, words[place + 1 : place + 1 + _REACH])
        for place, word in enumerate(words)
        if word == claim
    )


def _nearest(layout: Layout, places: range, start: int) -> str:
    """The nearest telling word of the clause; words of the title count here."""
    for place in places:
        if layout.clauses[place] != layout.clauses[start]:
            break
        if layout.stems[place]:
            return layout.stems[place]
    return ""


def _one_is_given(tokens: Sequence[Token], place: int, given: Given) -> bool:
    """Whether "one" stands between the same words in what was given, so that it is no number.

    "X is one of the ports" may become "One of the ports".
    """
    before, after = _neighbours(tokens, place)
    around = [
        _neighbours(part.tokens, other)
        for part in given.parts
        for other, token in enumerate(part.tokens)
        if token.fold == "one"
    ]
    return any(
        after == following and (before == leading or (before in _OPENING and leading in _COPULAS))
        for leading, following in around
    )


def _neighbours(tokens: Sequence[Token], place: int) -> tuple[str, str]:
    before = tokens[place - 1].fold if place else ""
    return before, tokens[place + 1].fold if place + 1 < len(tokens) else ""
