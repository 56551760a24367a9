"""Reading the numbers of one column, the usual ways of writing them without reading every word.

Nearly every cell is digits with at most a word or a sign after them. What such an ending does to a
number is found once, by reading it after a one; the digits then need no decimal arithmetic.
"""

from __future__ import annotations

import re
from decimal import Decimal

from answers.numbers import read_number, rounded
from answers.units import Unit

_USUAL = re.compile(
    r"(-?)([0-9]{1,15}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4})(?:\.([0-9]{1,15}))?((?: ?[A-Za-z%]+)?)"
)
_MOST_DECIMALS = 6  # beyond, `str` writes small decimals with an exponent
_MOST_ENDINGS = 64
_GROUP = 3


class NumberReader:
    """Gives the form of a cell of one column: its number, rounded as the column is."""

    def __init__(self, unit: Unit | None, implied: frozenset[str], decimals: int) -> None:
        """Read for a column with a unit, implied units and decimals, as `read_number` does."""
        self._unit, self._implied, self._decimals = unit, implied, decimals
        self._endings: dict[str, Decimal | None] = {}

    def __call__(self, text: str) -> str | None:
        """The form of a cell; None if it states no one number."""
        match = _USUAL.fullmatch(text)
        if match and self._decimals <= _MOST_DECIMALS:
            sign, whole, fraction, ending = match.groups(default="")
            is_read_as_it_stands = len(fraction) != _GROUP or (self._decimals > 0 or "," in whole)
            if len(fraction) <= self._decimals or is_read_as_it_stands:
                return self._usual(text, sign, whole, fraction, ending)
        return self._unusual(text)

    def _usual(self, text: str, sign: str, whole: str, fraction: str, ending: str) -> str | None:
        if "," in whole:
            if not fraction and self._decimals >= _GROUP:
                return self._unusual(text)
            whole = whole.replace(",", "")
        if ending:
            factor = self._factor(ending)
            if factor is None:
                return None
            if factor != 1:
                return self._unusual(text)
        if len(fraction) > self._decimals:
            return rounded(f"{sign}{whole}.{fraction}", self._decimals)
        whole = whole.lstrip("0") or "0"
        form = f"{whole}.{fraction:0<{self._decimals}}" if self._decimals else whole
        # Zero has no sign.
        return f"-{form}" if sign and form.strip("0.") else form

    def _factor(self, ending: str) -> Decimal | None:
        """What a number is multiplied by because of what stands after it; None if it is spoilt."""
        if ending not in self._endings:
            if len(self._endings) >= _MOST_ENDINGS:
                self._endings.clear()
            self._endings[ending] = self._read(f"1{ending}")
        return self._endings[ending]

    def _unusual(self, text: str) -> str | None:
        number = self._read(text)
        return None if number is None else rounded(number, self._decimals)

    def _read(self, text: str) -> Decimal | None:
        return read_number(text, self._unit, self._implied, self._decimals)
