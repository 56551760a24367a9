"""Scoring a reply against the answer table, cell by cell and row by row.

The measures are those of WideSearch (arXiv 2508.07999), with rules for what it leaves
open: rows are joined one to one, so that no score exceeds 1 and saying a row twice never pays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict

from answers.headings import find_columns, split_heading
from answers.join import Joiner, RowMatch, is_blank
from answers.reply import ReplyTable, Unreadable, read_reply
from answers.table import AnswerTable

Mark = Literal["right", "wrong", "missing", "invented", "ignored"]
"""What a cell is: of the answer, one of the first three."""


class Score(BaseModel):
    """How well one reply states one answer table. Every measure lies between 0 and 1.

    Attributes:
        item_precision: right cells, of the rows said times the answer's columns.
        item_recall: right cells, of the answer's cells.
        item_f1: their harmonic mean.
        row_precision: rows right in every cell, of the rows said.
        row_recall: rows right in every cell, of the answer's rows.
        row_f1: their harmonic mean.
        guarded_precision: as `item_precision`, over guarded columns alone; 0 if there are none.
        guarded_recall: as `item_recall`, over guarded columns alone; 0 if there are none.
        guarded_f1: their harmonic mean.
        guarded_columns: how many of the answer's columns are guarded.
        key_f1: of the rows with a right key, whatever else they say.
        success: every row is right, and there are no others.
        gold_rows: rows of the answer.
        said_rows: rows of the reply, exact duplicates left out; none if all are blank.
        problem: why the reply could not be read, in one line; None if it could.
        missing_columns: columns of the answer that the reply lacks.
        extra_columns: headings of the reply that the answer has not.
        tags: whatever the score is to be grouped by.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    item_precision: float = 0.0
    item_recall: float = 0.0
    item_f1: float = 0.0
    row_precision: float = 0.0
    row_recall: float = 0.0
    row_f1: float = 0.0
    guarded_precision: float = 0.0
    guarded_recall: float = 0.0
    guarded_f1: float = 0.0
    guarded_columns: int = 0
    key_f1: float = 0.0
    success: bool = False
    gold_rows: int
    said_rows: int = 0
    problem: str | None = None
    missing_columns: tuple[str, ...] = ()
    extra_columns: tuple[str, ...] = ()
    tags: dict[str, str] = {}


@dataclass(frozen=True)
class Explanation:
    """A score with what it rests on, cell by cell.

    Attributes:
        reply: the table as it was read; None if there was none.
        places: for each column of the answer, its place in the reply.
        rows: what each row of the reply was taken for.
    """

    score: Score
    reply: ReplyTable | None
    places: tuple[int | None, ...]
    rows: tuple[RowMatch, ...]

    @cached_property
    def said_marks(self) -> tuple[tuple[Mark, ...], ...]:
        """The marks of the reply's cells.

        A cell of a row too many is invented; a column that nobody asked for and a row that was
        said before are ignored.
        """
        columns = {place: column for column, place in enumerate(self.places) if place is not None}
        rows = self.reply.rows if self.reply else ()
        return tuple(
            tuple(_said_mark(match, columns.get(place), cell) for place, cell in enumerate(row))
            for match, row in zip(self.rows, rows, strict=True)
        )

    @cached_property
    def gold_marks(self) -> tuple[tuple[Mark, ...], ...]:
        """The marks of the answer's cells: right, wrong, or missing in the reply."""
        joined = {
            match.gold_row: marks
            for match, marks in zip(self.rows, self.said_marks, strict=True)
            if match.use == "joined"
        }

        def mark(row: int, place: int | None) -> Mark:
            return "missing" if place is None or row not in joined else joined[row][place]

        rows = range(self.score.gold_rows)
        return tuple(tuple(mark(row, place) for place in self.places) for row in rows)


def _said_mark(match: RowMatch, column: int | None, cell: str) -> Mark:
    if column is None or match.use in ("repeat", "blank"):
        return "ignored"
    if match.use == "surplus":
        return "invented"
    if match.right[column]:
        return "right"
    return "missing" if is_blank(cell) else "wrong"


def score(gold: AnswerTable, text: str | None, tags: Mapping[str, str] | None = None) -> Score:
    """Score a reply.

    Columns are found by heading, with or without the unit in parentheses. Rows are joined on
    their keys, right ones before those that one edit makes right; such a key is a wrong cell. Of
    several rows for one key the first counts and the rest are wrong rows, unless they are exact
    duplicates, which count once. A missing column costs its cells; rows that then have no complete
    key are joined where what is left of it is one row's alone.

    Args:
        gold: the answer.
        text: the reply, whatever it is; None if there was none.
        tags: copied into the score.
    """
    return explain(gold, text, tags).score


def explain(
    gold: AnswerTable, text: str | None, tags: Mapping[str, str] | None = None
) -> Explanation:
    """Score a reply as `score` does, and keep what the score rests on."""
    headings = [_heading(column.name, column.unit) for column in gold.columns]
    reply = Unreadable("there is no reply") if text is None else read_reply(text, headings)
    if isinstance(reply, Unreadable):
        failed = Score(
            gold_rows=len(gold.rows),
            guarded_columns=sum(column.guarded for column in gold.columns),
            problem=reply.reason,
            missing_columns=tuple(column.name for column in gold.columns),
            tags=dict(tags or {}),
        )
        return Explanation(failed, None, (None,) * len(gold.columns), ())
    places = tuple(find_columns(headings, reply.columns))
    joiner = Joiner(gold, places)
    rows = joiner.take(reply.rows)
    said = sum(match.use in ("joined", "surplus") for match in rows)
    result = _score(_Tally(joiner, said), reply, dict(tags or {}))
    return Explanation(result, reply, places, rows)


def _heading(name: str, unit: str | None) -> str:
    return f"{name} ({unit})" if unit and not split_heading(name)[1] else name


@dataclass(frozen=True)
class _Measure:
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True)
class _Tally:
    """The rows that were joined, and how many were said."""

    joiner: Joiner
    said: int

    def measure(self, right: int, width: int) -> _Measure:
        """Precision and recall of what is right, where each row says or wants `width` things."""
        said, wanted = self.said * width, len(self.joiner.gold.rows) * width
        if width and not (said or wanted or self.joiner.missing):
            # An answer without rows is stated in full by a table without rows.
            return _Measure(1.0, 1.0)
        return _Measure(right / said if said else 0.0, right / wanted if wanted else 0.0)


def _score(tally: _Tally, reply: ReplyTable, tags: dict[str, str]) -> Score:
    joiner = tally.joiner
    columns = joiner.gold.columns
    guarded = [place for place, column in enumerate(columns) if column.guarded]
    rows = list(joiner.joined.values())
    right_rows = sum(map(all, rows))
    right_keys = sum(all(cells[key] for key in joiner.keys) for cells in rows)
    item = tally.measure(sum(map(sum, rows)), len(columns))
    row = tally.measure(right_rows, 1)
    guard = tally.measure(sum(cells[place] for cells in rows for place in guarded), len(guarded))
    return Score(
        item_precision=item.precision,
        item_recall=item.recall,
        item_f1=item.f1,
        row_precision=row.precision,
        row_recall=row.recall,
        row_f1=row.f1,
        guarded_precision=guard.precision,
        guarded_recall=guard.recall,
        guarded_f1=guard.f1,
        guarded_columns=len(guarded),
        key_f1=tally.measure(right_keys if joiner.complete else 0, 1).f1,
        success=right_rows == tally.said == len(joiner.gold.rows) and not joiner.missing,
        gold_rows=len(joiner.gold.rows),
        said_rows=tally.said,
        missing_columns=joiner.missing,
        extra_columns=tuple(
            heading for place, heading in enumerate(reply.columns) if place not in joiner.places
        ),
        tags=tags,
    )
