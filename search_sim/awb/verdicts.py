"""Reading what a judge says: five scores from 1 to 5, as JSON in a tag.

Forgiven are fences, text around, trailing commas, line breaks in texts, a missing tag, and scores
written `"4"`, `4.0` or `"4/5"`. Not forgiven, since a guess would stand in the result as a score: a
dimension that is missing, a score that is no whole number, or one outside 1 to 5.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from worldgen.lm.thinking import last_tagged, strip_thinking

DIMENSIONS = ("format", "factuality", "consistency", "realism", "quality")
LOWEST, HIGHEST = 1, 5
TAG = "final_evaluation"

_LONGEST = 80
_MOST_STARTS = 50

# The objects of scores are flat, so the last one can be found in JSON that is broken elsewhere.
_SCORES = re.compile(r'"scores"\s*:\s*(\{[^{}]*\})')
_STRING_OR_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)
_NUMBER = re.compile(r"\s*([0-9]{1,9})(?:\.0+)?(?:\s*/\s*([0-9]+))?\s*")
_DECODER = json.JSONDecoder(strict=False)


class Verdict(NamedTuple):
    """What a judge says of a prediction; scores by dimension, from 1 to 5."""

    scores: dict[str, int]
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()


class Unreadable(NamedTuple):
    """Why there is no verdict: in a few words to count by, and in a line."""

    reason: str
    message: str


def read_verdict(text: str) -> Verdict | Unreadable:
    """The verdict in a judge's reply; of several, the last."""
    tagged = last_tagged(text, TAG)
    said = strip_thinking(text) if tagged is None else tagged
    found = list(_SCORES.finditer(said))
    if not found:
        where = f"no <{TAG}>, and no scores" if tagged is None else f"no scores in <{TAG}>"
        return Unreadable("no scores", f"{where}: {_short(said)}" if said.strip() else "no words")
    record = _load(found[-1][1])
    if record is None:
        return Unreadable("no JSON", f"the scores are no JSON: {_short(found[-1][1])}")
    scores = _read_scores(record)
    if isinstance(scores, Unreadable):
        return scores
    whole = _whole(said, found[-1]) or {}
    return Verdict(scores, _texts(whole.get("strengths")), _texts(whole.get("weaknesses")))


def _read_scores(record: dict[str, Any]) -> dict[str, int] | Unreadable:
    scores = {}
    for name in DIMENSIONS:
        if name not in record:
            return Unreadable("score missing", f"there is no score for {name}")
        score = _number(record[name])
        if score is None:
            shown = _short(json.dumps(record[name]))
            return Unreadable("score no number", f"{name} is {shown}, no whole number")
        if not LOWEST <= score <= HIGHEST:
            message = f"{name} is {score}, not between {LOWEST} and {HIGHEST}"
            return Unreadable("score out of range", message)
        scores[name] = score
    return scores


def _number(value: object) -> int | None:
    """The whole number that a score is, if it is one and out of five, if out of anything."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    match = _NUMBER.fullmatch(str(value))
    return int(match[1]) if match and match[2] in (None, str(HIGHEST)) else None


def _whole(text: str, scores: re.Match[str]) -> dict[str, Any] | None:
    """The object that scores stand in, if it can be read."""
    start = scores.start()
    for _ in range(_MOST_STARTS):
        start = text.rfind("{", 0, start)
        record = _load(text[start:]) if start >= 0 else None
        if record is not None and "scores" in record:
            return record
    return None


def _load(text: str) -> dict[str, Any] | None:
    """The JSON object at the start of a text, but for trailing commas."""
    try:
        record, _ = _DECODER.raw_decode(_STRING_OR_COMMA.sub(r"\1", text))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _texts(value: object) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(encodable(str(text)) for text in texts if text)


def encodable(text: str) -> str:
    """A text that can be written down: JSON can spell halves of characters."""
    return text.encode(errors="replace").decode()


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
