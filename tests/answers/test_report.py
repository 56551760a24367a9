from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from answers.report import Summary, summarise
from answers.score import Score


def scored(policy: str, item_f1: float, *, problem: str | None = None, guarded: int = 1) -> Score:
    return Score(
        item_f1=item_f1,
        row_f1=item_f1 / 2,
        guarded_f1=item_f1 / 4 if guarded else 0.0,
        guarded_columns=guarded,
        key_f1=1.0,
        success=item_f1 == 1.0,
        gold_rows=3,
        problem=problem,
        tags={"policy": policy},
    )


def test_no_scores_have_no_summary() -> None:
    assert summarise([]) == []
    assert summarise([], ["policy"]) == []


def test_without_tags_there_is_one_summary_of_all() -> None:
    scores = [scored("open", 1.0), scored("reach", 0.5), scored("reach", 0.0, problem="no table")]
    assert summarise(scores) == [
        Summary(
            tags={},
            count=3,
            failed=1,
            item_f1=0.5,
            row_f1=0.25,
            guarded_f1=0.125,
            key_f1=1.0,
            success=1 / 3,
        )
    ]


def test_groups_are_sorted_by_the_values_of_their_tags() -> None:
    scores = [scored("tease", 0.0), scored("open", 1.0), scored("open", 0.5), scored("reach", 0.2)]
    summaries = summarise(scores, ["policy"])
    assert [summary.tags for summary in summaries] == [
        {"policy": "open"},
        {"policy": "reach"},
        {"policy": "tease"},
    ]
    assert [summary.count for summary in summaries] == [2, 1, 1]
    assert summaries[0].item_f1 == 0.75
    assert summaries[0].success == 0.5


def test_a_score_without_the_tag_has_it_empty() -> None:
    untagged = Score(gold_rows=1)
    summaries = summarise([scored("open", 1.0), untagged], ["policy", "seed"])
    assert [summary.tags for summary in summaries] == [
        {"policy": "", "seed": ""},
        {"policy": "open", "seed": ""},
    ]


def test_answers_without_guarded_columns_are_left_out_of_the_guarded_mean() -> None:
    (summary,) = summarise([scored("open", 1.0), scored("open", 1.0, guarded=0)])
    assert summary.guarded_f1 == 0.25
    assert summarise([scored("open", 1.0, guarded=0)])[0].guarded_f1 == 0.0


@given(st.lists(st.floats(0, 1), min_size=1))
def test_the_order_of_scores_changes_nothing(values: list[float]) -> None:
    scores = [scored("open", value) for value in values]
    assert summarise(scores) == summarise(scores[::-1])
