"""Reading numbers as the CSV reader under the public WideSearch scorer does.

Source: WideSearch (arXiv 2508.07999), whose public scorer reads tables with pandas 2.3. Its reader
takes a column for integers where every word is one, else for fractions, and rounds fractions in a
way of its own: after the 17th digit it reads no further.
"""

from __future__ import annotations

import math
import re

__all__ = ["LARGEST_SIGNED", "Overflow", "is_negative", "signed", "to_float", "unsigned"]

_BLANKS = " \t\n\v\f\r"
_WHOLE = re.compile(rf"[{_BLANKS}]*([+-]?)([0-9]+)(.*)", re.DOTALL)
_FRACTION = re.compile(
    rf"[{_BLANKS}]*([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{{1,17}}))?"
    rf"[{_BLANKS}]*"
)
_INFINITY = re.compile(r"([+-]?)inf(?:inity)?", re.IGNORECASE)
_MOST_DIGITS = 17
_EXACT_DIGITS = 15
"""So many digits, and a point, are read without rounding twice."""
_LARGEST_POWER = 308
LARGEST_SIGNED = 2**63 - 1
"""The largest integer that 64 bits hold with a sign."""
_SIGNED = range(-LARGEST_SIGNED - 1, LARGEST_SIGNED + 1)
_UNSIGNED = range(2**64)
_LONGEST = 25
"""Digits, without leading zeros; a longer number is out of every range."""


class Overflow(Exception):
    """A whole number that the range of a column's type does not hold."""


def signed(word: str) -> int | None:
    """A word as an integer of 64 bits.

    Returns:
        None if it is no whole number.

    Raises:
        Overflow: its digits make a number that 64 bits don't hold, whatever follows them.
    """
    match = _WHOLE.match(word)
    return _whole(match, _SIGNED) if match else None


def unsigned(word: str) -> int | None:
    """A word as an integer of 64 bits without a sign; a negative one is read as 0.

    Returns:
        None if it is no whole number.

    Raises:
        Overflow: as `signed`.
    """
    if is_negative(word):
        return 0
    match = _WHOLE.match(word)
    return _whole(match, _UNSIGNED) if match else None


def is_negative(word: str) -> bool:
    """Whether a word starts with a minus."""
    return word.lstrip(_BLANKS).startswith("-")


def _whole(match: re.Match[str], allowed: range) -> int | None:
    sign, digits, rest = match.groups()
    digits = digits.lstrip("0") or "0"
    if len(digits) > _LONGEST or (number := int(sign + digits)) not in allowed:
        raise Overflow
    return None if rest.strip(_BLANKS) else number


def to_float(word: str) -> float | None:
    """A word as a fraction; None if it is no number, or one that is too large."""
    match = _FRACTION.fullmatch(word)
    if not match:
        infinite = _INFINITY.fullmatch(word)
        return float(f"{infinite[1]}inf") if infinite else None
    sign, whole, decimals, power = match.groups()
    if power is None and len(whole) + len(decimals or "") <= _EXACT_DIGITS:
        return float(word.strip(_BLANKS))
    number = _scaled(whole, decimals or "", int(power or 0))
    if math.isinf(number):
        return None
    return -number if sign == "-" else number


def _scaled(whole: str, decimals: str, power: int) -> float:
    """The number of some digits, rounded wherever the reader rounds."""
    kept = whole[:_MOST_DIGITS]
    after = decimals[: _MOST_DIGITS - len(kept)]
    number = 0.0
    for digit in kept + after:
        number = number * 10.0 + int(digit)
    power += len(whole) - len(kept) - len(after)
    if power > _LARGEST_POWER:
        return math.inf
    if power >= 0:
        return number * _power(power)
    if power >= -_LARGEST_POWER:
        return number / _power(-power)
    if power < -2 * _LARGEST_POWER:
        return 0.0
    return number / _power(-power - _LARGEST_POWER) / _power(_LARGEST_POWER)


def _power(exponent: int) -> float:
    return float(f"1e{exponent}")
