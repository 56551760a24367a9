"""Surface forms: the ways in which a value can be written, and what stands where it is withheld."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from worldgen.blueprint import Column, ColumnKind
from worldgen.facts import Value

SurfaceKind = ColumnKind | Literal["name"]

PLACEHOLDERS: dict[SurfaceKind, str] = {
    "name": "[name]",
    "ref": "[name]",
    "person": "[name]",
    "category": "[category]",
    "money": "[amount]",
    "date": "[date]",
    "measure": "[measure]",
    "count": "[number]",
    "rank": "[number]",
}
"""Per kind, what stands where a value is withheld: of one length, whatever the value."""

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FORMS = 2
"""The number of surface forms of a money, date or number value."""


def write_date(value: str, form: int = 0) -> str:
    """A date as `14 March 2029` (form 0) or `2029-03-14` (form 1)."""
    day = dt.date.fromisoformat(value)
    return value if form % FORMS else f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def write_number(value: float, decimals: int = 0) -> str:
    """A number with thousands separators and a fixed number of decimals."""
    return f"{value:,.{decimals}f}"


def write(column: Column, value: Value, form: int = 0) -> str:
    """A value as a page writes it.

    Args:
        column: the column that it stands in. References are written by their entity's name, so
            pass the name as `value`.
        value: the cell's value.
        form: which surface form; any number, reduced to the forms that there are.
    """
    if column.kind == "date":
        return write_date(str(value), form)
    if not column.numeric:
        return str(value)
    number = write_number(float(value), column.decimals)
    if column.kind == "money":
        return f"{number} {column.unit}" if form % FORMS or column.unit != "USD" else f"${number}"
    return f"{number} {column.unit}" if column.kind == "measure" else number
