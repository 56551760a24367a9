"""Tasks, attempts at them, and their scores: what an evaluation is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from answers.score import Score
from answers.table import AnswerTable


@dataclass(frozen=True)
class Pipeline:
    """What the public WideSearch scorer needs of a task.

    Attributes:
        gold_csv: the text of the gold table.
        evaluation: its `unique_columns`, `required` and `eval_pipeline`.
        judge: the language model that it asks, as `answers.widesearch.run_case` takes it.
    """

    gold_csv: str
    evaluation: Mapping[str, Any]
    judge: Mapping[str, Any] = field(default_factory=lambda: {"mode": "off"})


@dataclass(frozen=True)
class Gold:
    """What a task asks and what answers it.

    Attributes:
        tags: what tasks are told apart by: family, domain, world, difficulty.
        pipeline: how WideSearch scores it, if it says so.
    """

    task_id: str
    question: str
    answer: AnswerTable
    tags: Mapping[str, str] = field(default_factory=dict)
    pipeline: Pipeline | None = None


@dataclass(frozen=True)
class Trial:
    """One attempt at a task.

    Attributes:
        answer: the reply, whatever it is; None if there was none.
        line: where it stands in its file; 0 if it is from none.
        tags: what trials are told apart by, such as the agent.
        source: the name of its file, where there are several.
        failure: why there is no answer, if the agent failed.
    """

    task_id: str
    answer: str | None
    line: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    failure: str | None = None


class Problem(NamedTuple):
    """A line that could not be scored, and why."""

    line: int
    message: str
    source: str = ""

    def record(self) -> dict[str, Any]:
        """The problem as plain JSON data."""
        return _without_empty_source(self._asdict())


class ScoredTrial(BaseModel):
    """A trial's score.

    Attributes:
        line: where the trial stands in its file.
        trial: its number among the trials of its task, from 1.
        score: the score, with the tags of task and trial.
        source: the name of its file, where there are several.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: str
    line: int
    trial: int
    score: Score
    source: str = ""

    def record(self) -> dict[str, Any]:
        """The trial as one line of JSON."""
        own = _without_empty_source(self.model_dump(mode="json", exclude={"score"}))
        return {**own, **self.score.model_dump(mode="json")}


def _without_empty_source(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "source" or value}
