"""Scoring one case in the form of the oracle vectors.

A case holds `gold_csv` (the gold file's text), `evaluation` (the task's rules), `response` (the
reply, or None) and `judge` (how the language model behaves). Source of what is computed: WideSearch
(arXiv 2508.07999) and its public scorer.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from answers.widesearch.errors import GoldError
from answers.widesearch.judge import CannedJudge, Judge, ScriptedJudge, SilentJudge
from answers.widesearch.openai_judge import OpenAIJudge
from answers.widesearch.scorer import evaluate
from answers.widesearch.tables import load_gold

__all__ = ["FROZEN_NOW", "judge_of", "run_case"]

FROZEN_NOW = dt.datetime(2025, 9, 1, 12, tzinfo=dt.UTC)
"""The time at which the oracle vectors were made."""


def run_case(case: Mapping[str, Any], now: dt.datetime = FROZEN_NOW) -> dict[str, Any]:
    """Score one case.

    Args:
        case: the case. `judge` may be left out, and is then off.
        now: when the reply was given.

    Returns:
        The measures, `status`, and `exception` where the status is so; or `load_error` alone, if
        the gold table is refused.
    """
    try:
        gold = load_gold(case["gold_csv"], case["evaluation"]["required"])
    except GoldError:
        return {"load_error": True}
    judge = judge_of(case.get("judge", {"mode": "off"}))
    return evaluate(gold, case["evaluation"], case["response"], judge, now).record()


def judge_of(description: Mapping[str, Any]) -> Judge:
    """The judge that a case describes.

    Args:
        description: its `mode`: `off`; `raw`, with `replies` in the order of the calls; or
            `script`, with `aliases` of gold values and `equivalent` pairs of cells; or `openai`,
            with the `url` of a server, a `model`, and a `key` if it wants one.

    Raises:
        ValueError: there is no such mode.
    """
    mode = description["mode"]
    if mode == "off":
        return SilentJudge()
    if mode == "raw":
        return CannedJudge(description["replies"])
    if mode == "openai":
        return OpenAIJudge(description["url"], description["model"], description.get("key", ""))
    if mode == "script":
        return ScriptedJudge(description.get("aliases"), description.get("equivalent", ()))
    message = f"there is no judge {mode!r}; there are off, raw, script and openai"
    raise ValueError(message)
