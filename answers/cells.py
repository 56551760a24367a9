"""The cells of a reply: splitting a Markdown row into them, and freeing them of their markup."""

from __future__ import annotations

import html
import re

# Escaped punctuation is moved out of the way of every pattern below, and back at the end.
_HIDDEN = 0xF0000
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_UNHIDE = {_HIDDEN + code: code for code in range(0x21, 0x7F)}

_MARKUP = re.compile(r"[*_`\[<&【\U000F0021-\U000F007E]")
_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)
_FOOTNOTE = re.compile(r"(?<=[0-9])<sup>[^<]*</sup>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|code|span|sup|sub|small|mark|p|div|font|del|ins)\b[^<>]*>",
    re.IGNORECASE,
)
_CODE = re.compile(r"`+([^`]*)`+")
_STARS = re.compile(r"(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1")
_UNDERSCORES = re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])([^_]*[^\s_])\1(?!\w)")
_LINK = re.compile(
    r"(!?)\[([^\[\]]*)\]"
    r"\([^()\s\"]*(?:\([^()\s\"]*\)[^()\s\"]*)*(?:\s+\"[^\"()]*\")?\)"
)
_CITATION = re.compile(r"\[\^?[0-9]{1,3}\]|【[^【】]*】")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")


def split_row(line: str) -> list[str]:
    """The cells between a row's pipes, with or without the outer ones, for `clean_cell`."""
    if "\\" in line:
        line = _ESCAPED.sub(lambda match: chr(_HIDDEN + ord(match[1])), line)
    line = line.strip().removeprefix("|").removesuffix("|")
    return line.split("|")


def clean_cell(cell: str) -> str:
    """The text of a cell that `split_row` gave, without markup, its spaces single.

    Bold, italics, code, HTML tags and links leave their text, images and citations nothing, `<br>`
    a space.
    """
    if _MARKUP.search(cell):
        cell = _TAG.sub("", _FOOTNOTE.sub("", _BREAK.sub(" ", cell)))
        cell = _CODE.sub(r"\1", cell)
        cell = _UNDERSCORES.sub(r"\2", _STARS.sub(r"\2", _STARS.sub(r"\2", cell)))
        cell = _CITATION.sub(_citation, _LINK.sub(_link, cell))
        cell = _ENTITY.sub(lambda match: html.unescape(match[0]), cell)
        cell = cell.translate(_UNHIDE)
    return " ".join(cell.split())


def clean_plain(cell: str) -> str:
    """The text of a CSV or JSON cell, which has no tags, entities or escapes, its spaces single."""
    if _MARKUP.search(cell):
        cell = _STARS.sub(r"\2", _CODE.sub(r"\1", cell))
        cell = _CITATION.sub(_citation, _LINK.sub(_link, cell))
    return " ".join(cell.split())


def _link(match: re.Match[str]) -> str:
    """A link's text; nothing for an image and for a number after a word, which is a citation."""
    is_citation = match[2].isdecimal() and _follows_word(match)
    return "" if match[1] or is_citation else match[2]


def _citation(match: re.Match[str]) -> str:
    return "" if _follows_word(match) else match[0]


def _follows_word(match: re.Match[str]) -> bool:
    before = match.string[max(match.start() - 2, 0) : match.start()].rstrip()
    return before[-1:] not in ("", "$", "€", "£", "#")
