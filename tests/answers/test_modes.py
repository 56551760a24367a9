from __future__ import annotations

from typing import Any

import pytest

from answers.attempts import Pipeline
from answers.modes import score_trial
from answers.table import AnswerColumn, AnswerTable
from answers.trials import Gold, Options, Trial, evaluate

TABLE = AnswerTable(
    columns=(
        AnswerColumn(name="City", kind="name", key=True),
        AnswerColumn(name="Area", kind="number"),
    ),
    rows=(("Velmora", 100), ("Ossary", 310)),
)
EVALUATION: dict[str, Any] = {
    "unique_columns": ["city"],
    "required": ["city", "area"],
    "eval_pipeline": {
        "city": {"preprocess": ["norm_str"], "metric": ["exact_match"]},
        "area": {"preprocess": ["extract_number"], "metric": ["number_near"], "criterion": 0.05},
    },
}
CSV = "City,Area\nVelmora,100\nOssary,310\n"
GOLD = Gold("a", "?", TABLE, {"family": "top"}, Pipeline(CSV, EVALUATION))


def reply(*rows: tuple[str, float], heading: str = "Area") -> str:
    return "\n".join(
        [f"| City | {heading} |", "|---|---|", *(f"| {city} | {area} |" for city, area in rows)]
    )


def test_each_mode_has_its_own_rules() -> None:
    trial = Trial("a", reply(("Velmora", 102), ("Ossary", 310)), tags={"family": "x", "agent": "y"})
    strict, public = score_trial(GOLD, trial), score_trial(GOLD, trial, "widesearch")
    assert (strict.item_f1, public.item_f1) == (0.75, 1.0)
    assert (strict.success, public.success) == (False, True)
    assert strict.tags == public.tags == {"family": "top", "agent": "y"}
    assert (public.gold_rows, public.said_rows, public.guarded_columns) == (2, 2, 0)


def test_the_public_scorers_faults_are_kept() -> None:
    trial = Trial("a", reply(("Ossary", 310), ("Velmora", 101), ("Vel mora", 101)))
    found = score_trial(GOLD, trial, "widesearch")
    assert (found.item_recall, found.row_recall, found.success) == (1.5, 1.5, False)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "there is no reply"),
        ("nothing", "the reply holds no table"),
        (
            reply(("Ossary", 310), heading="Size"),
            "the reply's columns are not those that were asked for",
        ),
        (reply(("Nowhere", 1)), "the public scorer fails on it: ValueError"),
    ],
)
def test_why_the_public_scorer_gives_nothing_is_said(text: str | None, problem: str) -> None:
    found = score_trial(GOLD, Trial("a", text), "widesearch")
    assert (found.item_f1, found.success, found.problem) == (0.0, False, problem)


def test_a_gold_table_that_the_public_scorer_refuses_is_a_problem() -> None:
    gold = Gold("a", "?", TABLE, pipeline=Pipeline("Town,Area\nx,1\n", EVALUATION))
    found = score_trial(gold, Trial("a", reply(("Ossary", 310))), "widesearch")
    assert found.problem == "the gold table was refused"


def test_micro_averages_agree_with_the_public_scorers_shares() -> None:
    trials = [Trial("a", reply(("Ossary", 310), ("Velmora", 7), ("Nowhere", 1)))]
    found = evaluate({"a": GOLD}, trials, options=Options(mode="widesearch"))
    (scored,) = found.trials
    for name in ("item_precision", "item_recall", "item_f1", "row_precision", "row_recall"):
        assert found.overall.micro[name] == pytest.approx(getattr(scored.score, name))
    assert found.overall.micro["guarded_f1"] == 0.0
