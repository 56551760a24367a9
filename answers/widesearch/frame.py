"""Tables as the public WideSearch scorer reads them: names, and a type for each column.

Source: WideSearch (arXiv 2508.07999), whose public scorer reads tables with pandas 2.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from answers.widesearch.errors import EMPTY_DATA, MALFORMED, ScorerError
from answers.widesearch.infer import Column, infer
from answers.widesearch.records import split_records

__all__ = ["Column", "Frame", "read_frame"]


@dataclass(frozen=True)
class Frame:
    """A table. Names may repeat.

    Attributes:
        names: the columns' names; a model that aligned them may have put anything there.
        columns: as many.
    """

    names: list[Any]
    columns: list[Column]

    def named(self, names: Iterable[Any]) -> Frame:
        """The same columns under other names."""
        return Frame(list(names), self.columns)

    def where(self, keep: Iterable[bool]) -> Frame:
        """Some of the columns."""
        kept = [place for place, wanted in enumerate(keep) if wanted]
        return Frame([self.names[place] for place in kept], [self.columns[place] for place in kept])

    def rows(self) -> list[tuple[Any, ...]]:
        """The cells, row by row."""
        return list(zip(*(column.values for column in self.columns), strict=True))

    def gather(self, names: Sequence[str]) -> dict[str, Column]:
        """The columns by name; those that share a name become one, whose cells are tuples."""
        return {name: self._column(name) for name in names}

    def _column(self, name: str) -> Column:
        pairs = zip(self.names, self.columns, strict=True)
        found = [column for own, column in pairs if own == name]
        if len(found) == 1:
            return found[0]
        return Column("repeated", list(zip(*(column.texts() for column in found), strict=True)))


def read_frame(text: str, separator: str) -> Frame:
    """Read a table from delimited text whose first line holds the names.

    Where the first row has more fields than there are names, the fields in front name the rows
    and are dropped. Short rows are filled up.

    Args:
        text: the text.
        separator: one character.

    Raises:
        ScorerError: there is no line, a row is too long, or a quote never ends.
        UnicodeEncodeError: a character is half a surrogate pair.
    """
    text.encode()
    records = split_records(text, separator)
    if not records:
        raise ScorerError(EMPTY_DATA, "there is no line to read")
    header, *rows = records
    width = max(len(header), len(rows[0]) if rows else 0)
    for row in rows:
        if len(row) > width:
            raise ScorerError(MALFORMED, f"a row has {len(row)} fields, the table {width}")
        row += [""] * (width - len(row))
    columns = list(map(infer, zip(*rows, strict=True))) if rows else [infer(())] * width
    return Frame(_distinct(header), columns[width - len(header) :])


def _distinct(header: Sequence[str]) -> list[str]:
    """The names, told apart by a number where they repeat; blank ones are called `Unnamed`."""
    names = [name or f"Unnamed: {place}" for place, name in enumerate(header)]
    count: dict[str, int] = {}
    # Blank ones come last, so that names that were given are kept.
    for place in sorted(range(len(names)), key=lambda place: not header[place]):
        first = name = names[place]
        seen = count.get(name, 0)
        while seen > 0:
            count[first] = seen + 1
            name = f"{first}.{seen}"
            seen = seen + 1 if name in names else count.get(name, 0)
        names[place] = name
        count[name] = seen + 1
    return names
