"""What a model thought, apart from what it says.

Thinking stands between `<think>` and `</think>`, written in any case; pairs nest. A `</think>`
that nothing opened closes a `<think>` that stood in the prompt: all before it was thinking. A
`<think>` that nothing closes opens thinking up to the end.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# As chat templates do, the white space after thinking goes with it.
_MARK = re.compile(r"<think\s*>|</think\s*>\s*", re.IGNORECASE)


class _Parts(NamedTuple):
    said: str
    open: str
    """What follows the last mark, if that stands in thinking which is never closed."""


def strip_thinking(text: str) -> str:
    """A reply without its thinking."""
    return _parts(text).said


def last_tagged(text: str, tag: str) -> str | None:
    """What stands in the last `<tag>` of a reply, thinking apart.

    Without its closing tag it goes on to the end. Models forget to close their thinking, so where
    that is never closed, a complete block after it counts as said; an incomplete one doesn't.

    Args:
        text: the reply.
        tag: the tag's name, written in any case in the reply.

    Returns:
        The content as it is, or None if there is no such tag.
    """
    parts = _parts(text)
    name = re.escape(tag)
    flags = re.IGNORECASE | re.DOTALL
    complete = re.findall(rf"<{name}>(?:(?!<{name}>).)*?</{name}>", parts.open, flags)
    said = complete[-1] if complete else parts.said
    opened = list(re.finditer(rf"<{name}>", said, flags))
    if not opened:
        return None
    return re.split(rf"</{name}>", said[opened[-1].end() :], maxsplit=1, flags=flags)[0]


def _parts(text: str) -> _Parts:
    said: list[str] = []
    depth = end = 0
    for mark in _MARK.finditer(text):
        if not depth:
            said.append(text[end : mark.start()])
        end = mark.end()
        if not mark[0].startswith("</"):
            depth += 1
        elif depth:
            depth -= 1
        else:
            said.clear()
    rest = text[end:]
    return _Parts("".join(said), rest) if depth else _Parts("".join([*said, rest]), "")
