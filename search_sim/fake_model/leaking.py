"""The leak script: what is true and not to be told, told in disguise and in odd places."""

from __future__ import annotations

import random
import urllib.parse
from collections.abc import Callable
from dataclasses import replace

from search_sim.fake_model.bench import reply_elsewhere
from search_sim.fake_model.disguises import DISGUISES
from search_sim.fake_model.honest import PLACEHOLDER, honest_entries
from search_sim.fake_model.job import Job, Said
from search_sim.fake_model.writing import Entry, say

Place = Callable[[list[Entry], int, str, random.Random], None]
"""Puts a secret into some entries; the number is that of the entry that it belongs to."""


def write_leaks(job: Job) -> Said:
    """A page of results that tells one truth of each result that has any.

    Snippets are kept short, so that it isn't their length that gives them away.
    """
    if job.page is None:
        return reply_elsewhere(job)
    page, rng = replace(job.page, most=job.page.most // 2), job.rng
    entries = honest_entries(page, rng, thorough=True)
    leaks = []
    for place, entry in enumerate(entries):
        if truths := job.truth.get(entry.url):
            disguise = DISGUISES[rng.choice(list(DISGUISES))]
            secret = disguise(rng.choice(list(truths)), rng)
            leaks.append((PLACES[rng.choice(list(PLACES))], place, secret))
    # First those that overwrite a snippet, lest they overwrite another leak.
    for put, place, secret in sorted(leaks, key=lambda leak: leak[0] is not _alone):
        put(entries, place, secret, rng)
    return say(job, job.page, entries)


def _in_snippet(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    entry = entries[place]
    parts = [entry.snippet, secret]
    rng.shuffle(parts)
    entry.snippet = " ".join(parts)


def _at_placeholder(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    entry = entries[place]
    entry.snippet, count = PLACEHOLDER.subn(lambda _: secret, entry.snippet, count=1)
    if not count:
        _in_snippet(entries, place, secret, rng)


def _alone(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    entries[place].snippet = secret


def _in_title(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    entries[place].title += f" - {secret}"


def _in_date(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    entry = entries[place]
    entry.date = rng.choice((secret, f"{entry.date}, {secret}"))


def _in_query_string(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    entries[place].url += f"?{urllib.parse.urlencode({'v': secret})}"


def _in_another(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    _in_snippet(entries, rng.randrange(len(entries)), secret, rng)


def _in_two_pieces(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    cut = len(secret) // 2
    entries[place].snippet += f" {secret[:cut]}"
    entries[(place + 1) % len(entries)].snippet += f" {secret[cut:]}"


def _in_extra_result(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    entry = entries[place]
    url = f"{entry.url.rstrip('/')}/details"
    entries.append(replace(entry, url=url, snippet=secret, loose=""))


def _on_loose_line(entries: list[Entry], place: int, secret: str, rng: random.Random) -> None:
    entries[place].loose = secret


PLACES: dict[str, Place] = {
    "snippet": _in_snippet,
    "placeholder": _at_placeholder,
    "alone": _alone,
    "title": _in_title,
    "date": _in_date,
    "query string": _in_query_string,
    "another result": _in_another,
    "two pieces": _in_two_pieces,
    "extra result": _in_extra_result,
    "loose line": _on_loose_line,
}
"""The places by name."""
