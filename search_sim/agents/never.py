"""The agent that never searches: it answers with what the question says."""

from __future__ import annotations

import re

from answers.markdown import to_markdown
from search_sim.agents.brief import Brief, Tools


def never_search(tools: Tools, brief: Brief) -> str:
    """Fill a table with the names and numbers of the question."""
    before = brief.question.partition("Answer with")[0]
    names = re.findall(r"(?:[A-Z][\w-]+ ?){2,}", before)
    numbers = re.findall(r"\d[\d,.]*\d|\d", before)
    rows = [[name.strip(), *(numbers or ["unknown"])] for name in names]
    width = len(brief.columns)
    return to_markdown(brief.columns, [(row * width)[:width] for row in rows])
