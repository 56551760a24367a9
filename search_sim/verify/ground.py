"""Ground: what the verifiers know of a world, and how they read texts by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from search_sim.open_world import OpenWorld
from search_sim.verify.reading import Figures, figures
from search_sim.words import words

Subject = tuple[str, int]
"""An entity: its table and id."""


@dataclass(frozen=True)
class Said:
    """What a text says that can be compared.

    Attributes:
        figures: its numbers and dates.
        names: each name in it, as its words, with the entities that are called so.
    """

    figures: Figures
    names: dict[str, frozenset[Subject]]

    @property
    def subjects(self) -> frozenset[Subject]:
        """All entities that a name in it may mean."""
        return frozenset().union(*self.names.values())


class Ground:
    """A world's names, and its pages as they read; nothing in it changes but what is remembered."""

    def __init__(self, world: OpenWorld) -> None:
        """Collect the names of `world`."""
        self._world = world
        names: dict[tuple[str, ...], set[Subject]] = {}
        for table, entity_id, name in world.world.entities():
            for form in (name, *world.world.short_names.get((table, entity_id), ())):
                names.setdefault(words(form), set()).add((table, entity_id))
        self._names = {phrase: frozenset(found) for phrase, found in names.items()}
        self._longest = max(map(len, self._names), default=0)
        self._pages: dict[str, Said] = {}

    def said(self, text: str) -> Said:
        """What a text says."""
        return Said(figures(text), dict(self._named(words(text))))

    def page(self, url: str) -> Said:
        """What the page at a URL says, its title included; nothing where there is none."""
        if url not in self._pages:
            page = self._world.page(url)
            self._pages[url] = self.said(page.markdown if page else "")
        return self._pages[url]

    def _named(self, spoken: tuple[str, ...]) -> Iterator[tuple[str, frozenset[Subject]]]:
        """The names in some words, the longest first at each place."""
        place = 0
        while place < len(spoken):
            for length in range(min(self._longest, len(spoken) - place), 0, -1):
                phrase = spoken[place : place + length]
                if phrase in self._names:
                    yield " ".join(phrase), self._names[phrase]
                    place += length
                    break
            else:
                place += 1


@lru_cache(maxsize=64)
def ground_of(world: OpenWorld) -> Ground:
    """The ground of a world, made once."""
    return Ground(world)
