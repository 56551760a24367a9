"""The tools as OpenAI function schemas, for an agent's prompt."""

from __future__ import annotations

from typing import Any

from search_sim.memory import OPERATIONS

MOST_QUERIES = 5
"""A batch of more queries than this is refused."""


def _function(
    name: str, description: str, properties: dict[str, Any], required: list[str]
) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


TOOLS: list[dict[str, Any]] = [
    _function(
        "web_search",
        "Search the web. Give one query, or several at once; each gets its own list of results.",
        {
            "query": {"type": "string", "description": "What to search for."},
            "queries": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "maxItems": MOST_QUERIES,
                "description": "Several queries, instead of query.",
            },
            "page": {"type": "integer", "minimum": 1, "description": "Which page of results."},
        },
        [],
    ),
    _function(
        "web_extractor",
        "Open a page that a result or a link led to, as Markdown.",
        {
            "url": {"type": "string", "description": "The page's URL."},
            "offset": {
                "type": "integer",
                "minimum": 0,
                "description": "Where to go on, in characters, if a page came in parts.",
            },
        },
        ["url"],
    ),
    _function(
        "dict_memory",
        "Keep notes for later: a dictionary of texts that lasts as long as this task.",
        {
            "operation": {"type": "string", "enum": list(OPERATIONS)},
            "dict": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "Notes by key, for add and update.",
            },
            "key_list": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Keys, for retrieve and remove.",
            },
        },
        ["operation"],
    ),
]
"""`web_search`, `web_extractor` and `dict_memory`."""
