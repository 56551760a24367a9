"""Scoring a reply against a gold table, step by step as the public WideSearch scorer does.

Source: WideSearch (arXiv 2508.07999) and its public scorer. Whatever fails on the way, fails there
too and scores nothing; so do some answers that share no key with the gold table.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from answers.widesearch.errors import ATTRIBUTE_ERROR, VALUE_ERROR, ScorerError, logged_name
from answers.widesearch.frame import Column, Frame
from answers.widesearch.join import first_of_each, height, inner_join
from answers.widesearch.judge import Judge, parse_markdown_json
from answers.widesearch.metrics import llm_judge, measure
from answers.widesearch.prepare import norm_column, prepare
from answers.widesearch.result import Result, score_cells
from answers.widesearch.tables import extract_table

__all__ = ["evaluate"]

Table = dict[str, Column]

_ALIGNED = frozenset({"llm_judge", "exact_match"})
"""A key column with one of these metrics is aligned by the judge."""

_TRIED_ON_NOTHING = "date_near"
"""The one metric that gives a result where no rows are joined: all others then fail."""


def evaluate(
    gold: Frame,
    evaluation: Mapping[str, Any],
    response: str | None,
    judge: Judge,
    now: dt.datetime,
) -> Result:
    """Score a reply. Never raises: what fails is the result's status.

    Args:
        gold: the gold table, as `load_gold` gives it.
        evaluation: the task's `required` columns, its `unique_columns`, which are the keys, and
            its `eval_pipeline`: for each column the names of its `preprocess` steps and of its
            `metric`s, and their `criterion`.
        response: the reply; None if there was none.
        judge: what is asked for the names of columns, for keys and by the metric `llm_judge`.
        now: when the reply was given: dates that lack something are filled in from here.
    """
    if response is None:
        return Result(status="response is None")
    try:
        return _evaluate(gold, evaluation, response, judge, now)
    except Exception as error:  # an answer that fails scores nothing, whatever it fails on
        return Result(status="exception", exception=logged_name(error))


def _evaluate(
    gold: Frame, evaluation: Mapping[str, Any], response: str, judge: Judge, now: dt.datetime
) -> Result:
    required, keys = evaluation["required"], evaluation["unique_columns"]
    said = extract_table(response)
    if said is None:
        return Result(status="response_df is None")
    said = said.named(map(norm_column, said.names))
    if set(required) != set(said.names):
        meant = _align(judge, said.names, required)
        said = said.named(meant.get(name, name) for name in said.names)
    if set(required) != set(said.names):
        return Result(status="column_mismatch")
    scorer = _Scorer(evaluation["eval_pipeline"], list(required), keys, judge, now)
    tables = _as_text(gold.gather(required)), _as_text(said.gather(required))
    return scorer.score(*tables, same_columns=said.names == gold.names)


def _align(judge: Judge, said: Sequence[Any], gold: Sequence[Any]) -> Mapping[str, Any]:
    """What values of an answer mean, as far as the judge knows."""
    reply = judge.align(said, gold)
    return (None if reply is None else parse_markdown_json(reply)) or {}


def _as_text(table: Table) -> Table:
    """The table with every cell as text: what is `7` in one may be `7.0` in the other."""
    return {
        name: column if column.dtype == "repeated" else Column("object", column.texts())
        for name, column in table.items()
    }


@dataclass(frozen=True)
class _Scorer:
    """What a task compares by.

    Attributes:
        pipeline: by column, its preprocessors, metrics and criterion.
        required: the columns that are asked for.
        keys: those that name a row.
        judge: what is asked.
        now: when the reply was given.
    """

    pipeline: Mapping[str, Mapping[str, Any]]
    required: list[str]
    keys: Sequence[str]
    judge: Judge
    now: dt.datetime

    def score(self, gold: Table, said: Table, *, same_columns: bool) -> Result:
        """Score two tables of the same columns, in the same order or another."""
        said, gold = first_of_each(said, self.keys), first_of_each(gold, self.keys)
        same_columns &= not self._align_keys(gold, said)
        for name, steps in self.pipeline.items():
            for step in steps.get("preprocess", []):
                said[name] = self._prepare(said[name], step)
                gold[name] = self._prepare(gold[name], step)
        equal = same_columns and _hold_the_same(gold, said)
        pairs = inner_join(gold, said, self.keys)
        cells = self._cells(gold, said, pairs)
        return score_cells(cells, height(said), height(gold), len(self.required), equal=equal)

    def _align_keys(self, gold: Table, said: Table) -> bool:
        """Let the judge align keys; whether it was asked."""
        asked = False
        for name in self.keys:
            rules = self.pipeline.get(name)
            if rules is None or _ALIGNED.isdisjoint(rules.get("metric", [])):
                continue
            for column in (said[name], gold[name]):
                _refuse_repeated(column, name, ATTRIBUTE_ERROR)
            meant = _align(self.judge, said[name].values, gold[name].values)
            said[name] = Column("object", [meant.get(value, value) for value in said[name].values])
            asked = True
        return asked

    def _prepare(self, column: Column, step: str) -> Column:
        prepared = [prepare(step, value, self.now) for value in column.values]
        return column if column.dtype == "repeated" else Column("object", prepared)

    def _cells(
        self, gold: Table, said: Table, pairs: Sequence[tuple[int, int]]
    ) -> dict[str, list[Any]]:
        """The points of each joined row, by column and metric. A key's are full."""
        cells: dict[str, list[Any]] = {}
        for name in self.required:
            if name in self.keys:
                cells[f"{name}_exact_match"] = [1.0] * len(pairs)
                continue
            rules = self.pipeline[name]
            criterion = rules.get("criterion")
            for metric in rules.get("metric", []):
                points = self._points(metric, criterion, gold[name], said[name], pairs)
                cells[f"{name}_{metric}"] = points
        return cells

    def _points(
        self,
        metric: str,
        criterion: Any,
        gold: Column,
        said: Column,
        pairs: Sequence[tuple[int, int]],
    ) -> list[Any]:
        """The points of one column in each joined row, by one metric."""
        cells = [(_cell(said, place), _cell(gold, row)) for row, place in pairs]
        if metric == "llm_judge":
            _refuse_repeated(said, metric, ATTRIBUTE_ERROR)
            _refuse_repeated(gold, metric, ATTRIBUTE_ERROR)
            return llm_judge(cells, criterion, self.judge)
        if not cells and metric != _TRIED_ON_NOTHING:
            raise ScorerError(VALUE_ERROR, f"no row has a known key, so {metric} has no result")
        return [measure(metric, *pair, criterion, self.now) for pair in cells]


class _Several:
    """The cells of columns that share a name: no text, and equal to nothing."""

    def __contains__(self, text: str) -> bool:
        """Never: it is looked for among the columns' names."""
        return False

    def __eq__(self, other: object) -> bool:
        """Raise: there are several answers."""
        raise ScorerError(VALUE_ERROR, "several columns are compared at once")

    __hash__ = None  # type: ignore[assignment]


def _cell(column: Column, row: int) -> Any:
    return _Several() if column.dtype == "repeated" else column.values[row]


def _refuse_repeated(column: Column, name: str, kind: str) -> None:
    if column.dtype == "repeated":
        raise ScorerError(kind, f"several columns stand for {name!r}")


def _hold_the_same(gold: Table, said: Table) -> bool:
    """Whether two tables hold the same rows, in whatever order."""
    return Counter(_rows(gold, gold)) == Counter(_rows(said, gold))


def _rows(table: Table, names: Iterable[str]) -> list[tuple[Any, ...]]:
    return list(zip(*(table[name].values for name in names), strict=True))
