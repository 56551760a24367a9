"""Reference agents: the trainer's own, to measure tasks and policies with.

An agent sees the tools and a brief. `RUNNERS` names them for commands and reports.
"""

from __future__ import annotations

from collections.abc import Callable

from search_sim.agents.brief import Brief, Tools
from search_sim.agents.explorer import explore
from search_sim.agents.never import never_search
from search_sim.agents.snippet_reader import read_snippets

Agent = Callable[[Tools, Brief], str]
"""Answers a task in Markdown, with the tools of an episode and what it was briefed with."""

AGENTS: dict[str, Agent] = {
    "explorer": explore,
    "snippet reader": read_snippets,
    "never searches": never_search,
}
"""The reference agents by name."""
