"""Quotes: snippets that are given texts one after the other, which need no further look.

Most of what a model writes is of this kind: whole passages, in any order, each once, perhaps after
a few words that say nothing ("About this page:"). Such words may not lead up to a lone name or
number, which would then say something new ("Found in: ...").
"""

from __future__ import annotations

import re

from search_sim.audit.given import Given, says
from search_sim.audit.tokens import cut, normalise
from search_sim.audit.vocabulary import Vocabulary

_QUOTE = "\n"
"""Stands where a given text was found; no snippet of one line has it."""
_FORM = re.compile(
    r"(?:(?P<lead>[A-Za-z' ]+): )?\n(?:[.!?;]? ?(?:(?:\.\.\.|[·|•]) )?\n)*(?:[.!?]|\.\.\.)?"
)
_ENDS = frozenset(".!?;")


def quotes(snippet: str, given: Given, vocabulary: Vocabulary) -> bool:
    """Whether a snippet is given texts with nothing but marks between them."""
    rest = normalise(snippet)
    if _QUOTE in rest:
        return False
    first = (len(rest), "")
    for text in given.longest_first:
        place = rest.find(text)
        if place >= 0 and _is_apart(rest, place, place + len(text)):
            first = min(first, (place, text))
            rest = f"{rest[:place]}{_QUOTE}{rest[place + len(text) :]}"
    form = _FORM.fullmatch(rest)
    if form is None:
        return False
    lead = (form["lead"] or "").casefold().split()
    return not lead or (all(word in vocabulary.neutral for word in lead) and says(cut(first[1])))


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether a span is no part of a longer word or number."""
    after = text[end : end + 2]
    is_last = (
        not after or after[0] in f" {_QUOTE}" or (after[0] in _ENDS and after[1:] in ("", " ", "."))
    )
    return is_last and text[start - 1 : start] in ("", " ", _QUOTE)
