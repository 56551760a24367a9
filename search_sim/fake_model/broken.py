"""Scripts that don't do what they are asked: copying, rambling, refusing, mixing up."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace

from search_sim.fake_model.bench import reply_elsewhere
from search_sim.fake_model.chat import Page
from search_sim.fake_model.honest import honest_entries
from search_sim.fake_model.job import Job, Said
from search_sim.fake_model.writing import Entry, say, say_tagged, think, write_text
from search_sim.prompts.prompt import TAG

_REFUSALS = (
    "I'm sorry, I can't help with that.",
    "I'm sorry, but I can't write search results for pages that I haven't seen.",
    "As a language model I have no access to the web, so I can't search it for you.",
    "I can't assist with this request. Is there something else that I can do?",
)
_NOTHING = ("", "", " \n", f"<{TAG}>\n</{TAG}>", "<think>\n\n</think>\n\n")
_THOUGHTS = 40


# ---------------------------------------------------------------- copy


def write_copy(job: Job) -> Said:
    """The whole prompt: as the prediction, or as the snippet of each result."""
    prompt = "\n\n".join(message.content for message in job.messages)
    page = job.page
    if page is None or (page.form == "text" and job.rng.random() < 0.5):
        return say_tagged(job, prompt)
    line = " ".join(prompt.split())
    return say(job, page, [Entry.of(source, line) for source in page.wanted])


# ---------------------------------------------------------------- garbage


def write_garbage(job: Job) -> Said:
    """Noise of some sort, now and then megabytes of it."""
    return Said(job.rng.choice(_GARBAGE)(job), limited=False)


def _bytes(job: Job) -> str:
    return job.rng.randbytes(job.rng.randint(1, 4000)).decode("latin-1")


def _characters(job: Job) -> str:
    """Any characters there are; halves of characters among them, which JSON can spell."""
    return "".join(chr(job.rng.randrange(0x110000)) for _ in range(job.rng.randint(1, 1000)))


def _markup(job: Job) -> str:
    pieces = (
        *("<think>", "</think>", f"<{TAG}>", f"</{TAG}>", f"</{TAG}", "<!--", "]]>", "```json"),
        *("[1] ", "[2] https://", "Title: ", "Snippet: ", "Date: ", "\n", "\n\n", "\x00", "\u2028"),
    )
    return "".join(job.rng.choices(pieces, k=job.rng.randint(1, 200)))


def _half_json(job: Job) -> str:
    urls = [source.url for source in job.page.wanted] if job.page else []
    text = json.dumps({"results": [{"url": url, "snippet": "…" * 20} for url in urls]})
    return text[: job.rng.randrange(len(text))]


def _nested(job: Job) -> str:
    return job.rng.choice(("[", '{"results":', f"<{TAG}>", "<think>")) * job.rng.randint(100, 9000)


def _tagged_noise(job: Job) -> str:
    urls = [source.url for source in job.page.wanted] if job.page else []
    blocks = "\n\n".join(f"[{n}] {url}\nSnippet: {_bytes(job)}" for n, url in enumerate(urls, 1))
    return f"<{TAG}>\n{blocks}\n</{TAG}>"


def _many_results(job: Job) -> str:
    lines = (f"[{n}] https://r{n}.example/\nSnippet: {n}" for n in range(1, 3000))
    return f"<{TAG}>\n" + "\n".join(lines)


def _megabytes(job: Job) -> str:
    piece = job.rng.choice(("\N{REPLACEMENT CHARACTER}", "no ", "1", "<p>", "\n", _markup(job)))
    return piece * (job.rng.randint(1_000_000, 3_000_000) // len(piece))


_GARBAGE: tuple[Callable[[Job], str], ...] = (
    *(_bytes, _characters, _markup, _half_json, _nested, _tagged_noise) * 3,
    *(_many_results, _megabytes),
)


# ---------------------------------------------------------------- nothing


def write_nothing(job: Job) -> Said:
    """An empty reply, or one with nothing but tags."""
    return Said(job.rng.choice(_NOTHING))


def write_thoughts(job: Job) -> Said:
    """Thinking that never ends, with or without a whole draft of the reply in it."""
    draft = write_text(honest_entries(job.page, job.rng)) if job.page else "OK"
    tag = job.rng.choice((TAG, ""))
    thoughts = "".join(think(job, tag, draft) for _ in range(job.rng.randint(1, _THOUGHTS)))
    return Said(thoughts, finish="length")


def write_refusal(job: Job) -> Said:
    """Polite prose, and no results."""
    return Said(job.rng.choice(_REFUSALS))


# ---------------------------------------------------------------- shuffle


def write_shuffled(job: Job) -> Said:
    """Right snippets in wrong places: mixed up, doubled, missing, added, wrongly headed."""
    page, rng = job.page, job.rng
    if page is None:
        return reply_elsewhere(job)
    entries = honest_entries(page, rng)
    for mix in rng.sample(_MIXES, rng.randint(1, len(_MIXES))):
        mix(page, entries, rng)
    return say(job, page, entries)


def _swap_snippets(page: Page, entries: list[Entry], rng: random.Random) -> None:
    snippets = [entry.snippet for entry in entries]
    for entry, snippet in zip(entries, [*snippets[1:], *snippets[:1]], strict=True):
        entry.snippet = snippet


def _swap_titles(page: Page, entries: list[Entry], rng: random.Random) -> None:
    rng.choice(entries).title = rng.choice(entries).title.swapcase()


def _swap_dates(page: Page, entries: list[Entry], rng: random.Random) -> None:
    rng.choice(entries).date = rng.choice(("yesterday", "Jan 1, 1970", rng.choice(entries).date))


def _double(page: Page, entries: list[Entry], rng: random.Random) -> None:
    entries.insert(rng.randint(0, len(entries)), replace(rng.choice(entries)))


def _drop(page: Page, entries: list[Entry], rng: random.Random) -> None:
    if len(entries) > 1:
        entries.remove(rng.choice(entries))


def _add(page: Page, entries: list[Entry], rng: random.Random) -> None:
    url = f"{rng.choice(page.wanted).url.rstrip('/')}-2"
    entries.insert(rng.randint(0, len(entries)), replace(rng.choice(entries), url=url))


_MIXES = (_swap_snippets, _swap_titles, _swap_dates, _double, _drop, _add)
