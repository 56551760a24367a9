"""Reading a model's reply: which results it wrote, in which order, and what is wrong with it.

Nothing that a reply says of a result but its snippet is ever shown: URL, title and date are those
that were given. A reply that says others of them is sent back all the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from search_sim.prompts.prompt import TAG
from worldgen.lm.records import Reply
from worldgen.lm.thinking import last_tagged, strip_thinking

MOST_READ = 200_000
"""Characters of a reply that are looked at."""

_START = re.compile(r"\[(\d{1,3})\]\s*(\S+)")
_FIELD = re.compile(r"(title|snippet|date)\s*:\s*(.*)", re.IGNORECASE)
_FENCE = re.compile(r"```(?:json|text)?")


@dataclass(frozen=True)
class Claimed:
    """A result as a model wrote it; a field is None where the reply doesn't have it."""

    url: str
    title: str | None = None
    snippet: str | None = None
    date: str | None = None


@dataclass(frozen=True)
class Prediction:
    """What was read of a reply.

    Attributes:
        text: the prediction, without thinking and tags; what a model is shown of its own reply.
        results: in the order in which they were written.
        faults: what is wrong with the reply as a whole.
    """

    text: str
    results: tuple[Claimed, ...] = ()
    faults: tuple[str, ...] = ()


def read_text(reply: Reply) -> Prediction:
    """Read results between tags, in the public format."""
    said = _said(reply)
    tagged = last_tagged(said, TAG)
    if tagged is None:
        text = strip_thinking(said).strip()
        return Prediction(text, (), (f"there is no <{TAG}> in the reply{_cut(reply)}",))
    results = tuple(_blocks(tagged))
    if not results:
        return Prediction(tagged, (), (f"no line between the tags is [n] URL{_cut(reply)}",))
    return Prediction(tagged, results)


def _said(reply: Reply) -> str:
    """The end of what was said; halves of characters, which JSON can hold, become marks."""
    return reply.text[-MOST_READ:].encode("utf-8", "replace").decode("utf-8")


def _cut(reply: Reply) -> str:
    return ", which was cut off" if reply.finish == "length" else ""


def _blocks(text: str) -> Iterator[Claimed]:
    """The results of a text; a field may go on over several lines."""
    current: Claimed | None = None
    field = ""
    for line in map(str.strip, text.splitlines()):
        if start := _START.match(line):
            if current:
                yield current
            current, field = Claimed(start[2]), ""
        elif current and (found := _FIELD.match(line)):
            field = found[1].lower()
            current = replace(current, **{field: found[2].strip()})
        elif current and field and line and not _FENCE.fullmatch(line):
            current = replace(current, **{field: f"{getattr(current, field)} {line}".strip()})
        else:
            field = ""
    if current:
        yield current


def read_json(reply: Reply) -> Prediction:
    """Read an object with a list of results; a fence or words around it don't matter."""
    text = strip_thinking(_said(reply)).strip()
    tagged = last_tagged(text, TAG)
    found = _object(tagged if tagged is not None else text)
    entries = found.get("results") if isinstance(found, dict) else found
    if not isinstance(entries, list):
        fault = f'the reply is no JSON object with a list "results"{_cut(reply)}'
        return Prediction(text, (), (fault,))
    results = tuple(_entry(entry) for entry in entries if isinstance(entry, dict))
    return Prediction(text, results, () if results else ('"results" has no objects in it',))


def _object(text: str) -> Any:
    start, end = text.find("{"), text.rfind("}")
    for candidate in (text, text[start : end + 1]):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    return None


def _entry(entry: dict[str, Any]) -> Claimed:
    texts = {name: entry.get(name) for name in ("title", "snippet", "date")}
    return Claimed(
        str(entry.get("url", "")),
        **{name: text for name, text in texts.items() if isinstance(text, str)},
    )


def schema(urls: list[str], characters: int) -> dict[str, Any]:
    """The JSON schema that holds a reply to one entry for each of some URLs."""
    entry = {
        "type": "object",
        "properties": {
            "url": {"type": "string", "enum": urls},
            "snippet": {"type": "string", "minLength": 1, "maxLength": characters},
        },
        "required": ["url", "snippet"],
        "additionalProperties": False,
    }
    results = {"type": "array", "minItems": len(urls), "maxItems": len(urls), "items": entry}
    return {
        "type": "object",
        "properties": {"results": results},
        "required": ["results"],
        "additionalProperties": False,
    }
