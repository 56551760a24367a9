"""Evaluating what agents brought back: scores a trial, means and best a task, averages over all.

Averages are taken over tasks: of the mean over a task's trials, and of the best of them, so that
a task with many trials weighs no more than one with few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from answers.report import Means, best, combine, mean
from answers.score import Score, score
from answers.table import AnswerTable

GROUPED_BY = ("family", "domain")
"""The tags by which an evaluation groups tasks."""

SHOWN = 200
"""Of so many trials, the first ones, an evaluation keeps the answers."""

_NOTHING = Means(item_f1=0.0, row_f1=0.0, guarded_f1=0.0, key_f1=0.0, success=0.0)


@dataclass(frozen=True)
class Gold:
    """What a task asks and what answers it.

    Attributes:
        tags: what tasks are told apart by: family, domain, world, difficulty.
    """

    task_id: str
    question: str
    answer: AnswerTable
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Trial:
    """One attempt at a task.

    Attributes:
        answer: the reply, whatever it is; None if there was none.
        line: where it stands in its file; 0 if it is from none.
        tags: what trials are told apart by, such as the agent.
    """

    task_id: str
    answer: str | None
    line: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)


class Problem(NamedTuple):
    """A line that could not be scored, and why."""

    line: int
    message: str


class ScoredTrial(BaseModel):
    """A trial's score.

    Attributes:
        line: where the trial stands in its file.
        trial: its number among the trials of its task, from 1.
        score: the score, with the tags of task and trial.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: str
    line: int
    trial: int
    score: Score

    def record(self) -> dict[str, Any]:
        """The trial as one line of JSON."""
        return {**self.model_dump(mode="json", exclude={"score"}), **self.score.model_dump()}


class TaskResult(BaseModel):
    """A task's trials taken together.

    Attributes:
        tags: the task's own.
        trials: how many there are.
        failed: how many of them had a reply that could not be read.
        guarded_columns: how many columns of the answer are guarded.
        mean: the means over the trials.
        max_n: measure by measure, the best of the trials.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: str
    tags: dict[str, str]
    trials: int
    failed: int
    guarded_columns: int
    mean: Means
    max_n: Means


class Group(BaseModel):
    """A group of tasks.

    Attributes:
        tags: what the tasks have in common.
        tasks: how many there are.
        trials: how many trials they have.
        failed: how many of these had a reply that could not be read.
        mean: means over tasks of the mean over trials.
        max_n: means over tasks of the best of the trials.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tags: dict[str, str]
    tasks: int
    trials: int
    failed: int
    mean: Means
    max_n: Means

    def record(self) -> dict[str, Any]:
        """The group without its tags, as plain JSON data."""
        return self.model_dump(exclude={"tags"})


@dataclass(frozen=True)
class Evaluation:
    """What a file of answers is worth.

    Attributes:
        trials: every trial's score, in the order of the answers.
        tasks: the tasks that were tried, in the order of the gold.
        unanswered: the ids of the tasks that were not tried.
        overall: the tasks that were tried.
        all_tasks: all tasks; those that were not tried have nothing right.
        groups: by tag, the tasks that were tried.
        problems: lines that could not be scored.
        shown: the first trials with their answers, for a report.
    """

    trials: tuple[ScoredTrial, ...]
    tasks: tuple[TaskResult, ...]
    unanswered: tuple[str, ...]
    overall: Group
    all_tasks: Group
    groups: Mapping[str, tuple[Group, ...]]
    problems: tuple[Problem, ...] = ()
    shown: tuple[Trial, ...] = ()

    def summary(self) -> dict[str, Any]:
        """The evaluation without its trials, as plain JSON data."""
        return {
            "tasks": len(self.tasks) + len(self.unanswered),
            "answered": len(self.tasks),
            "trials": len(self.trials),
            "failed": self.overall.failed,
            "overall": self.overall.record(),
            "all_tasks": self.all_tasks.record(),
            **{
                f"by_{tag}": [{**group.tags, **group.record()} for group in groups]
                for tag, groups in self.groups.items()
            },
            "by_task": [task.model_dump() for task in self.tasks],
            "unanswered": list(self.unanswered),
            "problems": [problem._asdict() for problem in self.problems],
        }


def evaluate(
    gold: Mapping[str, Gold],
    answers: Iterable[Trial | Problem],
    done: Callable[[ScoredTrial], None] = lambda _: None,
) -> Evaluation:
    """Score every trial. Trials of a task that there isn't become problems.

    Args:
        gold: the tasks by id.
        answers: the trials, read one at a time; problems among them are kept.
        done: called after each trial.
    """
    by_task: dict[str, list[ScoredTrial]] = {}
    trials: list[ScoredTrial] = []
    problems: list[Problem] = []
    shown: list[Trial] = []
    for found in answers:
        if isinstance(found, Problem):
            problems.append(found)
        elif found.task_id not in gold:
            problems.append(Problem(found.line, f"there is no task {_quoted(found.task_id)}"))
        else:
            before = by_task.setdefault(found.task_id, [])
            trials.append(_score(gold[found.task_id], found, len(before) + 1))
            before.append(trials[-1])
            shown += [found] if len(shown) < SHOWN else []
            done(trials[-1])
    tasks = [_task(gold[task_id], by_task[task_id]) for task_id in gold if task_id in by_task]
    lost = [one for task_id, one in gold.items() if task_id not in by_task]
    return Evaluation(
        trials=tuple(trials),
        tasks=tuple(tasks),
        unanswered=tuple(one.task_id for one in lost),
        overall=_group({}, tasks),
        all_tasks=_group({}, [*tasks, *map(_untried, lost)]),
        groups={tag: _groups(tag, tasks) for tag in GROUPED_BY},
        problems=tuple(problems),
        shown=tuple(shown),
    )


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}...")


def _score(gold: Gold, trial: Trial, number: int) -> ScoredTrial:
    result = score(gold.answer, trial.answer, {**gold.tags, **trial.tags})
    return ScoredTrial(task_id=gold.task_id, line=trial.line, trial=number, score=result)


def _task(gold: Gold, trials: Sequence[ScoredTrial]) -> TaskResult:
    scores = [trial.score for trial in trials]
    guarded = [one for one in scores if one.guarded_columns]
    return TaskResult(
        task_id=gold.task_id,
        tags=dict(gold.tags),
        trials=len(scores),
        failed=sum(one.problem is not None for one in scores),
        guarded_columns=scores[0].guarded_columns,
        mean=combine(scores, guarded, mean),
        max_n=combine(scores, guarded, best),
    )


def _untried(gold: Gold) -> TaskResult:
    return TaskResult(
        task_id=gold.task_id,
        tags=dict(gold.tags),
        trials=0,
        failed=0,
        guarded_columns=sum(column.guarded for column in gold.answer.columns),
        mean=_NOTHING,
        max_n=_NOTHING,
    )


def _groups(tag: str, tasks: Iterable[TaskResult]) -> tuple[Group, ...]:
    by_value: dict[str, list[TaskResult]] = {}
    for task in tasks:
        by_value.setdefault(task.tags.get(tag, ""), []).append(task)
    return tuple(_group({tag: value}, by_value[value]) for value in sorted(by_value))


def _group(tags: dict[str, str], tasks: Sequence[TaskResult]) -> Group:
    guarded = [task for task in tasks if task.guarded_columns]
    return Group(
        tags=tags,
        tasks=len(tasks),
        trials=sum(task.trials for task in tasks),
        failed=sum(task.failed for task in tasks),
        mean=combine([task.mean for task in tasks], [task.mean for task in guarded], mean),
        max_n=combine([task.max_n for task in tasks], [task.max_n for task in guarded], mean),
    )
