from __future__ import annotations

import random
from typing import Any

import pytest
from awb_support import UNHURRIED, a_row
from hypothesis import given, settings
from hypothesis import strategies as st

from search_sim.awb.results import Judgement, Prediction
from search_sim.awb.scores import MEASURES, Outcome, grades, outcomes, score
from search_sim.awb.verdicts import DIMENSIONS


def _grades(*scores: int) -> dict[str, float]:
    return grades(dict(zip(DIMENSIONS, scores, strict=True)))


FOUND = [
    Outcome("search", _grades(5, 4, 3, 2, 1)),
    Outcome("mcp", _grades(1, 1, 1, 1, 1)),
    Outcome("search", _grades(5, 5, 5, 5, 5)),
    Outcome("mcp", failure="model: late"),
    Outcome("web", failure="judge: no scores"),
    Outcome("os"),
]


def test_one_to_five_becomes_nought_to_a_hundred() -> None:
    assert _grades(5, 4, 3, 2, 1) == {
        "format": 100,
        "factuality": 75,
        "consistency": 50,
        "realism": 25,
        "quality": 0,
        "total": 50,
    }
    assert tuple(_grades(1, 1, 1, 1, 1)) == MEASURES


def test_domains_are_counted_and_averaged_apart() -> None:
    domains = score(FOUND).domains
    assert list(domains) == ["mcp", "search", "web", "os"]
    counts = {n: (g.rows, g.graded, g.failed, g.open) for n, g in domains.items()}
    assert counts == {
        "mcp": (2, 1, 1, 0),
        "search": (2, 2, 0, 0),
        "web": (1, 0, 1, 0),
        "os": (1, 0, 0, 1),
    }
    assert domains["search"].over_graded == {
        "format": 100,
        "factuality": 87.5,
        "consistency": 75,
        "realism": 62.5,
        "quality": 50,
        "total": 75,
    }
    assert domains["search"].failures_as_0 == domains["search"].over_graded
    assert domains["web"].over_graded is None
    assert domains["web"].failures_as_0 == dict.fromkeys(MEASURES, 0)
    assert domains["os"].failures_as_0 is None


def test_macro_is_over_domains_and_micro_over_rows() -> None:
    found = score(FOUND)
    macro, micro = found.macro, found.micro
    assert macro.over_graded
    assert macro.failures_as_0
    assert micro.over_graded
    assert micro.failures_as_0
    assert macro.over_graded["total"] == (0 + 75) / 2
    assert macro.over_graded["quality"] == (0 + 50) / 2
    assert macro.failures_as_0["total"] == (0 + 75 + 0) / 3
    assert micro.over_graded["total"] == (50 + 0 + 100) / 3
    assert micro.over_graded["format"] == pytest.approx((100 + 0 + 100) / 3)
    assert micro.failures_as_0["total"] == (50 + 0 + 100 + 0 + 0) / 5
    assert (micro.rows, micro.graded, micro.failed, micro.open) == (6, 3, 2, 1)
    assert (macro.rows, macro.graded, macro.failed, macro.open) == (6, 3, 2, 1)
    assert found.failures == {"judge: no scores": 1, "model: late": 1}


def test_nothing_graded_has_no_numbers() -> None:
    found = score([Outcome("os")])
    assert found.micro.over_graded is found.micro.failures_as_0 is found.macro.over_graded is None
    assert found.micro.interval is None


GRADED = st.lists(st.integers(1, 5), min_size=5, max_size=5).map(lambda s: _grades(*s))
ROWS = st.one_of(
    st.builds(Outcome, st.sampled_from(["mcp", "search", "os"]), GRADED),
    st.builds(Outcome, st.sampled_from(["mcp", "web"]), st.none(), st.sampled_from(["a", "b"])),
)


@settings(UNHURRIED, max_examples=30)
@given(st.lists(ROWS, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(found: list[Outcome], order: random.Random) -> None:
    shuffled = list(found)
    order.shuffle(shuffled)
    assert score(shuffled) == score(found)


@settings(UNHURRIED, max_examples=30)
@given(st.lists(ROWS, min_size=1, max_size=12))
def test_totals_stay_between_bounds(found: list[Outcome]) -> None:
    scores = score(found)
    for group in (*scores.domains.values(), scores.micro, scores.macro):
        for means in (group.over_graded, group.failures_as_0):
            assert means is None or all(0 <= value <= 100 for value in means.values())
        if group.over_graded and group.failures_as_0:
            assert group.failures_as_0["total"] <= group.over_graded["total"] + 1e-9


def test_intervals_are_of_the_graded_rows_of_each_domain() -> None:
    same = [Outcome("mcp", _grades(4, 4, 4, 4, 4))] * 3
    mixed = [Outcome("search", _grades(*[n] * 5)) for n in (1, 5, 1, 5, 1, 5, 1, 5)]
    found = score([*same, *mixed, Outcome("mcp", failure="model: late")])
    assert found.domains["mcp"].interval == (75, 75)
    low, high = found.domains["search"].interval or (0, 0)
    assert 0 < low < 50 < high < 100
    assert found.micro.interval
    assert found.macro.interval is None
    assert score(mixed[:1]).micro.interval is None


def test_what_became_of_a_row_is_told_from_both_steps() -> None:
    rows = [a_row(id=n) for n in range(7)]
    fields: dict[str, Any] = {"task": "search", "turn_idx": 2}
    predictions = {
        **{rows[n].key: Prediction(id=n, prediction="x", **fields) for n in (0, 1, 2, 3)},
        rows[4].key: Prediction(id=4, failure="cut off", **fields),
        rows[5].key: Prediction(id=5, prediction="new", **fields),
    }
    of_x = predictions[rows[0].key].digest()
    scores = dict.fromkeys(DIMENSIONS, 5)
    judgements = {
        rows[0].key: Judgement(id=0, prediction_digest=of_x, scores=scores, **fields),
        rows[1].key: Judgement(id=1, prediction_digest=of_x, failure="no scores", **fields),
        rows[4].key: Judgement(id=4, prediction_digest=of_x, scores=scores, **fields),
        rows[5].key: Judgement(id=5, prediction_digest=of_x, scores=scores, **fields),
    }
    assert outcomes(rows, predictions, judgements) == [
        Outcome("search", _grades(5, 5, 5, 5, 5)),
        Outcome("search", failure="judge: no scores"),
        Outcome("search"),
        Outcome("search"),
        Outcome("search", failure="model: cut off"),
        Outcome("search"),
        Outcome("search"),
    ]
