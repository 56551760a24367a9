"""The two ways to score a trial: `strict`, and `widesearch` as the public scorer does."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from io import StringIO
from typing import Any, Literal, get_args

from answers.attempts import Gold, Pipeline, Trial
from answers.reply import Unreadable, read_reply
from answers.score import Score, score

Mode = Literal["strict", "widesearch"]
MODES: tuple[Mode, ...] = get_args(Mode)

_LONGEST_FAILURE = 120


def score_trial(gold: Gold, trial: Trial, mode: Mode = "strict") -> Score:
    """Score one attempt at a task; a failure of the agent is the reason that there is no reply.

    Raises:
        ValueError: the mode is `widesearch`, and the task has no pipeline.
    """
    tags = {**gold.tags, **{tag: v for tag, v in trial.tags.items() if tag not in gold.tags}}
    if mode == "strict":
        found = score(gold.answer, trial.answer, tags)
    elif gold.pipeline is None:
        message = f"task {gold.task_id!r} has no evaluation pipeline"
        raise ValueError(message)
    else:
        found = _widesearch(gold, gold.pipeline, trial, tags)
    problem = problem_of(trial, found)
    return found if problem == found.problem else found.model_copy(update={"problem": problem})


def problem_of(trial: Trial, found: Score) -> str | None:
    """Why a trial could not be scored: where its agent failed, that."""
    if trial.answer is None and trial.failure is not None:
        return f"the agent failed: {_short(trial.failure)}"
    return found.problem


def _short(failure: str) -> str:
    line = " ".join(failure.split())
    return line if len(line) <= _LONGEST_FAILURE else f"{line[:_LONGEST_FAILURE]}..."


def _widesearch(gold: Gold, pipeline: Pipeline, trial: Trial, tags: dict[str, str]) -> Score:
    from answers.widesearch import run_case

    found = run_case(
        {
            "gold_csv": pipeline.gold_csv,
            "evaluation": pipeline.evaluation,
            "response": trial.answer,
            "judge": pipeline.judge,
        }
    )
    return Score(
        item_precision=_share(found, "precision_by_item"),
        item_recall=_share(found, "recall_by_item"),
        item_f1=_share(found, "f1_by_item"),
        row_precision=_share(found, "precision_by_row"),
        row_recall=_share(found, "recall_by_row"),
        row_f1=_share(found, "f1_by_row"),
        success=_share(found, "score") == 1.0,
        gold_rows=sum(map(bool, csv.reader(StringIO(pipeline.gold_csv, newline="")))) - 1,
        said_rows=_rows(gold, trial.answer),
        problem=_problem(found),
        tags=tags,
    )


def _share(found: Mapping[str, Any], name: str) -> float:
    value = float(found.get(name, 0.0))
    return value if math.isfinite(value) else 0.0


def _rows(gold: Gold, text: str | None) -> int:
    headings = [column.name for column in gold.answer.columns]
    reply = Unreadable("") if text is None else read_reply(text, headings)
    return 0 if isinstance(reply, Unreadable) else len(reply.rows)


_STATUSES = {
    "response is None": "there is no reply",
    "response_df is None": "the reply holds no table",
    "column_mismatch": "the reply's columns are not those that were asked for",
}


def _problem(found: Mapping[str, Any]) -> str | None:
    status = found.get("status", "the gold table was refused")
    if status == "ok":
        return None
    if status == "exception":
        return f"the public scorer fails on it: {found.get('exception', 'an exception')}"
    return _STATUSES.get(status, str(status))
