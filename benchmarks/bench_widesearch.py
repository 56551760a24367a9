"""What scoring a reply as the public WideSearch scorer does costs, with two columns of dates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from answers.widesearch import FROZEN_NOW, SilentJudge, evaluate, extract_table, load_gold
from benchmarks.common import compare, options, positive, print_table, rate, times
from worldgen.seeds import generator

SEED = 22
ROWS = (40, 500)
HEADINGS = (
    "Port",
    "Opened",
    "Dredged",
    "Depth (m)",
    "Dues (USD)",
    "Basin",
    "Harbourmaster",
    "Home",
)
BAR_MS = 100
FIRST_DAY = dt.date(1991, 3, 14)
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
READING = "reading alone"
Row = tuple[str, ...]


def pipeline() -> dict[str, Any]:
    """How each column is compared: each preprocessor, and each metric but the judge's."""
    text = {"preprocess": ["norm_str"], "metric": ["exact_match"]}
    date = {"preprocess": ["norm_date"], "metric": ["date_near"]}
    number = {"preprocess": ["extract_number"], "metric": ["number_near"], "criterion": 0.05}
    link = {"preprocess": [], "metric": ["url_match"]}
    part = {"preprocess": ["norm_str"], "metric": ["in_match"]}
    names = [heading.lower().replace(" ", "") for heading in HEADINGS]
    rules = (text, date, date, number, number, text, part, link)
    return {
        "required": names,
        "unique_columns": names[:1],
        "eval_pipeline": dict(zip(names, rules, strict=True)),
    }


def iso(day: dt.date) -> str:
    """A day as `2029-03-14`."""
    return day.isoformat()


def worded(day: dt.date) -> str:
    """A day as `14 March 2029`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def table(count: int, *forms: Callable[[dt.date], str]) -> list[Row]:
    """Rows whose dates are all distinct, each date column in a form of its own."""
    rng = generator(SEED, "cells")
    opened, dredged = forms
    return [
        (
            f"Port Number{row}",
            opened(FIRST_DAY + dt.timedelta(days=17 * row)),
            dredged(FIRST_DAY + dt.timedelta(days=17 * row + 9)),
            str(rng.randint(10, 999) / 10),
            f"{rng.randint(10_000, 99_999_999):,}",
            rng.choice(("tidal", "deepwater", "locked", "roadstead")),
            rng.choice(("Orla Vennick", "Tam Ruddock")),
            f"https://port{row}.example/home",
        )
        for row in range(count)
    ]


def csv(rows: Sequence[Row]) -> str:
    """The gold file."""
    lines = [",".join(HEADINGS)]
    lines += [",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows]
    return "\n".join(lines) + "\n"


def markdown(rows: Sequence[Row]) -> str:
    """The reply, its rows in another order."""
    shuffled = list(rows)
    generator(SEED, "order").shuffle(shuffled)
    rule = ("---",) * len(HEADINGS)
    lines = ["| " + " | ".join(cells) + " |" for cells in (HEADINGS, rule, *shuffled)]
    return "Here it is.\n```markdown\n" + "\n".join(lines) + "\n```"


def score(gold: str, rules: dict[str, Any], reply: str) -> float:
    """Read both tables, and score the reply."""
    frame = load_gold(gold, rules["required"])
    return evaluate(frame, rules, reply, SilentJudge(), FROZEN_NOW).f1_by_item


def measure(count: int, rounds: int) -> list[list[str]]:
    """The lines for one size of table."""
    rules = pipeline()
    gold = csv(table(count, iso, worded))
    replies = {
        "dates as in the gold": markdown(table(count, iso, worded)),
        "dates in the other form": markdown(table(count, worded, iso)),
    }
    cases: dict[str, Callable[[], float]] = {
        kind: partial(score, gold, rules, reply) for kind, reply in replies.items()
    }
    reading = {READING: partial(extract_table, replies["dates as in the gold"])}
    taken = compare({**cases, **reading}, rounds)
    size = f"{count} x {len(HEADINGS)}"
    return [
        [
            f"{size}, {kind}",
            f"{seconds * 1e3:.2f}",
            rate(1, seconds),
            rate(count * len(HEADINGS), seconds),
            times(seconds, taken[READING]),
            f"{cases[kind]():.3f}" if kind in cases else "",
        ]
        for kind, seconds in taken.items()
    ]


def main() -> None:
    """Measure each size."""
    parser = options(__doc__)
    parser.add_argument("--rounds", type=positive, help="rounds (25; 1, quick)")
    chosen = parser.parse_args()
    rounds = chosen.rounds or (1 if chosen.quick else 25)
    lines = [line for count in ROWS for line in measure(count, rounds)]
    print_table(
        f"Scoring a reply in widesearch mode (bar: {BAR_MS} ms for {ROWS[-1]} x {len(HEADINGS)})",
        ("reply", "CPU ms", "replies/CPU s", "cells/CPU s", "x reading", "item F1"),
        lines,
    )


if __name__ == "__main__":
    main()
