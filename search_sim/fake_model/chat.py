"""Reading a chat as a language world model reads it: what it is to write, and from what.

The materials are found by their shape, so that prompts of a user's own making work as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from search_sim.prompts.prompt import TAG
from worldgen.lm.records import Message

Form = Literal["text", "json"]

_START = re.compile(r"\[\d+\] (\S+)")
_FIELD = re.compile(r"(Title|Date|Relevance): (.*)")
_SECTION = re.compile(r"(Passages|To be stated):")
_MOST = re.compile(r"at most (\d+) characters")
_ACTION = re.compile(r"```json\n(\{.*\})\n```")
_DEFAULT_MOST = 300


@dataclass(frozen=True)
class Source:
    """The materials of one result, as the prompt has them.

    Attributes:
        date: as it is to be written.
        passages: what may be said.
        stated: what is to be said.
    """

    url: str
    title: str
    date: str
    relevance: str
    passages: tuple[str, ...]
    stated: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """The page of results that a chat asks for.

    Attributes:
        instruction: the message that asks for it.
        wanted: the results to write: all of them, or those that a correction names.
        most: how many characters a snippet may have.
    """

    instruction: str
    query: str
    wanted: tuple[Source, ...]
    form: Form
    most: int


def read_page(messages: Sequence[Message], structured: bool) -> Page | None:
    """The page of results that a chat asks for, if it asks for one.

    Args:
        messages: the chat.
        structured: whether the server was asked for JSON apart from the chat.
    """
    spoken = [message.content for message in messages if message.role == "user"]
    for place in range(len(spoken) - 1, -1, -1):
        if sources := tuple(read_sources(spoken[place])):
            break
    else:
        return None
    instruction = spoken[place]
    wanted = sources if place == len(spoken) - 1 else _named(sources, spoken[-1])
    if not wanted:
        return None
    most = _MOST.search(instruction)
    return Page(
        instruction=instruction,
        query=_query(instruction),
        wanted=wanted,
        form="json" if structured or _wants_json(instruction) else "text",
        most=int(most[1]) if most else _DEFAULT_MOST,
    )


def read_sources(text: str) -> Iterator[Source]:
    """The materials that an instruction holds."""
    lines = text.split("\n")
    starts = [n for n in range(len(lines) - 1) if _starts(lines, n)]
    for start, end in pairwise([*starts, len(lines)]):
        block = lines[start:end]
        yield _source(block[: block.index("")] if "" in block else block)


def _starts(lines: Sequence[str], place: int) -> bool:
    return bool(_START.fullmatch(lines[place])) and lines[place + 1].startswith("Title: ")


def _source(block: Sequence[str]) -> Source:
    fields: dict[str, str] = {}
    texts: dict[str, list[str]] = {"Passages": [], "To be stated": []}
    section = ""
    for line in block[1:]:
        if found := _SECTION.fullmatch(line):
            section = found[1]
        elif section:
            texts[section].append(line.removeprefix("- "))
        elif field := _FIELD.fullmatch(line):
            fields[field[1]] = field[2]
    return Source(
        url=block[0].partition(" ")[2],
        title=fields["Title"],
        date=fields.get("Date", "N/A"),
        relevance=fields.get("Relevance", ""),
        passages=tuple(texts["Passages"]),
        stated=tuple(texts["To be stated"]),
    )


def _named(sources: Sequence[Source], correction: str) -> tuple[Source, ...]:
    """The results whose URLs have a line of their own, as a correction lists them."""
    lines = set(map(str.strip, correction.split("\n")))
    return tuple(source for source in sources if source.url in lines)


def _wants_json(instruction: str) -> bool:
    return "JSON" in instruction and f"<{TAG}>" not in instruction


def _query(instruction: str) -> str:
    """The query of the action that an instruction comes with."""
    found = _ACTION.search(instruction)
    try:
        arguments = json.loads(found[1])["arguments"] if found else {}
        return str(arguments.get("query", ""))
    except (ValueError, KeyError, AttributeError):
        return ""
