"""Writing a table as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from worldgen.facts import Value

_SPECIAL = re.compile(r"([\\|*_`\[\]<&])")
_RULE = re.compile(r"[-–—:=\s]+")
_BREAK = re.compile(r"\s*(?:\r\n?|\n)\s*")


def to_markdown(columns: Sequence[str], rows: Sequence[Sequence[Value | None]]) -> str:
    """A well-formed Markdown table that `answers.reply.read_reply` reads back.

    Markdown's own characters are escaped, line breaks become `<br>`, None a blank; floats are
    written without an exponent.

    Args:
        columns: the headings.
        rows: the cells, as many in each row as there are headings.
    """
    lines = [_line(columns), "|" + " --- |" * len(columns)]
    return "\n".join(lines + [_line(row) for row in rows]) + "\n"


def _line(cells: Sequence[Value | None]) -> str:
    return "| " + " | ".join(map(_write, cells)) + " |"


def _write(value: Value | None) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return _write_float(value)
    text = _SPECIAL.sub(r"\\\1", str(value).strip())
    if _RULE.fullmatch(text):
        # A row of such cells alone would be taken for a delimiter row.
        text = f"&#{ord(text[0])};{text[1:]}"
    return _BREAK.sub("<br>", text)


def _write_float(value: float) -> str:
    number = Decimal(str(value))
    return f"{number:f}" if number.is_finite() else str(value)
