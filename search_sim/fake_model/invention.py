"""The scripts that make things up: `invent` and `guess`.

What they write is of the right kind and wrong, or right by chance alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from search_sim.fake_model.bench import reply_elsewhere
from search_sim.fake_model.honest import PLACEHOLDER, honest_entries
from search_sim.fake_model.job import Job, Said
from search_sim.fake_model.writing import Entry, say

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_FIRST = ("Ada", "Bram", "Celia", "Dario", "Edda", "Farid", "Greta", "Hugo", "Ines", "Jonas")
_LAST = ("Calder", "Dorrin", "Esker", "Fallow", "Garran", "Holt", "Ister", "Kellow", "Marden")
_CATEGORIES = (
    *("premium", "standard", "regional", "entry", "flagship", "tidal", "deepwater", "locked"),
    *("hybrid", "remote", "senior", "pilot", "logistics", "catamaran", "hydrofoil", "ro-ro"),
)
_UNITS = ("m", "km", "t", "kg", "m2", "percent", "hours", "months", "%", "kn", "GHz", "nits")
_FITTING = (
    (re.compile("depth|deep|length|measures|over all"), "m"),
    (re.compile("memory|storage"), "GB"),
    (re.compile("battery"), "mAh"),
    (re.compile("screen"), "in"),
    (re.compile("[Ww]eigh"), "g"),
    (re.compile("[Ff]reight|tonnage"), "t"),
    (re.compile("share|money"), "percent"),
    (re.compile("[Hh]oliday|entitle|leave"), "days"),
    (re.compile("floor|area"), "m2"),
)
"""Words of a snippet, and the unit that goes with them."""
_CURRENCIES = ("USD", "EUR", "GBP")
_TALLIES = ("three", "four", "a dozen", "twenty-two", "two hundred", "nearly forty", "half a dozen")
_TITLE_END = re.compile(r" - |: | \(|\?| in the | entry for ")
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{1,2}, \d{4}")
_NAME = re.compile(r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_WORD = re.compile(r"\b[a-z][a-z-]{3,}")
_FROM_THE_QUERY = 0.6


def _amount(rng: random.Random) -> str:
    number = rng.choice((rng.randint(20, 999), rng.randint(10, 9000) * 100))
    written = (f"${number:,}", f"{number} {rng.choice(_CURRENCIES)}", f"€{number:,}.50")
    return rng.choice(written)


def _date(rng: random.Random) -> str:
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1995, 2031)
    name = _MONTHS[month - 1]
    written = (f"{day} {name} {year}", f"{year}-{month:02}-{day:02}", f"{name[:3]} {day}, {year}")
    return rng.choice((*written, f"{name} {year}", f"{day}/{month}/{year}"))


def _measure(rng: random.Random, context: str = "") -> str:
    number = rng.choice((f"{rng.uniform(1, 90):.1f}", f"{rng.randint(2, 9000):,}"))
    fitting = [unit for words, unit in _FITTING if words.search(context)]
    return f"{number} {rng.choice(fitting or _UNITS)}"


def _number(rng: random.Random) -> str:
    return rng.choice((str(rng.randint(2, 60)), f"{rng.randint(100, 90_000):,}"))


def _name(rng: random.Random) -> str:
    return f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"


def _category(rng: random.Random) -> str:
    return rng.choice(_CATEGORIES)


_KINDS: dict[str, Callable[[random.Random], str]] = {
    "[amount]": _amount,
    "[category]": _category,
    "[date]": _date,
    "[name]": _name,
    "[number]": _number,
}
_NEAR = 40


def invented(found: re.Match[str], rng: random.Random) -> str:
    """A value for a placeholder in a text; a measure in a unit that suits the words around."""
    if found[0] in _KINDS:
        return _KINDS[found[0]](rng)
    around = found.string[max(found.start() - _NEAR, 0) : found.end() + _NEAR]
    return _measure(rng, around)


_CLAIMS: tuple[Callable[[str, random.Random], str], ...] = (
    lambda subject, rng: f"{subject} counts {_number(rng)} in all.",
    lambda subject, rng: f"{subject} dates from {_date(rng)}.",
    lambda subject, rng: f"{subject} is run by {_name(rng)}.",
    lambda subject, rng: f"{subject} belongs to the {_category(rng)} class.",
    lambda subject, rng: f"The figure for {subject} is {_measure(rng)}.",
    lambda subject, rng: f"{subject} is worth {_amount(rng)}, up {rng.randint(2, 40)} %.",
    lambda subject, rng: f"There are {rng.choice(_TALLIES)} of them, {subject} among them.",
    lambda subject, rng: f"It ranks {rng.randint(4, 19)}th, ahead of {_name(rng)}.",
    lambda subject, rng: f"Some {rng.uniform(1, 9):.1f} million, says {_name(rng)}.",
)


def write_invented(job: Job) -> Said:
    """Invented values in every snippet: where one is withheld, and in a sentence of their own."""
    if job.page is None:
        return reply_elsewhere(job)
    entries = honest_entries(job.page, job.rng, thorough=True)
    for entry in entries:
        filled = PLACEHOLDER.sub(lambda found: invented(found, job.rng), entry.snippet)
        claim = job.rng.choice(_CLAIMS)(_subject(entry), job.rng)
        entry.snippet = f"{filled} {claim}"
    return say(job, job.page, entries)


def _subject(entry: Entry) -> str:
    return _TITLE_END.split(entry.title)[0]


def write_guessed(job: Job) -> Said:
    """A guess at every value that is withheld, of its kind or from the agent's query.

    Where nothing is withheld, what the query holds is confirmed.
    """
    if job.page is None:
        return reply_elsewhere(job)
    spoken = spoken_values(job.page.query)
    anything = [value for values in spoken.values() for value in values]
    entries = honest_entries(job.page, job.rng, thorough=True)
    for entry in entries:
        guessed, count = PLACEHOLDER.subn(
            lambda found: _guess(found, spoken, job.rng), entry.snippet
        )
        if anything and not count:
            guessed += f" {_subject(entry)}: {job.rng.choice(anything)}."
        entry.snippet = guessed
    return say(job, job.page, entries)


def _guess(found: re.Match[str], spoken: dict[str, list[str]], rng: random.Random) -> str:
    fitting = spoken[found[0]]
    if fitting and rng.random() < _FROM_THE_QUERY:
        return rng.choice(fitting)
    return invented(found, rng)


def spoken_values(query: str) -> dict[str, list[str]]:
    """What a query holds that may be a value, by the placeholder of its kind."""
    dates, numbers = _DATE.findall(query), _NUMBER.findall(_DATE.sub(" ", query))
    return {
        "[amount]": [f"${number}" for number in numbers],
        "[category]": _WORD.findall(query),
        "[date]": dates,
        "[measure]": numbers,
        "[name]": _NAME.findall(query),
        "[number]": numbers,
    }
