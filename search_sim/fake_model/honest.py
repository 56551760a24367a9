"""The honest script: a plausible and truthful world model.

It writes from the passages alone: some left out, in another order, lightly reworded. What is to be
stated is stated. A result whose passages it is left without gets its title.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from search_sim.fake_model.bench import reply_elsewhere
from search_sim.fake_model.chat import Page, Source
from search_sim.fake_model.job import Job, Said
from search_sim.fake_model.writing import Entry, say
from worldgen.surface import PLACEHOLDERS

LEVELS = ("high", "moderate", "background")
PLACEHOLDER = re.compile("|".join(map(re.escape, sorted(set(PLACEHOLDERS.values())))))

_SWAPPED = 0.25
_LEFT_OUT = 0.15
_MASKED_LEFT_OUT = 0.4
_SHUFFLED = 0.4
_REWORDED = 0.4
_OPENINGS = ("", "", "", "From the page: ", "About this page: ", "Details: ")
_JOINTS = (" ", " ", " … ", " · ")
_IS_A = re.compile(r"(.{3,60}?),? is (an? .*)")


def write_honest(job: Job) -> Said:
    """A page of results, or whatever else is asked for."""
    if job.page is None:
        return reply_elsewhere(job)
    return say(job, job.page, honest_entries(job.page, job.rng))


def honest_entries(page: Page, rng: random.Random, thorough: bool = False) -> list[Entry]:
    """The results that are wanted, most relevant first, each with its snippet.

    Args:
        page: what is asked for.
        rng: what the results are drawn with.
        thorough: whether to leave out nothing that there is room for.
    """
    ordered = _ranked(page.wanted, rng)
    return [Entry.of(source, _snippet(source, page.most, rng, thorough)) for source in ordered]


def _ranked(sources: Sequence[Source], rng: random.Random) -> list[Source]:
    """By relevance, and neighbours of the same relevance swapped now and then."""
    ranked = sorted(sources, key=_level)
    for place in range(1, len(ranked)):
        one, other = ranked[place - 1 : place + 1]
        if _level(one) == _level(other) and rng.random() < _SWAPPED:
            ranked[place - 1 : place + 1] = other, one
    return ranked


def _level(source: Source) -> int:
    return LEVELS.index(source.relevance) if source.relevance in LEVELS else len(LEVELS)


def _snippet(source: Source, most: int, rng: random.Random, thorough: bool) -> str:
    """A snippet of at most so many characters, unless what is to be stated takes up more."""
    kept = [text for text in source.passages if thorough or not _left_out(text, rng)]
    opening, joint = rng.choice(_OPENINGS), rng.choice(_JOINTS)
    parts = [_reworded(text, rng) for text in source.stated]
    room = most - len(opening) - sum(len(part) + len(joint) for part in parts)
    for text in kept or source.passages[:1]:
        part = _reworded(text, rng)
        if len(part) + len(joint) <= room:
            parts.append(part)
            room -= len(part) + len(joint)
    if rng.random() < _SHUFFLED:
        rng.shuffle(parts)
    return opening + joint.join(parts) if parts else source.title


def _left_out(text: str, rng: random.Random) -> bool:
    return rng.random() < (_MASKED_LEFT_OUT if PLACEHOLDER.search(text) else _LEFT_OUT)


def _reworded(text: str, rng: random.Random) -> str:
    """A passage as a sentence; now and then `X is a Y` becomes `X, a Y`."""
    found = _IS_A.fullmatch(text)
    said = f"{found[1]}, {found[2]}" if found and rng.random() < _REWORDED else text
    return said if said.endswith((".", "!", "?")) else f"{said}."
