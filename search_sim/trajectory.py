"""Trajectories: the record of an episode, for the trainer."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from answers.score import Score
from search_sim.controls import Controls
from search_sim.guard import Effective, Policy

Tool = Literal["web_search", "web_extractor", "dict_memory", "answer"]


class Turn(BaseModel):
    """One call of a tool.

    Attributes:
        disclosed: ids of the facts that the response was allowed to state.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: Tool
    arguments: dict[str, Any]
    observation: str
    disclosed: tuple[str, ...] = ()


class Trajectory(BaseModel):
    """What happened in an episode, one JSON line when written to a file.

    Attributes:
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
    agent: str = ""
    turns: list[Turn] = []
    answer: str | None = None
    score: Score | None = None
    failure: str | None = None
