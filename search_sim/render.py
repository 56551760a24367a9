"""Renderers: from materials to the results that an agent reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from search_sim.materials import Asked, Material, Rendering, Scene, Written
from search_sim.prompts.variant import Variant, read_variant


class Renderer(Protocol):
    """Writes the results of one search: a page for each of its queries."""

    @property
    def variant(self) -> Variant:
        """The prompt that a model is asked with, or would be."""
        ...

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        """A rendering for each query, in order. Never raises, and never waits without bound."""
        ...

    def close(self) -> None:
        """Let go of whatever it holds; nothing may be rendered after that."""
        ...


class TemplateRenderer:
    """Keeps the engine's order and joins the passages."""

    @property
    def variant(self) -> Variant:
        """The prompt that a model would be asked with."""
        return read_variant()

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        """A rendering for each query, in order."""
        return [
            Rendering(tuple(Written(place, snippet(m)) for place, m in enumerate(one.materials)))
            for one in asked
        ]

    def close(self) -> None:
        """Nothing to let go of."""


def snippet(material: Material) -> str:
    """The template's snippet: the passages, with an ellipsis where others between are left out."""
    parts: list[str] = []
    previous = None
    for passage in material.passages:
        if previous is not None:
            parts.append(" " if passage.number == previous + 1 else " … ")
        text = passage.text
        parts.append(text if text.endswith((".", "!", "?")) else f"{text}.")
        previous = passage.number
    return "".join(parts)
