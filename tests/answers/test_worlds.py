"""Answers of worlds, written in any format, order and way of writing numbers and dates."""

from __future__ import annotations

import csv
import datetime as dt
import html
import io
import json
import random
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

import pytest

from answers.markdown import to_markdown
from answers.score import score
from answers.table import AnswerColumn, AnswerTable
from queries.propose import propose_tasks
from queries.scene import Scene
from queries.task import Task
from worldgen.facts import Value
from worldgen.library import domain, domains
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.seeds import generator
from worldgen.tables import connect

ROUNDS = 2
Cells = Sequence[Sequence[str]]
Writer = Callable[[Sequence[str], Cells], str]


def as_csv(mark: str) -> Writer:
    def write(headings: Sequence[str], rows: Cells) -> str:
        file = io.StringIO()
        csv.writer(file, delimiter=mark, lineterminator="\n").writerows([headings, *rows])
        return file.getvalue()

    return write


def as_objects(headings: Sequence[str], rows: Cells) -> str:
    return json.dumps([dict(zip(headings, row, strict=True)) for row in rows], indent=1)


def as_columns_and_rows(headings: Sequence[str], rows: Cells) -> str:
    return json.dumps({"columns": headings, "rows": rows})


def as_html(headings: Sequence[str], rows: Cells) -> str:
    lines = [[f"<th>{html.escape(heading)}</th>" for heading in headings]]
    lines += [[f"<td>{html.escape(cell)}</td>" for cell in row] for row in rows]
    return "<table>\n" + "\n".join(f"<tr>{''.join(line)}</tr>" for line in lines) + "\n</table>"


WRITERS: dict[str, Writer] = {
    "markdown": to_markdown,
    "csv": as_csv(","),
    "semicolons": as_csv(";"),
    "tabs": as_csv("\t"),
    "json": as_objects,
    "columns and rows": as_columns_and_rows,
    "html": as_html,
}


def _swapped(text: str, thousands: str, point: str) -> str:
    return text.replace(",", "\0").replace(".", point).replace("\0", thousands)


NUMBERS: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace(",", ""),
    lambda text: text,
    lambda text: _swapped(text, ".", ","),
    lambda text: _swapped(text, " ", ","),
    lambda text: _swapped(text, "\u202f", ","),
    lambda text: _swapped(text, "'", "."),
)
DATES = (
    "{d:%Y-%m-%d}",
    "{d.day} {d:%B %Y}",
    "{d:%B} {d.day}, {d:%Y}",
    "{d:%d-%b-%Y}",
    "{d:%Y/%m/%d}",
)

AROUND = (("", ""), ("Here it is:\n\n", "\n\nThat is all, as of today."), ("```\n", "\n```"))


def say(column: AnswerColumn, value: Value, number: int, date: int, unit: bool) -> str:
    """A cell in one of the ways of writing numbers and dates, with or without its unit."""
    if column.kind == "number":
        written = NUMBERS[number](f"{Decimal(str(value)):,.{column.decimals}f}")
        return f"{written} {column.unit}" if unit and column.unit else written
    if column.kind == "date":
        return DATES[date].format(d=dt.date.fromisoformat(str(value)))
    return str(value)


def attempt(gold: AnswerTable, writer: str, rng: random.Random) -> str:
    """The whole answer in a format, its rows and columns in some order, its cells in some words."""
    order = rng.sample(range(len(gold.columns)), len(gold.columns))
    number, date = rng.randrange(len(NUMBERS)), rng.randrange(len(DATES))
    unit = rng.random() < 0.5
    rows = [
        [say(gold.columns[place], row[place], number, date, unit) for place in order]
        for row in rng.sample(gold.rows, len(gold.rows))
    ]
    text = WRITERS[writer]([gold.columns[place].name for place in order], rows)
    before, after = rng.choice(AROUND)
    return f"{before}{text}{after}"


def answers_of(name: str, seed: int) -> Iterator[tuple[str, AnswerTable]]:
    world = populate(domain(name), seed, f"{name}-{seed}")
    connection = connect(world)
    try:
        for found in propose_tasks(Scene(world, publish(world), connection), ROUNDS):
            if isinstance(found, Task):
                yield found.task_id, found.answer
    finally:
        connection.close()


def check(count: int) -> None:
    tried = 0
    names = domains()
    for number in range(count):
        for task_id, gold in answers_of(names[number % len(names)], number):
            for writer in WRITERS:
                text = attempt(gold, writer, generator(number, task_id, writer))
                assert score(gold, text).success, (task_id, writer, text)
                tried += 1
    assert tried >= count * len(WRITERS)


def test_the_answers_of_worlds_score_one_however_they_are_written() -> None:
    check(3)


@pytest.mark.slow
def test_the_answers_of_100_worlds_score_one_however_they_are_written() -> None:
    check(100)
