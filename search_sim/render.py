"""Renderers: from masked passages and disclosed facts to what a result shows.

A renderer is given nothing else: not the page, not the world, not the task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from search_sim.passages import Passage


@dataclass(frozen=True)
class Material:
    """What a renderer is given of one result; URL, title and date must stay as they are."""

    url: str
    title: str
    date: str
    passages: tuple[Passage, ...]


class Renderer(Protocol):
    """Writes the snippets of one page of results."""

    def snippets(self, query: str, materials: Sequence[Material]) -> list[str]:
        """A snippet for each result, in order."""
        ...


class TemplateRenderer:
    """Joins the passages, with an ellipsis where statements between them are left out."""

    def snippets(self, query: str, materials: Sequence[Material]) -> list[str]:
        """A snippet for each result, in order."""
        return [_joined(material.passages) for material in materials]


def _joined(passages: Sequence[Passage]) -> str:
    parts: list[str] = []
    previous = None
    for passage in passages:
        if previous is not None:
            parts.append(" " if passage.number == previous + 1 else " … ")
        text = passage.text
        parts.append(text if text.endswith((".", "!", "?")) else f"{text}.")
        previous = passage.number
    return "".join(parts)
