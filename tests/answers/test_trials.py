from __future__ import annotations

import json

import pytest

from answers.markdown import to_markdown
from answers.report import Means
from answers.table import AnswerColumn, AnswerTable
from answers.trials import (
    SHOWN,
    Evaluation,
    Gold,
    Group,
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
    group = {"tasks": 1, "trials": 1, "failed": 0, "mean": dict(ONE), "max_n": dict(ONE)}
    summary = summary_of(found)
    all_tasks = summary.pop("all_tasks")
    assert isinstance(all_tasks, dict)
    assert all_tasks["tasks"] == 3
    assert summary == {
        "tasks": 3,
        "answered": 1,
        "trials": 1,
        "failed": 0,
        "overall": group,
        "by_family": [{"family": "top", **group}],
        "by_domain": [{"domain": "ferries", **group}],
        "by_task": [
            {
                "task_id": "a",
                "tags": {"family": "top", "domain": "ferries"},
                "trials": 1,
                "failed": 0,
                "guarded_columns": 1,
                "mean": dict(ONE),
                "max_n": dict(ONE),
            }
        ],
        "unanswered": ["b", "c"],
        "problems": [{"line": 2, "message": "there is no task 'z'"}],
    }


def test_a_trial_is_one_flat_record() -> None:
    (trial,) = evaluate(GOLD, [Trial("a", HALF, 9)]).trials
    record = json.loads(json.dumps(trial.record()))
    assert (record["task_id"], record["line"], record["trial"]) == ("a", 9, 1)
    assert (record["item_f1"], record["success"]) == (0.75, False)
    assert record["tags"] == {"family": "top", "domain": "ferries"}
