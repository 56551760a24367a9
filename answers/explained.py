"""Scores explained as data: what each column, row and cell of a reply was taken for, and why."""

from __future__ import annotations

from typing import Any

from answers.attempts import Gold, Trial
from answers.batches import Batch
from answers.join import RowMatch
from answers.marked import note, row_note
from answers.modes import Mode, problem_of, score_trial
from answers.score import Explanation, Mark, explain


def explain_batch(mode: Mode, batch: Batch) -> list[dict[str, Any]]:
    """The explanations of a batch of trials."""
    return [explained(gold, trial, number, mode) for gold, trial, number in batch]


def explained(gold: Gold, trial: Trial, number: int, mode: Mode = "strict") -> dict[str, Any]:
    """Why a trial has its score, as plain JSON data. Rows are counted from 1.

    In `widesearch` mode, which has numbers alone, only why there is no score is told.
    """
    record = {
        "task_id": gold.task_id,
        "line": trial.line,
        **({"source": trial.source} if trial.source else {}),
        "trial": number,
        "mode": mode,
    }
    if mode == "widesearch":
        return {**record, "problem": score_trial(gold, trial, mode).problem}
    found = explain(gold.answer, trial.answer)
    problem = problem_of(trial, found.score)
    return {**record, "problem": problem, **_columns(gold, found), **_rows(gold, found)}


def _columns(gold: Gold, found: Explanation) -> dict[str, Any]:
    headings = found.reply.columns if found.reply else ()
    columns = [
        {
            "column": column.name,
            "key": column.key,
            "guarded": column.guarded,
            "said_as": None if place is None else headings[place],
        }
        for column, place in zip(gold.answer.columns, found.places, strict=True)
    ]
    return {"columns": columns, "extra_columns": list(found.score.extra_columns)}


def _rows(gold: Gold, found: Explanation) -> dict[str, Any]:
    joined = {match.gold_row for match in found.rows if match.use == "joined"}
    return {
        "rows": [_row(gold, found, place) for place in range(len(found.rows))],
        "missing_rows": [
            {"row": place + 1, "cells": list(row)}
            for place, row in enumerate(gold.answer.rows)
            if place not in joined
        ],
        "invented_rows": [
            place for place, match in enumerate(found.rows, 1) if match.use == "surplus"
        ],
    }


def _row(gold: Gold, found: Explanation, place: int) -> dict[str, Any]:
    """What a row of the reply was taken for, with its cells in the order of the reply."""
    match = found.rows[place]
    asked = {at: column for column, at in enumerate(found.places) if at is not None}
    said = found.reply.rows[place] if found.reply else ()
    return {
        "row": place + 1,
        "taken_for": match.use,
        "why": row_note(match),
        "matched_row": None if match.gold_row is None else match.gold_row + 1,
        "cells": [
            _cell(gold, match, mark, asked.get(at), cell)
            for at, (cell, mark) in enumerate(zip(said, found.said_marks[place], strict=True))
        ],
    }


def _cell(gold: Gold, match: RowMatch, mark: Mark, column: int | None, said: str) -> dict[str, Any]:
    row = match.gold_row
    return {
        "column": None if column is None else gold.answer.columns[column].name,
        "said": said,
        "wanted": None if column is None or row is None else gold.answer.rows[row][column],
        "mark": mark,
        "why": note(gold.answer, match, mark, column),
    }
