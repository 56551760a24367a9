"""Joining the rows of a reply to the rows of the answer, one to one, by their keys."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Literal, NamedTuple

from answers.compare import gold_forms, said_form
from answers.table import AnswerTable
from answers.text import BLANKS, normalise_text

Use = Literal["joined", "surplus", "repeat", "blank"]

_Forms = tuple[str | None, ...]


class RowMatch(NamedTuple):
    """What one row of a reply was taken for.

    Attributes:
        use: `joined` to a row of the answer; `surplus`, counted as a row too many; a `repeat` of
            a row before it, or a row of a table of blanks: these two don't count.
        gold_row: the place of the answer's row that its key names, None if it names none.
        right: for each column of the answer, whether the cell is that row's.
    """

    use: Use
    gold_row: int | None
    right: tuple[bool, ...]


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


class Joiner:
    """Takes in the rows of a reply, one after the other.

    Attributes:
        joined: by row of the answer: which cells the row that was joined to it has right.
        missing: the names of the columns that the reply lacks.
        complete: whether the reply has all key columns.
    """

    def __init__(self, gold: AnswerTable, places: Sequence[int | None]) -> None:
        """Join to an answer, whose columns stand at some places of the reply's rows."""
        self.gold, self.places = gold, places
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

    def take(self, rows: Sequence[Sequence[str]]) -> tuple[RowMatch, ...]:
        """Take in the rows of a table."""
        # A table of blanks alone says that there are no rows.
        if all(map(is_blank, (cell for row in rows for cell in row))):
            return (RowMatch("blank", None, (False,) * len(self.places)),) * len(rows)
        return tuple(map(self._take, rows))

    def _take(self, row: Sequence[str]) -> RowMatch:
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
            return RowMatch("repeat", best, right)
        self._seen.add(identity)
        if best is None or best not in free:
            return RowMatch("surplus", best, right)
        self.joined[best] = right
        return RowMatch("joined", best, right)

    def _right(self, gold_row: int, said: Sequence[str | None]) -> tuple[bool, ...]:
        return tuple(form in forms for form, forms in zip(said, self._forms[gold_row], strict=True))


def is_blank(cell: str) -> bool:
    """Whether a cell states nothing."""
    return normalise_text(cell) in BLANKS
