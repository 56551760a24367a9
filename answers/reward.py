"""A score as one number for training, and as the functions that TRL and verl call.

    reward = shares * (1 - length * excess)
    shares = (item * item F1 + row * row F1 + format * is formatted) / (item + row + format)
    excess = how far the reply is longer than `bound` characters, in bounds, at most 1

So a reward lies between 0 and 1, and an answer that is right in full and not too long has 1.
A reply is formatted when it holds a readable table with exactly the columns that were asked for.
Length only takes away: were a short reply worth something, saying nothing would be.

TRL: `GRPOTrainer(reward_funcs=trl_reward, ...)` with a column `gold` in the data set, or
`trl_rewards("answer", row=1.0)` for another column and other weights. verl: name `compute_score`
of this module as the custom reward function. Gold is an `AnswerTable`, or the record of a task as
the export writes it, as JSON or as an object.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypedDict, Unpack

from answers.record import TaskRecord
from answers.score import explain
from answers.table import AnswerTable

BOUND = 20_000
"""Characters that a reply may have at no cost: more than any answer that a task asks for."""

Gold = AnswerTable | str | Mapping[str, Any]
"""The answer, or a task's record as JSON or as an object."""


class Weights(TypedDict, total=False):
    """The weights of `reward`."""

    item: float
    row: float
    format: float
    length: float
    bound: int


def reward(  # noqa: PLR0913 - its weights are told apart by name
    gold: AnswerTable,
    text: str | None,
    *,
    item: float = 0.6,
    row: float = 0.3,
    format: float = 0.1,
    length: float = 0.5,
    bound: int = BOUND,
) -> float:
    """What a reply is worth, between 0 and 1.

    Args:
        gold: the answer.
        text: the reply, whatever it is; None if there was none.
        item: the weight of item F1.
        row: the weight of row F1.
        format: the weight of a readable table with exactly the columns that were asked for.
        length: the share of the reward that a reply of twice `bound` or longer loses.
        bound: characters up to which length costs nothing.

    Raises:
        ValueError: a weight is negative, no weight is positive, `length` is more than 1, or
            `bound` is less than 1.
    """
    weights = item, row, format
    if min(weights) < 0 or not sum(weights) > 0 or not 0 <= length <= 1 or bound < 1:
        message = "weights are 0 or more, one is positive, length at most 1, bound at least 1"
        raise ValueError(message)
    found = explain(gold, text)
    is_cut = found.reply is not None and found.reply.cut_rows > 0
    columns = (found.score.missing_columns, found.score.extra_columns)
    is_formatted = found.score.problem is None and not any(columns) and not is_cut
    shares = item * found.score.item_f1 + row * found.score.row_f1 + format * is_formatted
    excess = min(max(len(text or "") - bound, 0) / bound, 1.0)
    return min(shares / sum(weights), 1.0) * (1 - length * excess)


def trl_rewards(column: str = "gold", **weights: Unpack[Weights]) -> Callable[..., list[float]]:
    """A reward function for TRL.

    Args:
        column: the column of the data set that holds the gold.
        weights: those of `reward`.
    """

    def table_reward(completions: Sequence[Any], **kwargs: Any) -> list[float]:
        gold: Sequence[Gold] = kwargs[column]
        return [
            reward(read_gold(one), _said(completion), **weights)
            for one, completion in zip(gold, completions, strict=True)
        ]

    return table_reward


def trl_reward(completions: Sequence[Any], **kwargs: Any) -> list[float]:
    """The reward of each completion, as TRL calls for it.

    Args:
        completions: texts, or lists of chat messages, of which the assistant's last one counts.
        kwargs: the columns of the data set, of which `gold` holds an answer for each completion.

    Raises:
        KeyError: there is no column `gold`.
        ValueError: a gold is none.
    """
    return trl_rewards()(completions, **kwargs)


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Gold,
    extra_info: Mapping[str, Any] | None = None,
    **weights: Unpack[Weights],
) -> float:
    """The reward of one solution, as verl calls for it.

    Args:
        data_source: where the task is from; it changes nothing.
        solution_str: the reply.
        ground_truth: the gold.
        extra_info: what else the data set says; it changes nothing.
        weights: those of `reward`.

    Raises:
        ValueError: `ground_truth` is no gold.
    """
    return reward(read_gold(ground_truth), solution_str, **weights)


def read_gold(gold: Gold) -> AnswerTable:
    """The answer table, from whatever form of it a data set holds.

    Raises:
        ValueError: it is no answer and no record of a task.
    """
    if isinstance(gold, AnswerTable):
        return gold
    if isinstance(gold, str):
        return _parse(gold)
    return _of_record(gold)


@lru_cache(maxsize=1024)
def _parse(text: str) -> AnswerTable:
    record = json.loads(text)
    if not isinstance(record, dict):
        message = "gold is no record of a task"
        raise ValueError(message)
    return _of_record(record)


def _of_record(record: Mapping[str, Any]) -> AnswerTable:
    columns = record.get("columns")
    if isinstance(columns, Sequence) and columns and isinstance(columns[0], Mapping):
        return AnswerTable.model_validate(record)
    return TaskRecord.model_validate({"task_id": "", **record}).answer()


def _said(completion: Any) -> str | None:
    """The text of a completion: of chat messages that of the assistant's last one."""
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Mapping):
        return _said(completion.get("content"))
    if not isinstance(completion, Sequence):
        return None
    messages = [one for one in completion if isinstance(one, Mapping)]
    if messages and all("role" in one for one in messages):
        own = [one for one in messages if one["role"] == "assistant"]
        return _said(own[-1]) if own else None
    # The content of one message can be a list of parts, of which those that are text count.
    return "".join(str(one["text"]) for one in messages if one.get("text") is not None)
