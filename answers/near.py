"""Keys that are nearly right: what a slip of the pen makes of a name.

Two keys are near when one edit makes one of the other: a character more, less or another, or two
neighbours swapped. That is what a slip does; two edits already lead from one invented name to the
next. Only to names and categories of six characters or more can a key be near, since among shorter
ones one edit makes other words, and the digits have to be the same, since `Pier 12` is no slip of
`Pier 13`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MIN_LENGTH = 6
"""Characters of the answer's key; to a shorter one no key is near."""

MAX_LENGTH = 100
"""Characters; a longer key is near to none."""

Key = tuple[str | None, ...]


class NearKeys:
    """The rows of an answer by what one edit makes of their keys."""

    def __init__(self, keys: Sequence[tuple[Key, int]], textual: Sequence[bool]) -> None:
        """Index keys with the rows that they name.

        Args:
            keys: the keys, several of them for a row with other names.
            textual: for each part of a key, whether it is text, which alone can be near.
        """
        self._textual = textual
        self._rows: dict[tuple[int, Key], dict[tuple[Key, int], None]] = {}
        for key, row in keys:
            for trace in self._traces(key):
                self._rows.setdefault(trace, {})[key, row] = None

    def find(self, key: Key) -> int | None:
        """The one row that has a key near this one; None if there is none, or are several."""
        rows = {
            row
            for trace in self._traces(key)
            for other, row in self._rows.get(trace, ())
            if _is_near(key[trace[0]], other[trace[0]])
        }
        return rows.pop() if len(rows) == 1 else None

    def _traces(self, key: Key) -> Iterator[tuple[int, Key]]:
        """The key with one part left as it is, or short of one character, and which part."""
        for place, part in enumerate(key):
            if self._textual[place] and part and MIN_LENGTH - 1 <= len(part) <= MAX_LENGTH:
                before, after = key[:place], key[place + 1 :]
                for text in {part, *(part[:at] + part[at + 1 :] for at in range(len(part)))}:
                    yield place, (*before, text, *after)


def _is_near(said: str | None, key: str | None) -> bool:
    if not (said and key) or said == key or len(key) < MIN_LENGTH:
        return False
    return _digits(said) == _digits(key) and _one_edit(said, key)


def _digits(text: str) -> list[str]:
    return [mark for mark in text if mark.isdecimal()]


def _one_edit(one: str, other: str) -> bool:
    """Whether one edit makes one text of another one."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    if len(a) == len(b):
        return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])
    return a[1:] == b or a == b[1:]
