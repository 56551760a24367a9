"""What scoring a reply costs: small and large tables, right, wrong and unreadable replies.

The first two tables measure what is promised: 500 rows by 8 columns whose two columns of dates are
all distinct, and 10,000 answers of 40 by 6 on two cores.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from answers import AnswerColumn, AnswerTable, read_reply, score, to_markdown
from answers.headings import split_heading
from answers.table import CellKind
from benchmarks.common import compare, options, positive, print_table, rate, times
from worldgen.facts import Value
from worldgen.seeds import generator

SEED = 22
SIZES = ((40, 6), (500, 8))
KINDS: tuple[tuple[CellKind, str, int, str | None], ...] = (
    ("number", "Harbour depth", 1, "m"),
    ("date", "Opening date", 0, None),
    ("category", "Basin type", 0, None),
    ("number", "Annual harbour dues", 0, "USD"),
    ("name", "Harbourmaster", 0, None),
)
READING = "reading alone"
LIMIT_MS, LIMIT_S = 25, 30
ANSWERS, WORKERS = 10_000, 2


def columns(count: int) -> tuple[AnswerColumn, ...]:
    """A key and further columns of every kind."""
    others = []
    for place in range(count - 1):
        kind, label, decimals, unit = KINDS[place % len(KINDS)]
        name = f"{label} {place // len(KINDS) + 1}"
        heading = f"{name} ({unit})" if unit else name
        others.append(
            AnswerColumn(name=heading, kind=kind, guarded=True, decimals=decimals, unit=unit)
        )
    return (AnswerColumn(name="Port", kind="name", key=True), *others)


def table(row_count: int, column_count: int) -> AnswerTable:
    """An answer of some size, whose names have short forms."""
    found = columns(column_count)
    rows = [
        (f"Port Number{row}", *(cell(column, row) for column in found[1:]))
        for row in range(row_count)
    ]
    aliases: dict[str, tuple[str, ...]] = {
        str(row[0]): (str(row[0]).removeprefix("Port "),) for row in rows
    }
    return AnswerTable(columns=found, rows=tuple(rows), aliases=aliases)


def cell(column: AnswerColumn, row: int) -> Value:
    """A value of a column's kind."""
    rng = generator(SEED, column.name, row)
    if column.kind == "number":
        whole = rng.randint(10_000, 99_999_999)
        return whole / 10**column.decimals if column.decimals else whole
    if column.kind == "date":
        return f"{rng.randint(1800, 2030)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    return rng.choice(("tidal", "deepwater", "locked", "roadstead", "Orla Vennick", "Tam Ruddock"))


def written(gold: AnswerTable) -> str:
    """The right reply as an agent words it: rows in another order, units, thousands, bold names."""
    rows = list(gold.rows)
    generator(SEED, "order").shuffle(rows)
    headings = [split_heading(column.name)[0] for column in gold.columns]
    cells = [
        [_say(column, value) for column, value in zip(gold.columns, row, strict=True)]
        for row in rows
    ]
    lines = to_markdown(headings, cells).splitlines()
    bold = [f"| **{line.split('|')[1].strip()}** |{line.split('|', 2)[2]}" for line in lines[2:]]
    return "\n".join(["Here is what I found.", "", *lines[:2], *bold, "", "All is as of today."])


def _say(column: AnswerColumn, value: Value) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.{column.decimals}f} {column.unit}"


@dataclass(frozen=True)
class Reply:
    """A reply of one kind."""

    kind: str
    text: str


def replies(gold: AnswerTable) -> list[Reply]:
    """Replies to be scored."""
    names = [column.name for column in gold.columns]
    other = table(len(gold.rows) + 1, len(gold.columns)).rows
    shifted = [(row[0], *following[1:]) for row, following in pairwise(other)]
    unreadable = " ".join(str(value) for row in gold.rows for value in row)
    return [
        Reply("right, as given", to_markdown(names, gold.rows)),
        Reply("right, reworded", written(gold)),
        Reply("keys right, cells wrong", to_markdown(names, shifted)),
        Reply("no table", unreadable),
    ]


def measure(sizes: Sequence[tuple[int, int]], rounds: int) -> None:
    """Measure every kind of reply to every size of table, and print the table."""
    rows = []
    per_cell: dict[str, list[float]] = {}
    for row_count, column_count in sizes:
        gold = table(row_count, column_count)
        found = replies(gold)
        headings = [column.name for column in gold.columns]
        cases = {reply.kind: partial(score, gold, reply.text) for reply in found}
        reading = {READING: partial(read_reply, found[0].text, headings)}
        taken = compare({**cases, **reading}, rounds)
        cells = row_count * column_count
        for kind, t in taken.items():
            per_cell.setdefault(kind, []).append(t / cells)
            f1 = f"{cases[kind]().item_f1:.3f}" if kind in cases else ""
            values = (f"{t * 1e3:.2f}", rate(1, t), rate(cells, t), times(t, taken[READING]), f1)
            rows.append([f"{row_count} x {column_count}, {kind}", *values])
    print_table(
        "Scoring a reply",
        ("reply", "CPU ms", "replies/CPU s", "cells/CPU s", "x reading", "item F1"),
        rows,
    )
    ratios = [[kind, times(found[-1], found[0])] for kind, found in per_cell.items()]
    large, small = (" x ".join(map(str, size)) for size in (sizes[-1], sizes[0]))
    print_table(f"CPU time a cell: {large} over {small}", ("reply", "ratio"), ratios)


def dated() -> tuple[AnswerTable, tuple[int, ...]]:
    """An answer of 500 rows by 8 columns, no two of whose dates are equal, and its date columns."""
    gold = table(*SIZES[-1])
    dates = tuple(place for place, found in enumerate(gold.columns) if found.kind == "date")
    first = dt.date(1900, 1, 1)
    rows = [
        [
            (first + dt.timedelta(days=31 * (row * len(dates) + dates.index(place)))).isoformat()
            if place in dates
            else value
            for place, value in enumerate(values)
        ]
        for row, values in enumerate(gold.rows)
    ]
    return gold.model_copy(update={"rows": tuple(map(tuple, rows))}), dates


def _long(day: Value) -> str:
    """A day as `14 March 2029`."""
    date = dt.date.fromisoformat(str(day))
    return f"{date.day} {date:%B %Y}"


def measure_dates(rounds: int) -> None:
    """Measure the large table with its dates in two forms, against what is promised."""
    gold, dates = dated()
    names = [column.name for column in gold.columns]
    worded = [
        [_long(value) if place in dates else value for place, value in enumerate(row)]
        for row in gold.rows
    ]
    replies = {
        "dates as 2029-03-14": to_markdown(names, gold.rows),
        "dates as 14 March 2029": to_markdown(names, worded),
    }
    taken = compare({kind: partial(score, gold, text) for kind, text in replies.items()}, rounds)
    print_table(
        f"500 x 8, {len(gold.rows) * len(dates):,} dates, all distinct",
        ("reply", "CPU ms", "CPU ms allowed", "item F1"),
        [
            [kind, f"{t * 1e3:.2f}", str(LIMIT_MS), f"{score(gold, replies[kind]).item_f1:.3f}"]
            for kind, t in taken.items()
        ],
    )


def _score_many(count: int) -> tuple[float, float]:
    """Score so many answers, right and wrong ones in turn: CPU seconds, and the sum of their F1."""
    gold = table(*SIZES[0])
    texts = [reply.text for reply in replies(gold)[:3]]
    start = time.process_time()
    total = sum(score(gold, texts[number % len(texts)]).item_f1 for number in range(count))
    return time.process_time() - start, total


def measure_many(count: int) -> None:
    """Score many small answers in two processes, against what is promised of two cores."""
    with ProcessPoolExecutor(WORKERS) as pool:
        found = list(pool.map(_score_many, [count // WORKERS] * WORKERS))
    taken = max(seconds for seconds, _ in found)
    f1 = sum(total for _, total in found) / count
    allowed = LIMIT_S * count / ANSWERS
    print_table(
        f"Many answers, {WORKERS} processes",
        ("replies", "CPU s of each", "s allowed", "item F1"),
        [[f"{count:,} answers of 40 x 6", f"{taken:.2f}", f"{allowed:.2f}", f"{f1:.3f}"]],
    )


def main() -> None:
    """Measure what is promised, then both sizes."""
    parser = options(__doc__)
    parser.add_argument("--rounds", type=positive, help="rounds (25; 1, quick)")
    chosen = parser.parse_args()
    rounds = chosen.rounds or (1 if chosen.quick else 25)
    measure_dates(rounds)
    measure_many(ANSWERS // 100 if chosen.quick else ANSWERS)
    measure(SIZES, rounds)


if __name__ == "__main__":
    main()
