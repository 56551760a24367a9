"""The protocol that search engines stand behind, and what they all do alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

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


def query_words(query: str) -> list[str]:
    """The words of a query that an engine searches for: operators and punctuation mean nothing."""
    return re.findall(r"\w+", query.lower())[:MOST_TERMS]
