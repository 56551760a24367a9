"""Search engines: the protocol, and the engines behind it by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from worldgen.errors import UnknownNameError

MOST_TERMS = 48
"""Terms of a query beyond this number are not searched for."""
TITLE_BOOST = 2.0
"""How much more a word of the title counts than one of the text."""


@dataclass(frozen=True)
class Document:
    """What an engine indexes of one page."""

    title: str
    site: str
    body: str


class Engine(Protocol):
    """Ranks the documents that it was built from."""

    def search(self, query: str) -> list[int]:
        """The places of all documents that match some word of a query, the best first.

        Any text is a query; operators mean nothing. Equal scores are in the order of the documents.
        """
        ...


MakeEngine = Callable[[Sequence[Document]], Engine]

ENGINES = ("tantivy", "whoosh")


def make_engine(name: str) -> MakeEngine:
    """The engine of that name; its library is imported here.

    Raises:
        UnknownNameError: there is none.
    """
    if name == "tantivy":
        from search_sim.tantivy_engine import TantivyEngine

        return TantivyEngine
    if name == "whoosh":
        from search_sim.whoosh_engine import WhooshEngine

        return WhooshEngine
    raise UnknownNameError(name, "engine", ENGINES)


def query_words(query: str) -> list[str]:
    """The words of a query that an engine searches for: operators and punctuation mean nothing."""
    return re.findall(r"\w+", query.lower())[:MOST_TERMS]
