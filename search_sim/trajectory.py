"""Trajectories: the record of an episode, for the trainer."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from answers.score import Score
from search_sim.controls import Controls
from search_sim.guard import Effective, Policy
from search_sim.materials import Asked, Author, Material, Rendering
from search_sim.passages import Passage, Relevance
from search_sim.prompts.prompt import Parts

Tool = Literal["web_search", "web_extractor", "dict_memory", "answer"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Given(_Record):
    """What the renderer was given of one result: masked passages, and those with a disclosed fact.

    Attributes:
        date: ISO 8601, or None.
    """

    url: str
    title: str
    date: str | None
    relevance: Relevance
    passages: tuple[str, ...]
    stated: tuple[str, ...] = ()

    @classmethod
    def of(cls, material: Material) -> Given:
        """The record of a renderer's material."""
        return cls(
            url=material.url,
            title=material.title,
            date=material.date,
            relevance=material.relevance,
            passages=tuple(p.text for p in material.passages if not p.disclosed),
            stated=tuple(p.text for p in material.passages if p.disclosed),
        )

    def material(self) -> Material:
        """The renderer's material, its passages without what they were chosen by."""
        told = [(text, False) for text in self.passages] + [(text, True) for text in self.stated]
        passages = tuple(
            Passage(number, text, len(text), frozenset(), disclosed)
            for number, (text, disclosed) in enumerate(told)
        )
        return Material(self.url, self.title, self.date, self.relevance, passages)


class Origin(_Record):
    """Who wrote one result.

    Attributes:
        place: its place among what was given, from 0.
        reason: why the template stands in for a model; empty where it doesn't.
        attempt: which of a model's replies it comes from, the first being 1; 0 if from none.
    """

    place: int
    by: Author
    reason: str = ""
    attempt: int = 0


class Searched(_Record):
    """How the results of one query came about.

    Attributes:
        given: what the renderer was given, in the engine's order.
        written: who wrote each result, in the order that was shown.
        attempts: how often a model replied.
        faults: what was wrong with its replies.
        alarms: guarded facts beyond the disclosure in what a model wrote and an agent was shown.
    """

    query: str
    page: int
    given: tuple[Given, ...]
    written: tuple[Origin, ...]
    attempts: int = 0
    faults: tuple[str, ...] = ()
    alarms: int = 0

    def asked(self) -> Asked:
        """What the renderer was asked for."""
        return Asked(self.query, self.page, tuple(one.material() for one in self.given))

    @classmethod
    def of(cls, asked: Asked, rendering: Rendering, alarms: int) -> Searched:
        """The record of a rendering."""
        return cls(
            query=asked.query,
            page=asked.page,
            given=tuple(map(Given.of, asked.materials)),
            written=tuple(
                Origin(place=one.place, by=one.by, reason=one.reason, attempt=one.attempt)
                for one in rendering.results
            ),
            attempts=rendering.attempts,
            faults=rendering.faults,
            alarms=alarms,
        )


class Turn(_Record):
    """One call of a tool.

    Attributes:
        disclosed: ids of the facts that the response was allowed to state.
        searched: of a search, how the results of each query came about.
        outline: of an extraction, what a language world model's history says of it.
    """

    tool: Tool
    arguments: dict[str, Any]
    observation: str
    disclosed: tuple[str, ...] = ()
    searched: tuple[Searched, ...] = ()
    outline: str = ""


class Trajectory(BaseModel):
    """What happened in an episode, one JSON line when written to a file.

    Attributes:
        prompt: the five parts of the prompt that a language world model was given, or would be.
        agent: the name of the agent, if it has one.
        failure: why the agent gave no answer, if it failed.
    """

    model_config = ConfigDict(extra="forbid")

    task_id: str
    world_id: str
    policy: Policy
    effective_policy: Effective
    seed: int
    controls: Controls = Controls()
    question: str
    prompt: Parts
    agent: str = ""
    turns: list[Turn] = []
    answer: str | None = None
    score: Score | None = None
    failure: str | None = None
