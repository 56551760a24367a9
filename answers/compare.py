"""Comparing one cell of a reply with the cell that it should be.

A cell has forms: texts that are equal exactly where two cells state the same. What was said has
one form or none; a gold cell has its own and one for each alias. So comparing is looking a text
up, and rows can be joined with a dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from answers.dates import read_date
from answers.headings import split_heading
from answers.numbers import read_number, rounded
from answers.table import AnswerColumn
from answers.text import BLANKS, normalise_text
from answers.units import Unit, magnitude, parse_unit, tidy, unit_names
from worldgen.facts import Value

__all__ = ["gold_forms", "matches", "normalise_text", "said_form"]


def matches(
    column: AnswerColumn, gold: Value, said: str, aliases: Mapping[str, tuple[str, ...]]
) -> bool:
    """Whether a cell of a reply states the gold cell, by its column's rule.

    A blank, a hedge, a range or a value in another unit states nothing.

    Args:
        column: the column, whose kind, decimals and unit say how cells compare.
        gold: what should stand in the cell.
        said: what stands there.
        aliases: other surface forms of names.
    """
    return said_form(column, said) in gold_forms(column, gold, aliases)


def said_form(column: AnswerColumn, said: str) -> str | None:
    """The form of what a cell of a reply states; None if it states nothing, or no one thing."""
    if column.kind == "number":
        unit, implied = _units(column.unit, column.name)
        number = read_number(said, unit, implied)
        return None if number is None else rounded(number, column.decimals)
    if column.kind == "date":
        day = read_date(said)
        return day.isoformat() if day else None
    form = normalise_text(said)
    return None if form in BLANKS else form


def gold_forms(
    column: AnswerColumn, gold: Value, aliases: Mapping[str, tuple[str, ...]]
) -> tuple[str, ...]:
    """The forms by which a gold cell can be stated, its own first; none if it can't be stated."""
    if column.kind == "number":
        forms = [rounded(gold, column.decimals)]
    else:
        forms = [said_form(column, str(gold))]
    if column.kind == "name":
        forms += [said_form(column, alias) for alias in aliases.get(str(gold), ())]
    return tuple(dict.fromkeys(form for form in forms if form is not None))


@lru_cache(maxsize=1024)
def _units(unit: str | None, heading: str) -> tuple[Unit | None, frozenset[str]]:
    """A column's unit, and the units that its cells may state because the heading names them.

    The unit is the column's own, or the one that the heading gives in parentheses.
    """
    words = tidy(heading).split()
    implied = frozenset(name for word in words for name in unit_names(word))
    _, inside = split_heading(heading)
    known = bool(inside) and all(
        unit_names(word) or magnitude(word) for word in tidy(inside).split()
    )
    if unit or known:
        return parse_unit(unit or inside), implied
    return None, implied
