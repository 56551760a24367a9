"""Finding an answer's columns among the headings of a reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from answers.text import normalise_text
from answers.units import same_unit

_PAIRS = {")": "(", "]": "["}
_LONGEST_UNIT = 40


def split_heading(heading: str) -> tuple[str, str]:
    """A heading without its last parentheses, and what stands in them, "" if there are none."""
    heading = heading.strip()
    start = heading.rfind(_PAIRS.get(heading[-1:], "\0"))
    if start <= 0:
        return heading, ""
    return heading[:start].strip(), heading[start + 1 : -1].strip()


def find_columns(wanted: Sequence[str], headings: Sequence[str]) -> list[int | None]:
    """The place of each wanted heading among `headings`, None where it is missing.

    Headings are the same when their normalised texts are, or when they are without what stands in
    parentheses and not both have a unit there, or both the same one. Where several headings fit,
    the first counts; where a bare heading fits several wanted ones, it is none of them.
    """
    places: list[int | None] = [None] * len(wanted)
    taken: set[int] = set()
    for same in (_same_text, _same_bare):
        for index, candidates in enumerate(same(wanted, headings)):
            free = [place for place in candidates if place not in taken]
            if places[index] is None and free:
                places[index] = free[0]
                taken.add(free[0])
    return places


def _same_text(wanted: Sequence[str], headings: Sequence[str]) -> list[list[int]]:
    by_text = _places([normalise_text(heading) for heading in headings])
    return [by_text.get(normalise_text(heading), []) for heading in wanted]


def _same_bare(wanted: Sequence[str], headings: Sequence[str]) -> list[list[int]]:
    asked = [_bare(heading) for heading in wanted]
    said = [_bare(heading) for heading in headings]
    count = Counter(bare for bare, _ in asked)
    by_bare = _places([bare for bare, _ in said])
    return [
        [
            place
            for place in by_bare.get(bare, [])
            if _units_agree(unit, said[place][1], alone=count[bare] == 1)
        ]
        for bare, unit in asked
    ]


def _bare(heading: str) -> tuple[str, str]:
    bare, unit = split_heading(heading)
    return normalise_text(bare), unit


def _places(texts: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    return places


def _units_agree(one: str, other: str, *, alone: bool) -> bool:
    if not (one and other):
        return alone
    return len(other) <= _LONGEST_UNIT and same_unit(one, other)
