"""Joining the rows of a reply to the rows of the answer, one to one, by their keys.

Rows with a right key are joined first, then those whose key is nearly right (`answers.near`) to
rows that nobody named. A near key makes its row count, but is a wrong cell itself: the question
asks for names, and a name that is misspelt is another one wherever else it stands.

So two things hold for replies that say each row of the answer at most once. A wrong row more never
raises a score: all that it can take is the place of a row that was joined. And a cell that is put
right never lowers it: the row stays joined to the row that it names, or comes to be. Where a reply
has two versions of a row the first counts, so that guessing twice never pays; a key put right that
makes of its row the first of two can cost what the second had right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Literal, NamedTuple

from answers.compare import NOTHING, Reader, gold_forms, reader
from answers.near import NearKeys
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
        near: whether the key is only nearly that row's.
    """

    use: Use
    gold_row: int | None
    right: tuple[bool, ...]
    near: bool = False


class _Said(NamedTuple):
    """A row of a reply: its cells in the answer's columns, their forms, the forms of its key."""

    cells: Sequence[str]
    forms: _Forms
    key: _Forms


class _Index:
    """The answer's rows by the forms of their keys."""

    def __init__(self, keys: Sequence[Sequence[tuple[str, ...]]]) -> None:
        self._exact: dict[_Forms, list[int]] = {}
        self._alias: dict[_Forms, list[int]] = {}
        for row, cells in enumerate(keys):
            for number, key in enumerate(product(*cells)):
                table = self._alias if number else self._exact
                table.setdefault(key, []).append(row)

    def find(self, key: _Forms, *, complete: bool) -> Sequence[int]:
        """The rows that a key can name. A row's own name goes before another's alias."""
        exact, alias = self._exact.get(key, ()), self._alias.get(key, ())
        if exact and complete:
            return exact
        rows = exact or alias
        return rows if len(rows) == 1 else ()

    def knows(self, key: _Forms) -> bool:
        """Whether a key is that of any row, or of several."""
        return key in self._exact or key in self._alias

    def keys(self) -> Iterator[tuple[_Forms, int]]:
        """Every key with each row that it names."""
        for table in (self._exact, self._alias):
            for key, rows in table.items():
                for row in rows:
                    yield key, row


class Joiner:
    """Takes in the rows of a reply.

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
        cells = list(zip(*gold.rows, strict=True)) or [()] * len(gold.columns)
        self._readers: list[Reader] = list(map(reader, gold.columns, cells))
        forms = [
            [gold_forms(column, cell, gold.aliases, read) for cell in values]
            for column, read, values in zip(gold.columns, self._readers, cells, strict=True)
        ]
        self._forms = list(zip(*forms, strict=True)) or [()] * len(gold.rows)
        self.missing = tuple(
            column.name for column, place in zip(gold.columns, places, strict=True) if place is None
        )
        self.keys = [place for place, column in enumerate(gold.columns) if column.key]
        self._keys = [place for place in self.keys if places[place] is not None]
        self.complete = self._keys == self.keys
        self._index = _Index([[row[place] for place in self._keys] for row in self._forms])

    def take(self, rows: Sequence[Sequence[str]]) -> tuple[RowMatch, ...]:
        """Take in the rows of a table."""
        # A table of blanks alone says that there are no rows.
        if all(map(is_blank, (cell for row in rows for cell in row))) and not self._has_blank_row():
            return (RowMatch("blank", None, (False,) * len(self.places)),) * len(rows)
        said = list(map(self._read, rows))
        named = [self._index.find(row.key, complete=self.complete) for row in said]
        found = [
            self._take(row, gold_rows) if gold_rows else None
            for row, gold_rows in zip(said, named, strict=True)
        ]
        strays = [number for number, match in enumerate(found) if match is None]
        near = {number: self._near(said[number]) for number in strays}
        # Of several rows that are near to one, that with most right cells is joined.
        strays.sort(key=lambda number: -self._count(near[number], said[number]))
        for number in strays:
            gold_row = near[number]
            match = self._take(said[number], () if gold_row is None else (gold_row,))
            found[number] = match._replace(near=gold_row is not None)
        return tuple(match for match in found if match)

    def _has_blank_row(self) -> bool:
        return any(all(cell and cell[0] == NOTHING for cell in row) for row in self._forms)

    def _read(self, row: Sequence[str]) -> _Said:
        cells = ["" if place is None else row[place] for place in self.places]
        forms = tuple([read(cell) for read, cell in zip(self._readers, cells, strict=True)])
        return _Said(cells, forms, tuple([forms[key] for key in self._keys]))

    def _near(self, said: _Said) -> int | None:
        if not self.complete or self._index.knows(said.key):
            return None
        return self._near_keys.find(said.key)

    @cached_property
    def _near_keys(self) -> NearKeys:
        textual = [self.gold.columns[key].kind in ("name", "category") for key in self._keys]
        return NearKeys(list(self._index.keys()), textual)

    def _take(self, said: _Said, rows: Sequence[int]) -> RowMatch:
        free = [gold_row for gold_row in rows if gold_row not in self.joined]
        best = max(free or rows, key=lambda row: self._count(row, said), default=None)
        right = (False,) * len(said.forms) if best is None else self._right(best, said)
        # Two right cells are the same however they are written, and so are two of one form.
        marks = tuple(
            [
                None if good else form or normalise_text(cell)
                for good, form, cell in zip(right, said.forms, said.cells, strict=True)
            ]
        )
        if (best, marks) in self._seen:
            return RowMatch("repeat", best, right)
        self._seen.add((best, marks))
        if best is None or not free:
            return RowMatch("surplus", best, right)
        self.joined[best] = right
        return RowMatch("joined", best, right)

    def _right(self, gold_row: int, said: _Said) -> tuple[bool, ...]:
        gold = self._forms[gold_row]
        return tuple([form in forms for form, forms in zip(said.forms, gold, strict=True)])

    def _count(self, gold_row: int | None, said: _Said) -> int:
        return 0 if gold_row is None else sum(self._right(gold_row, said))


def is_blank(cell: str) -> bool:
    """Whether a cell states nothing."""
    return normalise_text(cell) in BLANKS
