"""The two tables that are compared: gold from a CSV file, the answer from a Markdown reply.

Source: WideSearch (arXiv 2508.07999) and its public scorer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.widesearch.errors import GoldError, ScorerError
from answers.widesearch.frame import Frame, read_frame
from answers.widesearch.prepare import norm_column

__all__ = ["extract_table", "load_gold"]

_FENCE = re.compile(r"`{3}markdown(.*?)`{3}", re.DOTALL)
_FEWEST_PIPES = 4
_RULERS = frozenset("|- :")


def load_gold(text: str, required: Sequence[str]) -> Frame:
    """The gold table of a task.

    Args:
        text: its CSV file.
        required: the columns that are asked for, in normalised form.

    Returns:
        The required columns, in that order. Several that share a name are all there.

    Raises:
        GoldError: a required column is missing, or the file can't be read.
    """
    try:
        frame = read_frame(text, ",")
    except (ScorerError, UnicodeEncodeError) as error:
        message = f"the gold table can't be read: {error}"
        raise GoldError(message) from error
    names = [norm_column(name) for name in frame.names]
    missing = [name for name in required if name not in names]
    if missing:
        message = f"the gold table has no column {missing[0]!r}; it has {', '.join(names)}"
        raise GoldError(message)
    places = [place for name in required for place, own in enumerate(names) if own == name]
    return Frame([names[place] for place in places], [frame.columns[place] for place in places])


def extract_table(response: str) -> Frame | None:
    """The table in a reply: in its first `markdown` fence, else from its first pipe on.

    Without a fence, text before the first pipe is left out even within its line, and the table
    ends before the first line that doesn't start with a pipe. In the table, lines without a pipe
    and lines of rulers alone are skipped.

    Returns:
        The table, without columns that have no name; None if there is no fence and there are
        fewer than four pipes.

    Raises:
        ScorerError: what was found can't be read as a table.
    """
    found = _find(response)
    if found is None:
        return None
    first, *others = found.strip().split("\n")
    lines = [first.replace(" ", "").lower(), *others]
    kept = [line.strip() for line in lines if "|" in line and not _RULERS.issuperset(line.strip())]
    text = "\n".join("|".join(map(str.strip, line.split("|"))) for line in kept)
    frame = read_frame(text, "|")
    return frame.where(not name.startswith("Unnamed") for name in frame.names)


def _find(response: str) -> str | None:
    fence = _FENCE.search(response)
    if fence:
        return fence[1]
    if response.count("|") < _FEWEST_PIPES:
        return None
    first, *others = response[response.index("|") :].split("\n")
    lines = [first]
    for line in others:
        if not line.startswith("|"):
            break
        lines.append(line)
    return "\n".join(lines)
