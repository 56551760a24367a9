from __future__ import annotations

import json

import pytest

from answers.markdown import to_markdown
from answers.report import Means
from answers.table import AnswerColumn, AnswerTable
from answers.trials import (
    MOST_VALUES,
    SHOWN,
    Evaluation,
    Gold,
    Group,
    Options,
    Problem,
    ScoredTrial,
    TaskResult,
    Trial,
    evaluate,
)

PORT = AnswerColumn(name="Port", kind="name", key=True)
DEPTH = AnswerColumn(name="Depth (m)", kind="number", guarded=True, decimals=1, unit="m")
TABLE = AnswerTable(columns=(PORT, DEPTH), rows=(("Ossary", 7.2), ("Kell", 12.0)))
NAMES = AnswerTable(columns=(PORT,), rows=(("Ossary",),))
RIGHT = to_markdown(["Port", "Depth (m)"], TABLE.rows)
HALF = to_markdown(["Port", "Depth (m)"], [("Ossary", 7.2), ("Kell", 1)])
ONE, NOTHING = (
    Means(item_f1=f1, row_f1=f1, guarded_f1=f1, key_f1=f1, success=f1) for f1 in (1.0, 0.0)
)


def task(task_id: str, family: str, domain: str = "ferries", table: AnswerTable = TABLE) -> Gold:
    return Gold(task_id, f"Which ports? ({task_id})", table, {"family": family, "domain": domain})


GOLD = {
    gold.task_id: gold
    for gold in (task("a", "top"), task("b", "absent"), task("c", "top", "intranet"))
}


def test_right_answers_score_one_everywhere() -> None:
    found = evaluate(GOLD, [Trial(task_id, RIGHT) for task_id in GOLD])
    groups = [group for groups in found.groups.values() for group in groups]
    everything: list[Group | TaskResult] = [found.overall, found.all_tasks, *groups, *found.tasks]
    for one in everything:
        assert one.mean == one.max_n == ONE
        assert one.failed == 0
    assert (found.unanswered, found.problems) == ((), ())


def test_a_task_has_the_mean_and_the_best_of_its_trials() -> None:
    found = evaluate(GOLD, [Trial("a", HALF, 1), Trial("a", RIGHT, 2), Trial("a", "none", 3)])
    (result,) = found.tasks
    assert (result.task_id, result.trials, result.failed) == ("a", 3, 1)
    assert result.mean.item_f1 == pytest.approx((0.75 + 1 + 0) / 3)
    assert result.mean.row_f1 == pytest.approx((0.5 + 1 + 0) / 3)
    assert result.mean.guarded_f1 == pytest.approx((0.5 + 1 + 0) / 3)
    assert result.mean.success == pytest.approx(1 / 3)
    assert result.max_n == ONE


def test_the_best_is_taken_measure_by_measure() -> None:
    # One row in full against all keys and no depth.
    row = to_markdown(["Port", "Depth (m)"], [("Ossary", 7.2)])
    keys = to_markdown(["Port"], [("Ossary",), ("Kell",)])
    best = evaluate(GOLD, [Trial("a", row), Trial("a", keys)]).tasks[0].max_n
    assert best.row_f1 == pytest.approx(2 / 3)
    assert best.key_f1 == 1.0
    assert best.success == 0.0


def test_averages_are_over_tasks_so_that_more_trials_weigh_no_more() -> None:
    trials = [Trial("a", RIGHT), Trial("b", None), Trial("b", "nothing"), Trial("b", "nothing")]
    found = evaluate(GOLD, trials)
    assert found.overall.mean.item_f1 == 0.5
    assert (found.overall.tasks, found.overall.trials, found.overall.failed) == (2, 4, 3)


def test_tasks_without_an_answer_are_listed_apart_and_count_among_all_tasks() -> None:
    found = evaluate(GOLD, [Trial("b", RIGHT)])
    assert found.unanswered == ("a", "c")
    assert [result.task_id for result in found.tasks] == ["b"]
    assert found.overall.mean == ONE
    assert found.all_tasks.tasks == 3
    assert found.all_tasks.mean.item_f1 == pytest.approx(1 / 3)
    assert found.all_tasks.max_n.guarded_f1 == pytest.approx(1 / 3)


def test_no_answer_at_all() -> None:
    found = evaluate(GOLD, [])
    assert found.overall.mean == found.all_tasks.mean == NOTHING
    assert (found.trials, found.tasks, found.unanswered) == ((), (), ("a", "b", "c"))
    assert set(found.groups.values()) == {()}


def test_an_answer_of_none_is_a_failed_trial() -> None:
    found = evaluate(GOLD, [Trial("a", None, 1)])
    assert found.trials[0].score.problem == "there is no reply"
    assert found.overall.failed == 1
    assert "a" not in found.unanswered


def test_groups_by_family_and_domain_are_sorted() -> None:
    found = evaluate(GOLD, [Trial("c", RIGHT), Trial("a", HALF), Trial("b", HALF)])
    by_family, by_domain = found.groups["family"], found.groups["domain"]
    assert [(group.tags["family"], group.tasks) for group in by_family] == [
        ("absent", 1),
        ("top", 2),
    ]
    assert by_family[1].mean.item_f1 == pytest.approx((0.75 + 1) / 2)
    assert [(group.tags["domain"], group.mean.success) for group in by_domain] == [
        ("ferries", 0.0),
        ("intranet", 1.0),
    ]


def test_tasks_without_guarded_columns_are_left_out_of_the_guarded_mean() -> None:
    gold = {**GOLD, "d": task("d", "top", table=NAMES)}
    names = to_markdown(["Port"], NAMES.rows)
    found = evaluate(gold, [Trial("a", HALF), Trial("d", names)])
    assert found.overall.mean.guarded_f1 == 0.5
    assert found.overall.mean.success == 0.5


def test_scores_have_the_tags_of_task_and_trial_and_are_numbered() -> None:
    done: list[ScoredTrial] = []
    trials = [
        Trial("a", RIGHT, 3, {"agent": "x"}),
        Trial("b", RIGHT, 5),
        Trial("a", RIGHT, 8, {"agent": "y"}),
    ]
    found = evaluate(GOLD, trials, done.append)
    assert done == list(found.trials)
    assert [(one.task_id, one.line, one.trial) for one in done] == [
        ("a", 3, 1),
        ("b", 5, 1),
        ("a", 8, 2),
    ]
    assert done[2].score.tags == {"family": "top", "domain": "ferries", "agent": "y"}
    assert found.tasks[0].tags == {"family": "top", "domain": "ferries"}


def test_problems_are_kept_and_unknown_tasks_are_problems() -> None:
    broken = Problem(1, "invalid JSON")
    hostile = Trial("\ud800\n" + "z" * 500, RIGHT, 3)
    found = evaluate(GOLD, [broken, Trial("A", RIGHT, 2), hostile, Trial("a", RIGHT, 4)])
    assert found.problems[:2] == (broken, Problem(2, "there is no task 'A'"))
    assert found.problems[2].message.isprintable()
    assert len(found.problems[2].message) < 120
    assert found.overall.mean == ONE


def test_only_the_first_answers_are_kept() -> None:
    found = evaluate(GOLD, (Trial("a", f"answer {n}", n) for n in range(SHOWN + 5)))
    assert [trial.line for trial in found.shown] == list(range(SHOWN))
    assert len(found.trials) == SHOWN + 5


def test_the_order_of_answers_changes_no_number() -> None:
    trials = [Trial("a", HALF), Trial("a", RIGHT), Trial("c", "none"), Trial("b", HALF)]
    assert evaluate(GOLD, trials).summary() == evaluate(GOLD, trials[::-1]).summary()


def summary_of(found: Evaluation) -> dict[str, object]:
    summary: dict[str, object] = json.loads(json.dumps(found.summary()))
    return summary


def test_the_summary_is_plain_json() -> None:
    found = evaluate(GOLD, [Trial("a", RIGHT, 1), Trial("z", "", 2)])
    parts = ("item", "row", "guarded")
    group = {
        "tasks": 1,
        "trials": 1,
        "failed": 0,
        **{how: dict(ONE) for how in ("mean", "max_n", "min_n")},
        "micro": {
            f"{part}_{name}": 1.0 for part in parts for name in ("precision", "recall", "f1")
        },
        "pass_at": [{"k": 1, "tasks": 1, "value": 1.0, "interval": None}],
        "intervals": {},
    }
    summary = summary_of(found)
    all_tasks = summary.pop("all_tasks")
    assert isinstance(all_tasks, dict)
    assert all_tasks["tasks"] == 3
    assert summary == {
        "mode": "strict",
        "tasks": 3,
        "answered": 1,
        "trials": 1,
        "failed": 0,
        "failures": {},
        "intervals": {"level": 0.95, "resamples": 1000, "over": "tasks"},
        "overall": group,
        "by_family": [{"family": "top", **group}],
        "by_domain": [{"domain": "ferries", **group}],
        "not_grouped_by": [],
        "by_task": [
            {
                "task_id": "a",
                "tags": {"family": "top", "domain": "ferries"},
                "trials": 1,
                "failed": 0,
                "successes": 1,
                "guarded_columns": 1,
                **{how: dict(ONE) for how in ("mean", "max_n", "min_n")},
                "tally": {
                    "item": {"right": 4, "said": 4, "wanted": 4},
                    "row": {"right": 2, "said": 2, "wanted": 2},
                    "guarded": {"right": 2, "said": 2, "wanted": 2},
                },
            }
        ],
        "unanswered": ["b", "c"],
        "problems": [{"line": 2, "message": "there is no task 'z'"}],
    }


def test_the_worst_of_the_trials_is_taken_too() -> None:
    found = evaluate(GOLD, [Trial("a", RIGHT), Trial("a", HALF), Trial("b", RIGHT)])
    assert found.tasks[0].min_n.item_f1 == 0.75
    assert found.overall.min_n.item_f1 == pytest.approx(0.875)
    assert found.overall.min_n.success == 0.5


def test_micro_averages_count_cells_and_rows_of_all_trials_and_of_untried_tasks() -> None:
    found = evaluate(GOLD, [Trial("a", RIGHT), Trial("a", HALF), Trial("b", "none")])
    micro = found.overall.micro
    # Of 12 cells that were wanted 8 were said and 7 right; of 6 rows 4 and 3.
    assert micro["item_precision"] == 7 / 8
    assert micro["item_recall"] == 7 / 12
    assert micro["item_f1"] == pytest.approx(14 / 20)
    assert micro["row_precision"] == 3 / 4
    assert micro["guarded_recall"] == 3 / 6
    assert found.all_tasks.micro["item_recall"] == 7 / 16
    assert found.all_tasks.micro["row_recall"] == 3 / 8


def test_pass_at_k_is_the_unbiased_estimate() -> None:
    trials = [Trial("a", text) for text in (RIGHT, HALF, HALF, "none")]
    found = evaluate(GOLD, [*trials, Trial("b", RIGHT)], options=Options(pass_at=(1, 2, 3, 4, 9)))
    by_k = {one.k: (one.tasks, one.value) for one in found.overall.pass_at}
    assert by_k == {
        1: (2, (1 / 4 + 1) / 2),
        2: (1, 1 / 2),
        3: (1, 3 / 4),
        4: (1, 1.0),
        9: (0, 0.0),
    }
    assert [one.k for one in evaluate(GOLD, trials).overall.pass_at] == [1, 2, 4]
    assert [one.k for one in evaluate(GOLD, trials[:3]).overall.pass_at] == [1, 2, 3]
    assert found.all_tasks.pass_at[0].value == pytest.approx((1 / 4 + 1 + 0) / 3)


def test_groups_by_band_of_difficulty() -> None:
    places = {"a": "0.05", "b": "0.2", "c": "0.39", "d": "1", "e": "1.0", "f": "hard", "g": ""}
    gold = {
        name: Gold(name, "?", TABLE, {"difficulty": value} if value else {})
        for name, value in places.items()
    }
    found = evaluate(gold, [Trial(name, RIGHT) for name in gold]).groups["difficulty"]
    assert [(one.tags["difficulty"], one.tasks) for one in found] == [
        ("", 1),
        ("0-0.2", 1),
        ("0.2-0.4", 2),
        ("0.8-1", 2),
        ("hard", 1),
    ]


def test_groups_by_tags_of_trials_hold_the_trials_that_have_them() -> None:
    found = evaluate(
        GOLD,
        [
            Trial("a", RIGHT, tags={"agent": "x", "policy": "open"}),
            Trial("a", HALF, tags={"agent": "y", "policy": "open"}),
            Trial("b", RIGHT, tags={"agent": "x", "family": "mine", "task": "t", "mean": "m"}),
        ],
    )
    assert list(found.groups) == ["family", "domain", "agent", "policy"]
    x, y = found.groups["agent"]
    assert (x.tags, x.tasks, x.trials, x.mean.item_f1) == ({"agent": "x"}, 2, 2, 1.0)
    assert (y.tags, y.tasks, y.trials, y.mean.item_f1) == ({"agent": "y"}, 1, 1, 0.75)
    assert [group.tags["policy"] for group in found.groups["policy"]] == ["", "open"]
    assert found.trials[2].score.tags["family"] == "absent"


def test_tags_with_many_values_are_named_and_not_grouped_by() -> None:
    trials = [Trial("a", RIGHT, tags={"seed": str(n)}) for n in range(MOST_VALUES + 1)]
    found = evaluate(GOLD, trials)
    assert (list(found.groups), found.ungrouped) == (["family", "domain"], ("seed",))
    assert "seed" in evaluate(GOLD, trials[1:]).groups


def test_failures_are_counted_by_reason_and_as_nothing_right() -> None:
    failed = Trial("c", None, failure="the budget\nis used up" + "!" * 200)
    found = evaluate(GOLD, [Trial("a", "none"), Trial("a", None), Trial("b", "none"), failed])
    reasons = list(found.failures.items())
    assert reasons[0] == ("the reply holds no table", 2)
    assert reasons[2] == ("there is no reply", 1)
    assert reasons[1][0].startswith("the agent failed: the budget is used up!!!")
    assert len(reasons[1][0]) < 150
    assert found.overall.mean == NOTHING


def test_workers_change_nothing_and_tell_of_every_trial() -> None:
    trials = [Trial("abc"[n % 3], (RIGHT, HALF, "none", None)[n % 4], n) for n in range(70)]
    done: list[ScoredTrial] = []
    alone = evaluate(GOLD, trials)
    found = evaluate(GOLD, trials, done.append, Options(workers=2))
    assert found == alone
    assert sorted(one.line for one in done) == list(range(70))


def test_widesearch_mode_needs_a_pipeline() -> None:
    with pytest.raises(ValueError, match="task 'a' has no evaluation pipeline"):
        evaluate(GOLD, [Trial("a", RIGHT)], options=Options(mode="widesearch"))


def test_a_trial_is_one_flat_record() -> None:
    (trial,) = evaluate(GOLD, [Trial("a", HALF, 9)]).trials
    record = json.loads(json.dumps(trial.record()))
    assert (record["task_id"], record["line"], record["trial"]) == ("a", 9, 1)
    assert (record["item_f1"], record["success"]) == (0.75, False)
    assert record["tags"] == {"family": "top", "domain": "ferries"}
