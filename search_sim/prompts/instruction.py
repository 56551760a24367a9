"""The simulation instruction: what a model is told of one search, and no more than that.

It carries the masked passages, the disclosed facts, how relevant each result is, and the controls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import get_args

from search_sim.materials import Asked, Material
from search_sim.observation import NOTHING_FOUND, write_date
from search_sim.passages import Relevance

SNIPPET_CHARACTERS = 300
"""What a model is asked to keep to; the check allows a third more, since models count badly."""

_FIELD = re.compile(r"\{([a-z]+)\}")


def fill(text: str, fields: Mapping[str, object]) -> str:
    """A text with its fields in braces filled in; other braces, and those in values, stay."""
    return _FIELD.sub(lambda found: str(fields.get(found[1], found[0])), text).strip()


def write_instruction(template: str, asked: Asked) -> str:
    """The instruction for one page of results, from a variant's template."""
    if not asked.materials:
        query = json.dumps(asked.query, ensure_ascii=False)
        return f"Nothing on page {asked.page} for the query {query}: say {NOTHING_FOUND}"
    fields = {
        "query": json.dumps(asked.query, ensure_ascii=False),
        "page": asked.page,
        "count": len(asked.materials),
        "mix": _mix(asked.materials),
        "characters": SNIPPET_CHARACTERS,
        "results": _results(asked.materials),
    }
    return fill(template, fields)


def _mix(materials: Sequence[Material]) -> str:
    counts = dict.fromkeys(get_args(Relevance), 0)
    for material in materials:
        counts[material.relevance] += 1
    return ", ".join(f"{count} {level}" for level, count in counts.items() if count)


def _results(materials: Sequence[Material]) -> str:
    return "\n\n".join(_result(number, m) for number, m in enumerate(materials, 1))


def _result(number: int, material: Material) -> str:
    lines = [
        f"[{number}] {material.url}",
        f"Title: {material.title}",
        f"Date: {write_date(material.date)}",
        f"Relevance: {material.relevance}",
    ]
    for heading, told in (("Passages:", False), ("To be stated:", True)):
        texts = [f"- {p.text}" for p in material.passages if p.disclosed == told]
        lines += [heading, *texts] if texts else []
    return "\n".join(lines)
