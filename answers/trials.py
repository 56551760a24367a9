"""Evaluating what agents brought back: scores a trial, means and best a task, averages over all.

Averages are taken over tasks: of the mean over a task's trials, and of the best of them, so that
a task with many trials weighs no more than one with few. Micro averages stand beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from answers.attempts import Gold, Pipeline, Problem, ScoredTrial, Trial
from answers.batches import Batch, Numbered, run_batches
from answers.groups import Group, TaskResult, by_tag, by_trial_tag, group, task_result, untried
from answers.intervals import LEVEL, RESAMPLES
from answers.modes import Mode, score_trial

__all__ = [
    "GROUPED_BY",
    "MOST_VALUES",
    "SHOWN",
    "Evaluation",
    "Gold",
    "Group",
    "Options",
    "Pipeline",
    "Problem",
    "ScoredTrial",
    "TaskResult",
    "Trial",
    "evaluate",
]

GROUPED_BY = ("family", "domain")
"""The tags by which an evaluation always groups tasks; by difficulty where there is one."""

SHOWN = 200
"""Of so many trials, the first ones, an evaluation keeps the answers unless told otherwise."""

MOST_VALUES = 50
"""Trials are not grouped by a tag that has more values than this."""

# These would hide other things that a summary says.
_NO_TAGS = frozenset({"task", "difficulty", *GROUPED_BY, *Group.model_fields})


@dataclass(frozen=True)
class Options:
    """How an evaluation is made.

    Attributes:
        mode: how a trial is scored.
        workers: the number of processes; results don't depend on it.
        keep: of how many trials, the first ones, the answers are kept; None for all.
        pass_at: the k of pass@k; none for powers of two up to the most trials of a task, and that.
        judge: the language model that WideSearch's scorer asks, as `answers.widesearch.run_case`
            takes it; if none, only what its rules can tell counts.
    """

    mode: Mode = "strict"
    workers: int = 1
    keep: int | None = SHOWN
    pass_at: tuple[int, ...] = ()
    judge: Mapping[str, str] | None = None


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
        failures: of the trials whose reply could not be read, how many for each reason.
        ungrouped: tags of trials that have too many values to group by.
        mode: how trials were scored.
    """

    trials: tuple[ScoredTrial, ...]
    tasks: tuple[TaskResult, ...]
    unanswered: tuple[str, ...]
    overall: Group
    all_tasks: Group
    groups: Mapping[str, tuple[Group, ...]]
    problems: tuple[Problem, ...] = ()
    shown: tuple[Trial, ...] = ()
    failures: Mapping[str, int] = field(default_factory=dict)
    ungrouped: tuple[str, ...] = ()
    mode: Mode = "strict"

    def summary(self) -> dict[str, Any]:
        """The evaluation without its trials, as plain JSON data."""
        return {
            "mode": self.mode,
            "tasks": len(self.tasks) + len(self.unanswered),
            "answered": len(self.tasks),
            "trials": len(self.trials),
            "failed": self.overall.failed,
            "failures": dict(self.failures),
            "intervals": {"level": LEVEL, "resamples": RESAMPLES, "over": "tasks"},
            "overall": self.overall.record(),
            "all_tasks": self.all_tasks.record(),
            **{
                f"by_{tag}": [{**group.tags, **group.record()} for group in groups]
                for tag, groups in self.groups.items()
            },
            "not_grouped_by": list(self.ungrouped),
            "by_task": [task.record() for task in self.tasks],
            "unanswered": list(self.unanswered),
            "problems": [problem.record() for problem in self.problems],
        }


def evaluate(
    gold: Mapping[str, Gold],
    answers: Iterable[Trial | Problem],
    done: Callable[[ScoredTrial], None] = lambda _: None,
    options: Options | None = None,
) -> Evaluation:
    """Score every trial. Trials of a task that there isn't become problems.

    Args:
        gold: the tasks by id.
        answers: the trials, read one at a time; problems among them are kept.
        done: called after each trial, with several workers in any order.
        options: how to score.

    Raises:
        ValueError: the mode is `widesearch`, and a task has no pipeline.
    """
    options = options or Options()
    problems: list[Problem] = []
    shown: list[Trial] = []
    found = _keeping(_numbered(gold, answers, problems), shown, options.keep)
    trials = run_batches(partial(_score_batch, options.mode), found, options.workers, done)
    by_task: dict[str, list[ScoredTrial]] = {}
    for trial in trials:
        by_task.setdefault(trial.task_id, []).append(trial)
    by_task = {task_id: by_task[task_id] for task_id in gold if task_id in by_task}
    tasks = [task_result(gold[task_id], tried) for task_id, tried in by_task.items()]
    lost = [one for task_id, one in gold.items() if task_id not in by_task]
    ks = options.pass_at or _powers(max((task.trials for task in tasks), default=0))
    overall = group({}, tasks, ks)
    tags, ungrouped = _trial_tags(gold, trials)
    return Evaluation(
        trials=tuple(trials),
        tasks=tuple(tasks),
        unanswered=tuple(one.task_id for one in lost),
        overall=overall,
        all_tasks=group({}, [*tasks, *map(untried, lost)], ks) if lost else overall,
        groups={tag: by_tag(tag, tasks, ks) for tag in _task_tags(tasks)}
        | {tag: by_trial_tag(tag, gold, by_task, ks) for tag in tags},
        problems=tuple(problems),
        shown=tuple(shown),
        failures=_failures(trials),
        ungrouped=ungrouped,
        mode=options.mode,
    )


def _numbered(
    gold: Mapping[str, Gold], answers: Iterable[Trial | Problem], problems: list[Problem]
) -> Iterator[Numbered]:
    """The trials of tasks that there are; what else there is becomes problems."""
    numbers: Counter[str] = Counter()
    for found in answers:
        if isinstance(found, Problem):
            problems.append(found)
        elif found.task_id not in gold:
            message = f"there is no task {_quoted(found.task_id)}"
            problems.append(Problem(found.line, message, found.source))
        else:
            numbers[found.task_id] += 1
            yield Numbered(gold[found.task_id], found, numbers[found.task_id])


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}...")


def _keeping(found: Iterable[Numbered], shown: list[Trial], most: int | None) -> Iterator[Numbered]:
    for one in found:
        if most is None or len(shown) < most:
            shown.append(one.trial)
        yield one


def _score_batch(mode: Mode, batch: Batch) -> list[ScoredTrial]:
    return [
        ScoredTrial(
            task_id=gold.task_id,
            line=trial.line,
            trial=number,
            score=score_trial(gold, trial, mode),
            source=trial.source,
        )
        for gold, trial, number in batch
    ]


def _powers(most: int) -> tuple[int, ...]:
    """The powers of two below a number, and the number: of 6, (1, 2, 4, 6)."""
    below = (1 << power for power in range(most.bit_length()))
    return tuple(sorted({*(k for k in below if k <= most), *([most] if most else [])}))


def _task_tags(tasks: Sequence[TaskResult]) -> tuple[str, ...]:
    with_difficulty = any("difficulty" in task.tags for task in tasks)
    return (*GROUPED_BY, *(("difficulty",) if with_difficulty else ()))


def _trial_tags(
    gold: Mapping[str, Gold], trials: Sequence[ScoredTrial]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tags of trials to group by, and those with too many values."""
    values: dict[str, set[str]] = {}
    for trial in trials:
        own = gold[trial.task_id].tags
        for tag, value in trial.score.tags.items():
            if tag not in own and tag not in _NO_TAGS:
                values.setdefault(tag, set()).add(value)
    few = tuple(sorted(tag for tag, found in values.items() if len(found) <= MOST_VALUES))
    return few, tuple(sorted(values.keys() - set(few)))


def _failures(trials: Iterable[ScoredTrial]) -> dict[str, int]:
    """How many trials there are for each reason, the most frequent first."""
    counted = Counter(trial.score.problem for trial in trials)
    named = [(reason, count) for reason, count in counted.items() if reason is not None]
    return dict(sorted(named, key=lambda one: (-one[1], one[0])))
