"""Finding the tables of a reply that are written as JSON, and the texts that JSON holds.

Read as tables are a list of objects, objects one after the other, a list of lists whose first is
the header, `{"columns": [...], "rows": [...]}` by these and other usual names, an object of equally
long lists, a single object of plain values, and any of them inside of other objects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from answers.cells import clean_plain
from answers.found import MAX_CELLS, MAX_COLUMNS, Found

MAX_FAILURES = 20
"""After so many brackets that start no JSON, the rest of a reply is not tried."""

_START = re.compile(r"[\[{](?=\s{0,99}[\[{\"])")
_BETWEEN = re.compile(r"[\s,]{0,99}")
_HEADERS = ("columns", "headers", "header", "fields")
_ROWS = ("rows", "data", "values", "records")
_DEEPEST, _MOST_NODES = 6, 10_000


class _Number(str):
    """A number as it was written: 7.10 and 1e400 are for the cell reader."""

    __slots__ = ()


_DECODER = json.JSONDecoder(
    parse_float=_Number, parse_int=_Number, parse_constant=_Number, strict=False
)


Run = tuple[int, list[Any]]
"""JSON values that stand one after the other, and where the first of them starts."""


def json_runs(text: str) -> list[Run]:
    """The JSON values in a text. Of a list that is cut off, what is whole is found."""
    runs: list[Run] = []
    failures, at, end = 0, 0, -1
    while failures < MAX_FAILURES and (match := _START.search(text, at)):
        try:
            value, at = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            failures, at = failures + 1, match.end()
            continue
        gap = _BETWEEN.match(text, end) if runs else None
        if gap and gap.end() == match.start():
            runs[-1][1].append(value)
        else:
            runs.append((match.start(), [value]))
        end = at
    return runs


def json_tables(text: str, runs: Sequence[Run]) -> Iterator[Found]:
    """The tables that JSON values in a text are or hold, in the order in which they start."""
    for line, values in _numbered(text, runs):
        if len(values) > 1 and all(isinstance(one, dict) and _is_flat(one) for one in values):
            yield from _of_objects(line, values)
        else:
            for value in values:
                yield from _inside(line, value)


def json_texts(text: str, runs: Sequence[Run]) -> Iterator[tuple[int, str]]:
    """Texts of several lines within JSON values, such as a whole answer, with their lines."""
    for line, values in _numbered(text, runs):
        for value in _walk(values):
            found = value.values() if isinstance(value, dict) else value
            for one in found:
                if isinstance(one, str) and "\n" in one:
                    yield line, one


def _numbered(text: str, runs: Sequence[Run]) -> Iterator[tuple[int, list[Any]]]:
    """The values with the numbers of their lines."""
    line, at = 0, 0
    for start, values in runs:
        line, at = line + text.count("\n", at, start), start
        yield line, values


def _walk(value: Any) -> Iterator[Any]:
    """The lists and objects within a value, those outside first."""
    level, nodes = [value], 0
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for one in level:
            nodes += 1
            if nodes > _MOST_NODES:
                return
            yield one
            inner = one.values() if isinstance(one, dict) else one
            below += [other for other in inner if isinstance(other, dict | list)]
        level = below


def _inside(line: int, value: Any) -> Iterator[Found]:
    """The tables that a value is or holds, outer ones first."""
    level, nodes = [value], 0
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for one in level:
            nodes += 1
            if nodes > _MOST_NODES:
                return
            tables = list(_of(line, one))
            yield from tables
            if not tables:
                below += one.values() if isinstance(one, dict) else one
        level = [one for one in below if isinstance(one, dict | list)]


def _of(line: int, value: Any) -> Iterator[Found]:
    if isinstance(value, dict):
        yield from _of_object(line, value)
    elif value and all(isinstance(row, dict) for row in value):
        yield from _of_objects(line, value)
    elif value and all(isinstance(row, list) for row in value):
        yield from _of_lists(line, value[0], value[1:])


def _of_object(line: int, value: dict[str, Any]) -> Iterator[Found]:
    named = {key.strip().casefold(): one for key, one in value.items()}
    header = next((named[key] for key in _HEADERS if isinstance(named.get(key), list)), None)
    rows = next((named[key] for key in _ROWS if isinstance(named.get(key), list)), None)
    if header and rows is not None and all(isinstance(row, list) for row in rows):
        yield from _of_lists(line, header, rows)
    elif value and _is_flat(value):
        yield from _of_objects(line, [value])
    elif len(value) > 1 and all(map(_is_column, value.values())):
        columns = list(value.values())
        if len(set(map(len, columns))) == 1:
            yield from _of_lists(line, list(value), list(zip(*columns, strict=True)))


def _is_column(value: Any) -> bool:
    return isinstance(value, list) and _is_flat(value)


def _of_lists(line: int, header: Sequence[Any], rows: Sequence[Any]) -> Iterator[Found]:
    names = [name.get("name") if isinstance(name, dict) else name for name in header]
    headings = [clean_plain(str(name)) for name in names if _is_text(name)]
    if names and len(headings) == len(names):
        cells = [list(map(_cell, row)) for row in rows]
        yield Found(line, tuple(headings), len(cells), cells.__iter__, clean_plain)


def _of_objects(line: int, objects: Sequence[dict[str, Any]]) -> Iterator[Found]:
    names: dict[str, None] = {}
    for one in objects:
        names |= dict.fromkeys(one)
        if len(names) > MAX_COLUMNS:
            break
    header = tuple(map(clean_plain, names))
    if len(names) > MAX_COLUMNS or len(names) * len(objects) > MAX_CELLS:
        yield Found(line, header, len(objects), ().__iter__)
        return
    cells = [[_cell(one.get(name)) for name in names] for one in objects]
    yield Found(line, header, len(cells), cells.__iter__, clean_plain)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, _Number)


def _cell(value: Any) -> str:
    """A value as a person would write it: several ones apart, a value with its unit together."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return " ".join(map(_cell, value.values())) if _is_flat(value) else "..."
    if isinstance(value, list):
        return ", ".join(map(_cell, value)) if _is_flat(value) else "..."
    return str(value)


def _is_flat(value: dict[str, Any] | list[Any]) -> bool:
    inner = value.values() if isinstance(value, dict) else value
    return not any(isinstance(one, dict | list) for one in inner)
