"""Text in one spelling, so that two ways of writing one name are equal."""

from __future__ import annotations

import re
import unicodedata

BLANKS = frozenset(
    {"", "-", "--", "---", "?", ".", "...", "n a", "na", "nan", "null", "unknown"}
    | {"not available", "not applicable", "not found", "not known", "not stated"}
)
"""Normalised texts that state nothing."""

_UNIFIED = str.maketrans(
    {**dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"), **dict.fromkeys("’‘‛ʼʹ′´＇", "'")}  # noqa: RUF001
    | dict.fromkeys("™®©℠\ufe0e\ufe0f", "")
)
_MARK = re.compile(r"[^\w\s]|_")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_GRADE = 3  # letters in the longest grade that ends in a minus, AAA-


def normalise_text(text: str) -> str:
    """Text in one spelling: NFKC, lower case, single spaces, punctuation folded.

    Punctuation becomes a space, apostrophes and invisible characters nothing, `&` the word "and".
    Kept are marks that tell names apart: `#`, `%`, symbols, the point of a decimal, the minus of
    a number and of a grade (`AA-`). Text of punctuation alone keeps it.
    """
    if text.isascii():
        plain = text.lower()
        words = plain.split()
        if "".join(words).isalnum():  # most cells: no pattern has anything to fold
            return " ".join(words)
    else:
        plain = _plain(text)
    folded = _THOUSANDS.sub("", plain.replace("'", "").replace("`", ""))
    folded = " ".join(_MARK.sub(_fold, folded).split())
    return unicodedata.normalize("NFKC", folded) or " ".join(plain.split())


def _plain(text: str) -> str:
    # Before NFKC, which makes an accent of some apostrophes, and after it, since it makes others.
    text = unicodedata.normalize("NFKC", text.translate(_UNIFIED)).translate(_UNIFIED)
    text = "".join(mark for mark in text if unicodedata.category(mark) != "Cf")
    return unicodedata.normalize("NFKC", text.casefold())


def _fold(match: re.Match[str]) -> str:
    """What stands for one mark that is neither a letter, a digit nor a space."""
    mark = match[0]
    if mark in "&%":
        return " and " if mark == "&" else " % "
    if mark in ".-" and _tells_apart(match):
        return mark
    return mark if mark == "#" or unicodedata.category(mark)[0] in "SM" else " "


def _tells_apart(match: re.Match[str]) -> bool:
    """Whether a point or a hyphen is a decimal point, or the minus of a number or a grade."""
    text, start, end = match.string, match.start(), match.end()
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    if match[0] == ".":
        return before.isdecimal() and after.isdecimal()
    if after.isdecimal():
        return not before or before.isspace()
    return not after and before.isalpha() and len(text[:start].split()[-1]) <= _GRADE
