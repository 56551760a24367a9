"""Comparing one cell of a reply with the cell that it should be.

A cell has forms: texts that are equal exactly where two cells state the same. What was said has
one form or none; a gold cell has its own and one for each alias. So comparing is looking a text
up, and rows can be joined with a dictionary.

How a column's cells are read depends on its gold cells in three ways. Dates are cut to the
precision that all of them have, so that a day states its month where months are asked for, but a
month never a day. Where all are yes or no, their other spellings are read. Where one is blank,
blanks state it, whatever they are; elsewhere a blank states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from answers.dates import DAY, MONTH, YEAR, date_form
from answers.headings import split_heading
from answers.numbers import rounded
from answers.plain_numbers import NumberReader
from answers.table import AnswerColumn
from answers.text import BLANKS, normalise_text
from answers.units import Unit, magnitude, parse_unit, tidy, unit_names
from worldgen.facts import Value

__all__ = ["gold_forms", "matches", "normalise_text", "reader", "said_form"]

Reader = Callable[[str], str | None]
"""Gives the form of a cell; None if it states nothing, or no one thing."""

NOTHING = "n a"
"""The form of a blank where the answer holds one."""

_ISO_START = re.compile(r"[0-9]{4}-[0-9]")
_BOOLEANS = {
    **dict.fromkeys(("yes", "y", "true", "t", "1", "✓", "✔", "☑", "✅"), "yes"),
    **dict.fromkeys(("no", "n", "false", "f", "0", "✗", "✘", "✕", "❌", "☒"), "no"),
}
_TRUTHS = frozenset({"yes", "no", "true", "false"})


def matches(
    column: AnswerColumn, gold: Value, said: str, aliases: Mapping[str, tuple[str, ...]]
) -> bool:
    """Whether a cell of a reply states the gold cell, by its column's rule.

    A blank states nothing but a blank; a hedge, a range or a value in another unit nothing.

    Args:
        column: the column, whose kind, decimals and unit say how cells compare.
        gold: what should stand in the cell.
        said: what stands there.
        aliases: other surface forms of names.
    """
    read = reader(column, (gold,))
    return read(said) in gold_forms(column, gold, aliases, read)


def said_form(column: AnswerColumn, said: str) -> str | None:
    """The form of what a cell of a reply states, whatever the gold cells are."""
    return reader(column, ())(said)


def reader(column: AnswerColumn, gold: Iterable[Value]) -> Reader:
    """What reads the cells of a column whose gold cells are these."""
    texts = [cell for cell in gold if isinstance(cell, str)]
    if column.kind == "date":
        read = _date_reader(texts)
        has_blank = any(_is_blank(text) for text in texts if not _ISO_START.match(text))
    elif column.kind == "number":
        read = _number_reader(column)
        has_blank = any(map(_is_blank, texts))
    else:
        words = {text: normalise_text(text) for text in texts}
        forms = set(words.values())
        read = _read_boolean if words and forms <= _TRUTHS else _text_reader(words)
        has_blank = not forms.isdisjoint(BLANKS)
    if not has_blank:
        return read
    return lambda text: NOTHING if _is_blank(text) else read(text)


def gold_forms(
    column: AnswerColumn,
    gold: Value,
    aliases: Mapping[str, tuple[str, ...]],
    read: Reader | None = None,
) -> tuple[str, ...]:
    """The forms by which a gold cell can be stated, its own first; none if it can't be stated.

    Args:
        column: the cell's column.
        gold: the cell.
        aliases: other surface forms of names.
        read: what reads the column's cells; by default it is made for this one cell.
    """
    read = read or reader(column, (gold,))
    if column.kind == "number" and not isinstance(gold, str):
        return _number_forms(gold, column.decimals, read)
    form = read(str(gold))
    if column.kind == "name" and (others := aliases.get(str(gold))):
        forms = dict.fromkeys((form, *map(read, others)))
        return tuple(form for form in forms if form is not None)
    return () if form is None else (form,)


def _number_forms(gold: int | float, decimals: int, read: Reader) -> tuple[str, ...]:
    if isinstance(gold, int) and not decimals:
        return (str(int(gold)),)
    text = str(gold)
    fraction = text.partition(".")[2]
    if fraction.isdecimal() and len(fraction) <= decimals:
        form = read(text)  # exact, and faster than rounding
    else:
        form = rounded(gold, decimals)
    if form is None or isinstance(gold, int):
        return () if form is None else (form,)
    # 1.125 in a column of whole numbers has to state itself, although it reads as 1125.
    written = form if decimals else read(text)
    return (form,) if written in (form, None) else (form, written)


def _is_blank(text: str) -> bool:
    return normalise_text(text) in BLANKS


def _text_reader(known: dict[str, str]) -> Reader:
    def read(text: str) -> str | None:
        form = known.get(text)
        if form is None:
            form = known[text] = normalise_text(text)
        return None if form in BLANKS else form

    return read


def _read_boolean(text: str) -> str | None:
    form = normalise_text(text)
    return None if form in BLANKS else _BOOLEANS.get(form, form)


def _date_reader(gold: Iterable[str]) -> Reader:
    precisions: set[int] = set()
    for form in filter(None, map(date_form, gold)):
        precisions.add(len(form))
        if precisions not in ({MONTH}, {YEAR}):
            return date_form
    precision = precisions.pop() if precisions else DAY

    def cut(text: str) -> str | None:
        form = date_form(text)
        return form and form[:precision]

    return cut


def _number_reader(column: AnswerColumn) -> Reader:
    return _read_numbers(column.unit, column.name, column.decimals)


@lru_cache(maxsize=1024)
def _read_numbers(unit: str | None, heading: str, decimals: int) -> NumberReader:
    own, implied = _units(unit, heading)
    return NumberReader(own, implied, decimals)


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
