from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.intervals import RESAMPLES, Ratio, bootstrap
from worldgen.seeds import generator


def mean_of(*values: float) -> Ratio:
    return Ratio(values, (1.0,) * len(values))


def test_a_ratio_is_of_sums_and_nothing_over_nothing_is_zero() -> None:
    assert Ratio((1.0, 2.0), (2.0, 4.0)).value == 0.5
    assert Ratio((0.0, 0.0), (0.0, 0.0)).value == 0.0
    assert Ratio((), ()).value == 0.0


def test_the_interval_of_a_mean_is_about_two_standard_errors_either_side() -> None:
    draws = generator(7, "test")
    values = [draws.gauss(0.5, 0.1) for _ in range(400)]
    ratio = mean_of(*values)
    low, high = bootstrap([ratio])[ratio]
    assert low < ratio.value < high
    assert high - low == pytest.approx(2 * 1.96 * 0.1 / math.sqrt(400), rel=0.15)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    covered = 0
    for number in range(100):
        draws = generator(11, "coverage", number)
        ratio = mean_of(*(float(draws.random() < 0.4) for _ in range(60)))
        low, high = bootstrap([ratio])[ratio]
        covered += low <= 0.4 <= high
    assert 88 <= covered <= 99


def test_one_seed_gives_one_interval_and_another_seed_another() -> None:
    ratio = mean_of(*(n / 10 for n in range(10)))
    other = mean_of(*(n / 20 for n in range(10)))
    assert bootstrap([ratio]) == bootstrap([ratio])
    assert bootstrap([ratio]) != bootstrap([ratio], seed=1)
    assert bootstrap([ratio, other])[ratio] == bootstrap([ratio])[ratio]


def test_fewer_than_two_tasks_have_no_interval() -> None:
    lone, alone = mean_of(0.5), Ratio((0.5, 0.0), (1.0, 0.0))
    assert bootstrap([]) == bootstrap([lone]) == bootstrap([alone]) == {}


def test_equal_values_have_a_point_for_an_interval() -> None:
    ratio = mean_of(0.3, 0.3, 0.3)
    assert bootstrap([ratio]) == {ratio: (0.3, 0.3)}


def test_draws_without_a_task_that_counts_are_left_out() -> None:
    ratio = Ratio((1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0))
    low, high = bootstrap([ratio])[ratio]
    assert (low, high) == (0.0, 1.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=2, max_size=8))
def test_an_interval_holds_no_value_that_no_task_could_give(
    pairs: list[tuple[float, int]],
) -> None:
    ratio = Ratio(
        tuple(value * weight for value, weight in pairs), tuple(float(w) for _, w in pairs)
    )
    known = [value for value, weight in pairs if weight]
    for low, high in bootstrap([ratio]).values():
        assert min(known) - 1e-9 <= low <= high <= max(known) + 1e-9


def test_there_are_enough_draws() -> None:
    assert RESAMPLES == 1_000
