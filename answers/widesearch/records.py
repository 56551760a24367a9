"""Splitting delimited text into records, as the CSV reader under the public scorer does.

Source: WideSearch (arXiv 2508.07999), whose public scorer reads tables with pandas 2.3. A quote is
special at the start of a field only; what follows the closing quote belongs to the field; lines of
blanks are skipped; a carriage return ends a line.
"""

from __future__ import annotations

import re
from functools import lru_cache

from answers.widesearch.errors import MALFORMED, ScorerError

__all__ = ["split_records"]

_BLANK_LINE = re.compile(r"[ \t]*(\r\n?|\n|\Z)")


def split_records(text: str, separator: str) -> list[list[str]]:
    """The fields of each line that isn't blank.

    Args:
        text: the file.
        separator: one character.

    Raises:
        ScorerError: a quote opens and doesn't close.
    """
    text = text.removeprefix("\ufeff")
    if '"' in text or "\r" in text:
        records = _scan(text, separator)
    else:
        records = [line.split(separator) for line in text.split("\n") if line.strip(" \t")]
    if "\0" in text:
        # The reader's words end at the first null character.
        return [[field.split("\0", 1)[0] for field in record] for record in records]
    return records


def _scan(text: str, separator: str) -> list[list[str]]:
    records: list[list[str]] = []
    place = 0
    while place < len(text):
        blank = _BLANK_LINE.match(text, place)
        if blank is None:
            if text[place] in " \t" and text[max(place - 1, 0)] == "\r":
                _stumble(records)
            record, place = _scan_line(text, separator, place)
            records.append(record)
            continue
        place = blank.end()
        if blank[1] == "\r" and text.startswith(separator, place):
            # After a blank line that ends so, the reader loses a separator.
            place += 1
    return records


def _stumble(records: list[list[str]]) -> None:
    """What the reader does at a line that is indented, after one that ended in a bare return.

    It goes back to the last line feed. It reads the first line twice, then minds; from the third
    line on it goes back for ever, and as a rule runs out of room.
    """
    if len(records) == 1:
        records.append(list(records[0]))
    elif len(records) > 2:
        raise ScorerError(MALFORMED, "a line is indented after a bare carriage return")


def _scan_line(text: str, separator: str, place: int) -> tuple[list[str], int]:
    """The fields of the line that starts at a place, and the place of the next line."""
    record: list[str] = []
    end = separator
    while end == separator:
        match = _field(separator).match(text, place)
        if match is None or match["closed"] == "":
            raise ScorerError(MALFORMED, f"the quote at character {place} doesn't close")
        record.append((match["quoted"] or "").replace('""', '"') + match["plain"])
        end, place = match["end"], match.end()
    return record, place


@lru_cache(maxsize=8)
def _field(separator: str) -> re.Pattern[str]:
    mark = re.escape(separator)
    return re.compile(
        r'(?:"(?P<quoted>(?:[^"]++|"")*+)(?P<closed>"?))?'
        rf"(?P<plain>[^{mark}\r\n]*+)(?P<end>{mark}|\r\n?|\n|\Z)"
    )
