"""What an agent does in a case: calls of the three tools, as data."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from search_sim.episode import Episode
from search_sim.memory import Operation
from search_sim.observation import Extract, SearchResponse

Response = SearchResponse | Extract | str
"""What a tool gives back."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Search(_Record):
    """A search with one query or a batch; `page` counts from 1."""

    tool: Literal["web_search"] = "web_search"
    queries: tuple[str, ...]
    page: int = 1


class Open(_Record):
    """A page that is opened, from an offset in characters."""

    tool: Literal["web_extractor"] = "web_extractor"
    url: str
    offset: int = 0


class Note(_Record):
    """A call of the memory, with entries or keys as its operation takes them."""

    tool: Literal["dict_memory"] = "dict_memory"
    operation: Operation
    entries: dict[str, str] = {}
    keys: tuple[str, ...] = ()


Action = Annotated[Search | Open | Note, Field(discriminator="tool")]


def perform(episode: Episode, action: Search | Open | Note) -> Response:
    """Do what the action says.

    Raises:
        WorldgenError: as the episode's tools do.
    """
    if isinstance(action, Search):
        return episode.search(*action.queries, page=action.page)
    if isinstance(action, Open):
        return episode.extract(action.url, action.offset)
    return episode.memory(action.operation, action.entries, action.keys)
