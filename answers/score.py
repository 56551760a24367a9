"""Scoring a reply against the answer table, cell by cell and row by row.

The measures are those of WideSearch (arXiv 2508.07999), with rules for what it leaves
open: rows are joined one to one, so that no score exceeds 1 and saying a row twice never pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from pydantic import BaseModel, ConfigDict

from answers.compare import gold_forms, said_form
from answers.headings import find_columns, split_heading
from answers.reply import ReplyTable, Unreadable, read_reply
from answers.table import AnswerTable
from answers.text import BLANKS, normalise_text

_Forms = tuple[str | None, ...]


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
        key_f1: of the rows found by their key, whatever else they say.
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


def score(gold: AnswerTable, text: str | None, tags: Mapping[str, str] | None = None) -> Score:
    """Score a reply.

    Columns are found by heading, with or without the unit in parentheses. Rows are joined on
    their keys. Of several rows for one key the first counts and the rest are wrong rows, unless
    they are exact duplicates, which count once. A missing column costs its cells; rows that then
    have no complete key are joined where what is left of it is one row's alone.

    Args:
        gold: the answer.
        text: the reply, whatever it is; None if there was none.
        tags: copied into the score.
    """
    headings = [_heading(column.name, column.unit) for column in gold.columns]
    reply = Unreadable("there is no reply") if text is None else read_reply(text, headings)
    if isinstance(reply, Unreadable):
        return Score(
            gold_rows=len(gold.rows),
            guarded_columns=sum(column.guarded for column in gold.columns),
            problem=reply.reason,
            missing_columns=tuple(column.name for column in gold.columns),
            tags=dict(tags or {}),
        )
    places = find_columns(headings, reply.columns)
    tally = _Tally(gold, places)
    # A table of blanks alone says that there are no rows.
    if any(normalise_text(cell) not in BLANKS for row in reply.rows for cell in row):
        for row in reply.rows:
            tally.count(row)
    return _score(tally, reply, dict(tags or {}))


def _heading(name: str, unit: str | None) -> str:
    return f"{name} ({unit})" if unit and not split_heading(name)[1] else name


class _Index:
    """The answer's rows by the forms of their keys."""

    def __init__(self, forms: Sequence[Sequence[tuple[str, ...]]], keys: Sequence[int]) -> None:
        self._exact: dict[_Forms, list[int]] = {}
        self._alias: dict[_Forms, list[int]] = {}
        for row, cells in enumerate(forms):
            for number, key in enumerate(product(*(cells[place] for place in keys))):
                table = self._alias if number else self._exact
                table.setdefault(key, []).append(row)

    def find(self, key: _Forms, *, complete: bool) -> Sequence[int]:
        """The rows that a key can name. A row's own name goes before another's alias."""
        exact, alias = self._exact.get(key, ()), self._alias.get(key, ())
        if exact and complete:
            return exact
        rows = exact or alias
        return rows if len(rows) == 1 else ()


@dataclass(frozen=True)
class _Measure:
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


class _Tally:
    """What the rows of a reply have right so far.

    Attributes:
        said: how many rows count as said.
        joined: by row of the answer: which cells the row that was joined to it has right.
        missing: the names of the columns that the reply lacks.
        complete: whether the reply has all key columns.
    """

    def __init__(self, gold: AnswerTable, places: Sequence[int | None]) -> None:
        self.gold, self.places = gold, places
        self.said = 0
        self.joined: dict[int, tuple[bool, ...]] = {}
        self._seen: set[tuple[int | None, _Forms]] = set()
        self._forms = [
            [
                gold_forms(column, cell, gold.aliases)
                for column, cell in zip(gold.columns, row, strict=True)
            ]
            for row in gold.rows
        ]
        self.missing = tuple(
            column.name for column, place in zip(gold.columns, places, strict=True) if place is None
        )
        keys = [place for place, column in enumerate(gold.columns) if column.key]
        self._keys = [place for place in keys if places[place] is not None]
        self.complete = self._keys == keys
        self._index = _Index(self._forms, self._keys)

    def count(self, row: Sequence[str]) -> None:
        """Take in one row of the reply."""
        cells = ["" if place is None else row[place] for place in self.places]
        said = [said_form(*pair) for pair in zip(self.gold.columns, cells, strict=True)]
        rows = self._index.find(tuple(said[key] for key in self._keys), complete=self.complete)
        free = [gold_row for gold_row in rows if gold_row not in self.joined]
        best = max(
            free or rows, key=lambda gold_row: sum(self._right(gold_row, said)), default=None
        )
        right = (False,) * len(said) if best is None else self._right(best, said)
        # Two right cells are the same however they are written, and so are two of one form.
        marks = (
            None if good else form or normalise_text(cell)
            for good, form, cell in zip(right, said, cells, strict=True)
        )
        identity = (best, tuple(marks))
        if identity in self._seen:
            return
        self._seen.add(identity)
        self.said += 1
        if best is not None and best in free:
            self.joined[best] = right

    def measure(self, right: int, width: int) -> _Measure:
        """Precision and recall of what is right, where each row says or wants `width` things."""
        said, wanted = self.said * width, len(self.gold.rows) * width
        if width and not (said or wanted or self.missing):
            # An answer without rows is stated in full by a table without rows.
            return _Measure(1.0, 1.0)
        return _Measure(right / said if said else 0.0, right / wanted if wanted else 0.0)

    def _right(self, gold_row: int, said: Sequence[str | None]) -> tuple[bool, ...]:
        return tuple(form in forms for form, forms in zip(said, self._forms[gold_row], strict=True))


def _score(tally: _Tally, reply: ReplyTable, tags: dict[str, str]) -> Score:
    columns = tally.gold.columns
    guarded = [place for place, column in enumerate(columns) if column.guarded]
    rows = list(tally.joined.values())
    right_rows = sum(map(all, rows))
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
        key_f1=tally.measure(len(rows) if tally.complete else 0, 1).f1,
        success=right_rows == tally.said == len(tally.gold.rows) and not tally.missing,
        gold_rows=len(tally.gold.rows),
        said_rows=tally.said,
        missing_columns=tally.missing,
        extra_columns=tuple(
            heading for place, heading in enumerate(reply.columns) if place not in tally.places
        ),
        tags=tags,
    )
