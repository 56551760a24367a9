"""The deciding check: whether a snippet says no more than what its writer was given.

It knows no secrets: what it finds depends on the snippet, what was given, and the world's open
words. Anything that doesn't trace is a fault; nothing is looked for that could be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from search_sim.audit.claims import claim_faults
from search_sim.audit.fills import fill_faults
from search_sim.audit.given import Given
from search_sim.audit.joins import join_faults
from search_sim.audit.layout import Layout
from search_sim.audit.names import capital_names, capital_runs, name_faults
from search_sim.audit.pairing import Pairing
from search_sim.audit.quotes import quotes
from search_sim.audit.reading import Item, read
from search_sim.audit.repeats import repeat_faults
from search_sim.audit.shape import MOST_CHARACTERS, shape_faults
from search_sim.audit.tracing import holders, trace_faults
from search_sim.audit.vocabulary import Vocabulary
from search_sim.audit.words import relation_faults, word_faults

__all__ = ["MOST_CHARACTERS", "audit"]


def audit(snippet: str, given: Given, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The faults of a snippet, each once, in a fixed order; empty if it traces.

    Args:
        snippet: any text.
        given: what the writer of this result was given.
        vocabulary: the open words of the world.

    Returns:
        One line each: the words that are at fault and what to do, for whoever writes it anew.
    """
    faults = list(shape_faults(snippet, given))
    if len(snippet) > MOST_CHARACTERS or quotes(snippet, given, vocabulary):
        return tuple(faults)
    reading = read(snippet, given, vocabulary)
    if all(reading.quoted):
        return tuple(faults)
    runs = capital_runs(reading)
    named = capital_names(reading, runs, given, vocabulary)
    items = _together(reading.items, named, given)
    held = [holders(item, given, vocabulary) for item in items]
    faults += trace_faults(reading, items, held)
    faults += word_faults(reading, given, vocabulary)
    faults += relation_faults(reading, given)
    faults += repeat_faults(reading, given)
    faults += name_faults(reading, runs, given, vocabulary)
    faults += fill_faults(reading, items, given)
    faults += join_faults(reading, given)
    layout = Layout.of(reading, items, given, vocabulary)
    faults += claim_faults(reading, items, given, layout)
    faults += Pairing(reading, items, held, given, vocabulary, layout).faults()
    return tuple(dict.fromkeys(faults))


def _together(items: Sequence[Item], names: Sequence[Item], given: Given) -> list[Item]:
    """All items in the order of their places; a word of a given name makes no claim: "Max Virurd".

    A capital alone makes no name: the given text must have it too.
    """
    long = [name for name in names if name.end - name.start > 1]
    within = {place for name in long for place in range(name.start, name.end)}
    kept = [
        item
        for item in items
        if item.kind != "claim"
        or item.start not in within
        or not given.is_proper(item.words.strip())
    ]
    return sorted((*kept, *names), key=lambda item: item.start)
