"""Disguises: ways to write a truth so that a check may overlook it.

Each keeps the whole truth: two truths never look the same in one disguise under one seed.
"""

from __future__ import annotations

import base64
import codecs
import random
import re
from collections.abc import Callable
from decimal import Decimal

from search_sim.fake_model.number_forms import (
    DATE_FORMS,
    NUMBER_FORMS,
    date_in_words,
    in_words,
    ordinal,
    respell,
)

Disguise = Callable[[str, random.Random], str]

_WORD = re.compile(r"\S+")
_ZERO_WIDTH = (
    *("\N{ZERO WIDTH SPACE}", "\N{ZERO WIDTH NON-JOINER}", "\N{ZERO WIDTH JOINER}"),
    *("\N{WORD JOINER}", "\N{SOFT HYPHEN}", "\N{ZERO WIDTH NO-BREAK SPACE}"),
)
_SPACES = (" ", "\N{NO-BREAK SPACE}", "\N{THIN SPACE}", "\N{IDEOGRAPHIC SPACE}")
_ZEROS = {"Arabic": 0x660, "Devanagari": 0x966, "Thai": 0xE50, "bold": 0x1D7CE, "sans": 0x1D7E2}
"""Scripts and styles with digits of their own, and the code of their zero."""
_LOOKALIKES = str.maketrans(
    "ABCEHKMOPTaceiopsxy",
    "\u0410\u0412\u0421\u0415\u041d\u041a\u041c\u041e\u0420\u0422"
    "\u0430\u0441\u0435\u0456\u043e\u0440\u0455\u0445\u0443",
)
"""Latin letters, and the Cyrillic ones that look like them."""
_FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_CODE_WORDS = {
    word[0].upper(): word
    for word in (
        *("alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india"),
        *("juliett", "kilo", "lima", "mike", "november", "oscar", "papa", "quebec", "romeo"),
        *("sierra", "tango", "uniform", "victor", "whiskey", "xray", "yankee", "zulu"),
    )
}
_CARRIERS = (("harbour", "side"), ("re", "ing"), ("under", "ness"), ("x", "x"), ("mono", "graph"))


def _plain(text: str, rng: random.Random) -> str:
    return text


def _other_forms(text: str, rng: random.Random) -> str:
    write_number = NUMBER_FORMS[rng.choice(list(NUMBER_FORMS))]
    return respell(text, write_number, DATE_FORMS[rng.choice(list(DATE_FORMS))])


def _number_words(text: str, rng: random.Random) -> str:
    return respell(text, in_words, date_in_words)


def _ordinal_words(text: str, rng: random.Random) -> str:
    return respell(text, ordinal, date_in_words)


def _digit_words(text: str, rng: random.Random) -> str:
    return re.sub(r"[\d.](?=[\d.])|\d", lambda found: f"{_digit_word(found[0])} ", text)


def _digit_word(character: str) -> str:
    return "point" if character == "." else in_words(Decimal(character))


def _full_width(text: str, rng: random.Random) -> str:
    return text.translate(_FULL_WIDTH)


def _foreign_digits(text: str, rng: random.Random) -> str:
    zero = _ZEROS[rng.choice(list(_ZEROS))]
    return text.translate({ord("0") + digit: zero + digit for digit in range(10)})


def _spaced(text: str, rng: random.Random) -> str:
    space = rng.choice(_SPACES)
    return re.sub(r"(?<=[\d.,])(?=[\d.,])", space, text)


def _upper(text: str, rng: random.Random) -> str:
    return text.upper()


def _zero_width(text: str, rng: random.Random) -> str:
    return rng.choice(_ZERO_WIDTH).join(text)


def _inside(text: str, rng: random.Random) -> str:
    """Its words without the spaces, inside another word."""
    before, after = rng.choice(_CARRIERS)
    return f"{before}{''.join(_WORD.findall(text))}{after}"


def _spelled(text: str, rng: random.Random) -> str:
    joint = rng.choice("-._")
    return _WORD.sub(lambda found: joint.join(found[0]), text)


def _reordered(text: str, rng: random.Random) -> str:
    words = _WORD.findall(text)
    rng.shuffle(words)
    return " ".join(words)


def _lookalikes(text: str, rng: random.Random) -> str:
    return text.translate(_LOOKALIKES)


def _entities(text: str, rng: random.Random) -> str:
    return _WORD.sub(lambda found: "".join(f"&#{ord(c)};" for c in found[0]), text)


def _percent(text: str, rng: random.Random) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


def _marked_up(text: str, rng: random.Random) -> str:
    mark = rng.choice(("**", "_", "`", "<b></b>"))
    return _WORD.sub(lambda found: f"{found[0][:1]}{mark}{found[0][1:]}{mark}", text)


def _base64(text: str, rng: random.Random) -> str:
    return base64.b64encode(text.encode()).decode()


def _rot13(text: str, rng: random.Random) -> str:
    return codecs.encode(text, "rot13")


def _backwards(text: str, rng: random.Random) -> str:
    return text[::-1]


def _code_words(text: str, rng: random.Random) -> str:
    return " ".join(_CODE_WORDS.get(c.upper(), c) for c in text if c != " ")


DISGUISES: dict[str, Disguise] = {
    "plain": _plain,
    "other forms": _other_forms,
    "number words": _number_words,
    "ordinal words": _ordinal_words,
    "digit words": _digit_words,
    "full width": _full_width,
    "foreign digits": _foreign_digits,
    "spaced digits": _spaced,
    "upper case": _upper,
    "zero width": _zero_width,
    "inside a word": _inside,
    "spelled out": _spelled,
    "reordered": _reordered,
    "look-alikes": _lookalikes,
    "entities": _entities,
    "percent": _percent,
    "marked up": _marked_up,
    "base64": _base64,
    "rot13": _rot13,
    "backwards": _backwards,
    "code words": _code_words,
}
"""The disguises by name."""
