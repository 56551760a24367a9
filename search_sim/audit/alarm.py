"""The alarm: how many withheld facts of a page a snippet states.

It knows the truth, so it decides nothing: whatever came of its verdict would tell the truth. It
only counts. It shares no code with the auditor: the auditor reads what stands there and traces it,
the alarm writes what must not stand there, in every form, and looks for it.

A fact is stated where a form of its value stands in the snippet, and what was shown to the
snippet's writer neither states the fact nor has the value as often. A value is often a small number
that stands for something else too, so beside its attribute's name it counts in any case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from search_sim.audit.forms import NUMBER_WORDS, SCALE_WORDS
from search_sim.audit.views import Words, other_views, view
from search_sim.audit.watch import Phrases, Slot, Watch, watch_page
from worldgen.pages import Web
from worldgen.world import World

_PAGES = 1024
"""How many pages' forms are kept."""


@dataclass(frozen=True)
class _Seen:
    """What was found in a text.

    Attributes:
        values: how often each fact's value stands there.
        bound: the facts whose value stands in one sentence with its attribute's name.
        long: the facts of which a long form stands there.
    """

    values: Counter[Slot]
    bound: frozenset[Slot]
    long: frozenset[int]


class Alarm:
    """Counts the withheld facts that snippets state."""

    def __init__(self, world: World, web: Web) -> None:
        """Watch over the facts of `world` that `web` states."""
        # Not a method of this object: a world must go without the collector's help.
        self._watch = lru_cache(maxsize=_PAGES)(partial(_watch_url, world, web))

    def count(self, url: str, snippet: str, shown: str) -> int:
        """How many guarded facts a snippet states that weren't shown to its writer.

        Args:
            url: the page that the snippet is of; one that doesn't exist has no facts.
            snippet: what was written.
            shown: all that the writer was given of this result, disclosed facts included.
        """
        watch = self._watch(url)
        if watch is None or not watch.facts:
            return 0
        said = _look(watch, snippet)
        if not (said.values or said.long):
            return 0
        known = _look(watch, shown)
        return sum(_is_new(watch, number, said, known) for number in range(len(watch.facts)))


def _watch_url(world: World, web: Web, url: str) -> Watch | None:
    page = web.by_url.get(url)
    return None if page is None else watch_page(world, page)


def _look(watch: Watch, text: str) -> _Seen:
    """What stands in a text, in whichever view of it most of that does."""
    plain = view(text)
    squeezed = ["".join(words) for words in plain]
    long = frozenset(
        number for form, number in watch.long if any(form in sentence for sentence in squeezed)
    )
    values, bound = _values(watch, plain)
    for other in other_views(text):
        more, tied = _values(watch, other)
        values, bound = values | more, bound | tied
    return _Seen(values, bound, long)


def _values(watch: Watch, sentences: Sequence[Words]) -> tuple[Counter[Slot], frozenset[Slot]]:
    values: Counter[Slot] = Counter()
    bound: set[Slot] = set()
    for words in sentences:
        if found := _find(watch.forms, words):
            values.update(found)
            bound.update(found.keys() & _find(watch.labels, words).keys())
    return values, frozenset(bound)


def _find(phrases: Phrases, words: Words) -> Counter[Slot]:
    """How often a phrase of each fact stands in a sentence; at one place it counts once."""
    found: Counter[Slot] = Counter()
    for place, word in enumerate(words):
        if word in phrases:
            found.update(
                {
                    slot
                    for phrase, slot in phrases[word]
                    if words[place : place + len(phrase)] == phrase
                    and not _is_part(words, place, place + len(phrase))
                }
            )
    return found


def _is_part(words: Words, start: int, end: int) -> bool:
    """Whether a number is only a part of a longer one: "two" in "forty two", 2 in `4 0 2`."""
    before, after = words[start - 1 : start], words[end : end + 1]
    spelled = words[start] in NUMBER_WORDS and any(w in NUMBER_WORDS for w in (*before, *after))
    digit = len(words[start]) == 1 and words[start].isdigit()
    apart = digit and any(len(w) == 1 and w.isdigit() for w in (*before, *after))
    scaled = words[end - 1][-1].isdigit() and any(w in SCALE_WORDS for w in after)
    return spelled or apart or scaled


def _is_new(watch: Watch, fact: int, said: _Seen, known: _Seen) -> bool:
    """Whether a text says a fact that another one doesn't."""
    digits = Slot(fact, spelled=False)
    if digits in known.bound or (fact in watch.telling and known.values[digits]):
        return False
    for slot in (digits, Slot(fact, spelled=True)):
        if slot in said.bound - known.bound:
            return True
        if said.values[slot] > known.values[slot] and fact not in known.long:
            return True
    return fact in said.long - known.long
