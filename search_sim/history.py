"""History: the turns of an episode as a model may know them.

A search stands there as the agent saw it: masked, but for what was disclosed. A page that was
opened is its URL, title and headings; the rest of it is what search must not say. Notes that the
agent keeps are left out: they hold what it read on pages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from search_sim.materials import Past
from search_sim.observation import NOT_SHOWN
from worldgen.masking import mask
from worldgen.pages import Page
from worldgen.roles import Roles


def write_action(name: str, arguments: Mapping[str, object]) -> str:
    """A call of a tool as JSON."""
    return json.dumps({"name": name, "arguments": dict(arguments)}, ensure_ascii=False)


def past_search(queries: Sequence[str], page: int, text: str) -> Past:
    """A search, with the results that the agent saw."""
    arguments: dict[str, object] = (
        {"query": queries[0]} if len(queries) == 1 else {"queries": list(queries)}
    )
    if page > 1:
        arguments["page"] = page
    return Past(write_action("web_search", arguments), text)


def past_extract(url: str, page: Page | None, roles: Roles) -> Past:
    """A page that was opened, or that could not be."""
    action = write_action("web_extractor", {"url": url})
    return Past(action, NOT_SHOWN if page is None else outline(page, roles))


def outline(page: Page, roles: Roles) -> str:
    """A page as URL, title and those headings that depend on nothing guarded."""
    headings = [mask(s, roles) for s in page.statements if s.layout == "heading"]
    lines = [page.url, f"# {page.title}", *(f"## {text}" for text in headings if text)]
    return "\n".join(lines)
