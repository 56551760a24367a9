"""Writing a reply: results in the form that was asked for, with the thinking before it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from search_sim.fake_model.chat import Page, Source
from search_sim.fake_model.job import Job, Said
from search_sim.prompts.prompt import TAG

_OPENINGS = ("", "", "", "Here is the result page.\n\n", "**Environment Observation:**\n")
_DRAFTS = (
    "I should only use what the passages say, and keep the words in brackets.",
    "The order can follow the relevance. Each snippet takes up one line.",
    "The query may hold a guess, so I do not repeat it.",
)
_FALSE_START = "Not this yet, only a first try."


@dataclass
class Entry:
    """One result on its way into a reply.

    Attributes:
        loose: what follows it on a line of its own; none if empty.
    """

    url: str
    title: str
    date: str
    snippet: str
    loose: str = ""

    @classmethod
    def of(cls, source: Source, snippet: str) -> Entry:
        """The entry of a result with its own URL, title and date."""
        return cls(source.url, source.title, source.date, snippet)


def say(job: Job, page: Page, entries: Sequence[Entry]) -> Said:
    """Entries as a whole reply."""
    if page.form == "json":
        return say_json(job, write_json(page, entries))
    return say_tagged(job, write_text(entries))


def say_tagged(job: Job, text: str, tag: str = TAG) -> Said:
    """A text in its tag, after thinking."""
    return Said(f"{_thoughts(job, tag)}{job.rng.choice(_OPENINGS)}<{tag}>\n{text}\n</{tag}>")


def say_json(job: Job, text: str) -> Said:
    """JSON, in a fence or bare; bare and alone where the server was asked for that."""
    if job.structured:
        return Said(text)
    fenced = f"```json\n{text}\n```" if job.rng.random() < 0.5 else text
    return Said(f"{_thoughts(job, '')}{fenced}")


def think(job: Job, tag: str, false_start: str) -> str:
    """Thinking that isn't over: thoughts, with a tagged block that is no reply."""
    start = f"<{tag}>\n{false_start}\n</{tag}>" if tag else false_start
    first, second = job.rng.sample(_DRAFTS, 2)
    return f"<think>\n{first}\n\n{start}\n\nWait. {second}\n"


def _thoughts(job: Job, tag: str) -> str:
    if not job.thinking:
        return ""
    draft = _FALSE_START if tag else json.dumps({"results": [], "note": _FALSE_START})
    return f"{think(job, tag, draft)}</think>\n\n"


def write_text(entries: Sequence[Entry]) -> str:
    """Entries in the public format of results."""
    return "\n\n".join(_block(number, entry) for number, entry in enumerate(entries, 1))


def _block(number: int, entry: Entry) -> str:
    lines = [
        f"[{number}] {entry.url}",
        f"Title: {entry.title}",
        f"Snippet: {entry.snippet}",
        f"Date: {entry.date}",
    ]
    return "\n".join([*lines, entry.loose] if entry.loose else lines)


def write_json(page: Page, entries: Sequence[Entry]) -> str:
    """Entries as an object; title and date only where they aren't those that were given."""
    given = {source.url: source for source in page.wanted}
    results = []
    for entry in entries:
        record = {"url": entry.url, "snippet": entry.snippet}
        source = given.get(entry.url)
        if source is None or entry.title != source.title:
            record["title"] = entry.title
        if source is None or entry.date != source.date:
            record["date"] = entry.date
        if entry.loose:
            record["note"] = entry.loose
        results.append(record)
    return json.dumps({"results": results}, ensure_ascii=False)
