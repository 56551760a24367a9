"""An evaluation as one HTML page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple, Self

from answers.groups import Group, TaskResult
from answers.intervals import LEVEL, RESAMPLES, Interval
from answers.marked import (
    MOST_COLUMNS,
    MarkedTable,
    counted,
    gold_table,
    plain_table,
    printable,
    said_table,
)
from answers.modes import Mode
from answers.plots import WIDTH, Plot, difficulty_plot, family_plot
from answers.score import Explanation, Mark, Score, explain
from answers.trials import SHOWN, Evaluation, Gold, ScoredTrial, Trial

MEASURES = {
    "item_f1": "Item F1",
    "row_f1": "Row F1",
    "guarded_f1": "Guarded-cell F1",
    "success": "Success",
}
"""The measures that are shown, and what they are called."""

SIGNS: dict[Mark, str] = {
    "right": "✓",
    "wrong": "✗",
    "missing": "∅",
    "invented": "!",
    "ignored": "·",
}
"""What stands before a cell, so that a mark is not its colour alone."""

MEANINGS: dict[Mark, str] = {
    "right": "as it should be",
    "wrong": "another value",
    "missing": "not stated",
    "invented": "in a row too many",
    "ignored": "not asked for, or said before",
}

_TASK_TAGS = ("family", "domain", "difficulty")
_INTERVALS = (
    f"Ranges are {LEVEL:.0%} confidence intervals over tasks, which were drawn with replacement "
    f"{RESAMPLES:,} times."
)
_MOST_LISTED = 200
_LONGEST_QUESTION, _LONGEST_ANSWER = 4_000, 8_000


class Comparison(NamedTuple):
    """A table of the caller's own, shown with the overall numbers."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str = "Comparison"


class _Shown(NamedTuple):
    number: int
    line: int
    source: str
    tags: list[str]
    scores: str
    problems: list[str]
    gold: MarkedTable
    said: MarkedTable | None
    raw: str | None
    raw_left_out: str


class _Task(NamedTuple):
    id: str
    tags: list[str]
    question: str
    result: TaskResult
    trials: list[_Shown]


class _List(NamedTuple):
    """The first items of a list, and how many more there are."""

    items: Sequence[object]
    more: int

    @classmethod
    def of(cls, found: Sequence[object]) -> Self:
        return cls(found[:_MOST_LISTED], max(len(found) - _MOST_LISTED, 0))

    def __bool__(self) -> bool:
        return bool(self.items)


def html_report(
    evaluation: Evaluation,
    gold: Mapping[str, Gold],
    *,
    title: str = "Evaluation",
    facts: Mapping[str, str] | None = None,
    comparison: Comparison | None = None,
) -> str:
    """The page: numbers, groups, what could not be scored, and trials cell by cell.

    Args:
        evaluation: what is shown; of its trials those whose answers it has kept.
        gold: the tasks by id.
        title: the heading.
        facts: what was evaluated, in pairs of name and value.
        comparison: a table of the caller's own.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["share"] = "{:.3f}".format
    environment.filters["range"] = _range
    measures = _measures(evaluation)
    source = files("answers").joinpath("templates", "report.html").read_text(encoding="utf-8")
    return environment.from_string(source).render(
        title=title,
        facts=[(name, printable(value)) for name, value in (facts or {}).items()],
        comparison=comparison,
        measure_names=measures,
        several=any(task.trials > 1 for task in evaluation.tasks),
        overall=evaluation.overall,
        all_tasks=evaluation.all_tasks,
        counts=_counts(evaluation),
        intervals=_INTERVALS if evaluation.overall.intervals else "",
        plots=_plots(evaluation, guarded="guarded_f1" in measures),
        plot_width=WIDTH,
        micro=[
            (label, name.removesuffix("_f1")) for name, label in measures.items() if "f1" in name
        ],
        grouped=[(printable(tag), _named(tag, groups)) for tag, groups in _grouped(evaluation)],
        ungrouped=[printable(tag) for tag in evaluation.ungrouped],
        failures=_List.of([(printable(why), n) for why, n in evaluation.failures.items()]),
        problems=_List.of(evaluation.problems),
        unanswered=_List.of([printable(task_id) for task_id in evaluation.unanswered]),
        cut=_cut(min(len(evaluation.shown), SHOWN), len(evaluation.trials), "trials"),
        tasks=_tasks(evaluation, gold),
        mode=evaluation.mode,
        signs=SIGNS,
        meanings=MEANINGS,
    )


def _range(interval: Interval | None) -> str:
    """An interval in words; nothing for one that is as good as a point."""
    low, high = (f"{end:.3f}" for end in interval or (0.0, 0.0))
    return f"{low} to {high}" if low != high else ""


def _plots(evaluation: Evaluation, *, guarded: bool) -> list[Plot]:
    groups = evaluation.groups
    found = (
        difficulty_plot(evaluation.tasks, groups.get("difficulty", ()), guarded=guarded),
        family_plot(groups.get("family", ()), guarded=guarded),
    )
    return [plot for plot in found if plot]


def _grouped(evaluation: Evaluation) -> list[tuple[str, Sequence[Group]]]:
    return [(tag, groups) for tag, groups in evaluation.groups.items() if groups]


def _cut(shown: int, there: int, what: str) -> str:
    return f"The first {shown:,} of {there:,} {what} are shown." if shown < there else ""


def _measures(evaluation: Evaluation) -> dict[str, str]:
    guarded = any(task.guarded_columns for task in evaluation.tasks)
    return {name: MEASURES[name] for name in MEASURES if guarded or name != "guarded_f1"}


def _counts(evaluation: Evaluation) -> str:
    answered, unanswered = len(evaluation.tasks), len(evaluation.unanswered)
    parts = [
        f"{counted(answered + unanswered, 'task')}, {answered} answered",
        counted(len(evaluation.trials), "trial"),
        f"{counted(evaluation.overall.failed, 'answer')} that could not be read",
        f"{counted(len(evaluation.problems), 'line')} that could not be scored",
    ]
    return "; ".join(parts) + "."


def _named(tag: str, groups: Sequence[Group]) -> list[tuple[str, Group]]:
    return [(printable(group.tags[tag]) or "(none)", group) for group in groups]


def _tasks(evaluation: Evaluation, gold: Mapping[str, Gold]) -> list[_Task]:
    trials: dict[str, list[_Shown]] = {}
    for trial, scored in zip(evaluation.shown[:SHOWN], evaluation.trials, strict=False):
        shown = _trial(gold[trial.task_id], trial, scored, evaluation.mode)
        trials.setdefault(trial.task_id, []).append(shown)
    return [
        _Task(
            id=printable(task.task_id),
            tags=[printable(task.tags[tag]) for tag in _TASK_TAGS if tag in task.tags],
            question=printable(gold[task.task_id].question, _LONGEST_QUESTION),
            result=task,
            trials=trials[task.task_id],
        )
        for task in evaluation.tasks
        if task.task_id in trials
    ]


def _trial(gold: Gold, trial: Trial, scored: ScoredTrial, mode: Mode) -> _Shown:
    raw = trial.answer
    found = explain(gold.answer, raw) if mode == "strict" else None
    return _Shown(
        number=scored.trial,
        line=trial.line,
        source=printable(trial.source),
        tags=[printable(value) for value in trial.tags.values()],
        scores=_scores(scored.score),
        problems=_problems(scored.score, found),
        gold=gold_table(gold.answer, found) if found else plain_table(gold.answer),
        said=said_table(gold.answer, found) if found else None,
        raw=None if raw is None else printable(raw, _LONGEST_ANSWER),
        raw_left_out=_cut(_LONGEST_ANSWER, len(raw or ""), "characters"),
    )


def _scores(score: Score) -> str:
    shares = [
        f"{label.lower().replace('f1', 'F1')} {getattr(score, name):.3f}"
        for name, label in MEASURES.items()
        if name != "success" and (score.guarded_columns or name != "guarded_f1")
    ]
    rows = f"{counted(score.gold_rows, 'row')} wanted, {score.said_rows} said"
    return "; ".join([*shares, "right in full" if score.success else "not right in full", rows])


def _problems(score: Score, found: Explanation | None) -> list[str]:
    if score.problem is not None:
        return [f"Nothing could be scored: {printable(score.problem)}."]
    problems = []
    if score.missing_columns:
        named = ", ".join(printable(name) for name in score.missing_columns[:MOST_COLUMNS])
        problems.append(f"Columns that the answer lacks: {named}.")
    reply = found.reply if found else None
    if reply and reply.cut_rows:
        problems.append(f"{counted(reply.cut_rows, 'row')} longer than the headings, read in part.")
    return problems
