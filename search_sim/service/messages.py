"""What travels over HTTP: requests and responses as records."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from answers.score import Score
from search_sim.controls import Controls
from search_sim.episode import Counts
from search_sim.guard import Policy
from search_sim.memory import Operation
from search_sim.observation import Result
from search_sim.tools import MOST_QUERIES

LONGEST_QUERY = 4_000
LONGEST_URL = 4_000
LONGEST_ANSWER = 1_000_000
MOST_KEYS = 1_000


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NewEpisode(_Message):
    """A trainer asks for an episode; what is left out is drawn by the seed or is the server's."""

    world: str | None = None
    task: str | None = None
    policy: Policy | None = None
    controls: Controls = Controls()
    seed: int | None = Field(default=None, ge=0, lt=2**53)


class EpisodeMade(_Message):
    """An episode, with the token by which an agent acts in it."""

    episode: str
    token: str
    question: str
    tools: list[dict[str, Any]]


class Search(_Message):
    """An agent searches, with one query or several."""

    query: str | None = Field(default=None, max_length=LONGEST_QUERY)
    queries: list[str] | None = Field(default=None, min_length=1, max_length=MOST_QUERIES)
    page: int = Field(default=1, ge=1, le=1_000)

    @model_validator(mode="after")
    def _has_either(self) -> Self:
        if (self.query is None) == (self.queries is None):
            message = "give either query or queries"
            raise ValueError(message)
        if any(len(query) > LONGEST_QUERY for query in self.queries or ()):
            message = f"a query has at most {LONGEST_QUERY} characters"
            raise ValueError(message)
        return self

    def all(self) -> list[str]:
        """The queries."""
        return self.queries if self.queries is not None else [self.query or ""]


class Found(_Message):
    """Results per query, and all of them as the text that an agent reads."""

    results: list[list[Result]]
    text: str


class Open(_Message):
    """An agent opens a page, from an offset in characters."""

    url: str = Field(max_length=LONGEST_URL)
    offset: int = Field(default=0, ge=0)


class Opened(_Message):
    """A page or a part of it; `next_offset` is null at its end."""

    url: str
    title: str
    content: str
    next_offset: int | None


class Note(_Message):
    """An agent uses its memory."""

    operation: Operation
    entries: dict[str, str] = Field(default_factory=dict, alias="dict", max_length=MOST_KEYS)
    key_list: list[str] = Field(default_factory=list, max_length=MOST_KEYS)


class Noted(_Message):
    """What the memory says."""

    text: str


class Answer(_Message):
    """An agent hands in its answer."""

    answer: str = Field(max_length=LONGEST_ANSWER)


class Accepted(_Message):
    """The answer was taken; the episode is closed."""

    accepted: bool = True


class EpisodeState(_Message):
    """How an episode stands, for its trainer; `score` is null until it is closed."""

    episode: str
    world: str
    task: str
    policy: Policy
    seed: int
    state: str
    score: Score | None
    counts: Counts


class WorldSummary(_Message):
    """A world that is served."""

    id: str
    domain: str
    name: str
    title: str
    seed: int
    tasks: int


class Problem(_Message):
    """An error: a code to branch on, what is wrong, and what to do."""

    code: str
    message: str
    hint: str


class Refusal(_Message):
    """The body of every error."""

    error: Problem
