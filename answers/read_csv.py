"""Finding the CSV tables of a reply: with commas, semicolons or tabs, in a fence or bare.

Any prose has commas, so that a table is known by its header: a line with at least half of the
columns that were asked for. A fence that says that it holds CSV needs none.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from functools import partial

from answers.cells import clean_plain
from answers.found import Found, count_columns
from answers.text import normalise_text

_MARKS = "\t;,"
_FENCES = ("```", "~~~")
_CSV_FENCE = re.compile(r"(?:```|~~~) ?(?:csv|tsv)\b", re.IGNORECASE)
_LONGEST_HEADER = 4_000
_LONGEST_CELL = 20  # lines
# A number or a date whose own comma was not quoted: 1,299 and March 14, 2029.
_SPLIT_CELL = re.compile(
    r"[^\d,]{0,4}\d{1,3}|.* ?\d,\d{3}|[A-Za-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?"
)
_SPLIT_GROUP = re.compile(r"\d{3}(?:[. %].*)?")
_SPLIT_YEAR = re.compile(r" ?\d{4}")


def csv_tables(lines: Sequence[str], columns: Sequence[str]) -> Iterator[Found]:
    """The CSV tables in a text's lines, in their order.

    Args:
        lines: the lines of the reply.
        columns: the headings that were asked for.
    """
    words = _longest_words(columns)
    fenced = False
    end = 0
    for number, line in enumerate(lines):
        if number >= end and (fenced or _has_words(line, words)):
            mark = _mark(line, columns, fenced=fenced)
            if mark is not None:
                end = _end(lines, number, mark)
                yield _table(number, lines[number:end], mark)
        fenced = line.startswith(_FENCES) and _CSV_FENCE.match(line) is not None


def _longest_words(columns: Sequence[str]) -> tuple[str, ...]:
    """The longest word of each heading, by which a line is seen to be no header."""
    words = (max(normalise_text(column).split(), key=len, default="") for column in columns)
    return tuple(word for word in words if word)


def _has_words(line: str, words: Sequence[str]) -> bool:
    if not words or len(line) > _LONGEST_HEADER or line[:1] in "|<[{":
        return False
    low = line.casefold()
    return 2 * sum(word in low for word in words) >= len(words)


def _mark(line: str, columns: Sequence[str], *, fenced: bool) -> str | None:
    """What separates the cells of a header; None if the line is no header."""
    fits = {mark: count_columns(columns, _header(line, mark)) for mark in _MARKS if mark in line}
    if not fits:
        # A table of one column has nothing to separate; its header is a line of its own.
        alone = len(columns) == 1 and count_columns(columns, _header(line, ","))
        return "," if alone or (fenced and line.strip()) else None
    best = max(fits, key=fits.__getitem__)
    return best if fenced or 2 * fits[best] >= max(len(columns), 1) else None


def _header(line: str, mark: str) -> tuple[str, ...]:
    row = next(_parse([line], mark), [])
    return tuple(clean_plain(cell.removeprefix("\ufeff")) for cell in row)


def _end(lines: Sequence[str], start: int, mark: str, *, quotes: bool = True) -> int:
    """The line after the last one of a table: blank lines, fences and prose end it."""
    is_single = mark not in lines[start]
    opened = 0
    for number in range(start + 1, len(lines)):
        line = lines[number]
        is_outside = not line.strip() or line.startswith(_FENCES)
        if not opened and (is_outside or not (is_single or mark in line)):
            return number
        # A line break within quotes is part of a cell; a quote that isn't closed soon is none.
        if quotes and line.count('"') % 2:
            opened = 0 if opened else number
        if opened and number - opened >= _LONGEST_CELL:
            break
    return _end(lines, start, mark, quotes=False) if opened else len(lines)


def _table(number: int, lines: Sequence[str], mark: str) -> Found:
    header = _header(lines[0], mark)
    read = partial(_rows, lines[1:], mark, len(header))
    return Found(number, header, len(lines) - 1, read, clean_plain)


def _rows(lines: Sequence[str], mark: str, width: int) -> Iterator[Sequence[str]]:
    for row in _parse(lines, mark):
        if row:
            yield _mended(row, width) if mark == "," and len(row) > width else row


def _parse(lines: Sequence[str], mark: str) -> Iterator[list[str]]:
    # A quote that is never closed is no quote.
    odd = sum(line.count('"') for line in lines) % 2 == 1
    rows = csv.reader(
        (f"{line}\n" for line in lines),
        delimiter=mark,
        quoting=csv.QUOTE_NONE if odd else csv.QUOTE_MINIMAL,
        skipinitialspace=True,
    )
    try:
        yield from rows
    except csv.Error:  # a cell of more than 131,072 characters
        return


def _mended(row: Sequence[str], width: int) -> Sequence[str]:
    """A row with too many cells, whose numbers and dates are put together if it then fits."""
    whole: list[str] = [row[0]]
    for cell in row[1:]:
        is_group = _SPLIT_CELL.fullmatch(whole[-1]) and _SPLIT_GROUP.fullmatch(cell)
        is_year = whole[-1][:1].isalpha() and _SPLIT_YEAR.fullmatch(cell)
        if is_group or (is_year and _SPLIT_CELL.fullmatch(whole[-1])):
            whole[-1] += f",{cell}"
        else:
            whole.append(cell)
    return whole if len(whole) == width else row
