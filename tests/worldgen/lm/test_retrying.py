from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lm_support import FakeModel, ask, kind_of, run

from worldgen.errors import LanguageModelError
from worldgen.lm.records import Reply
from worldgen.lm.retrying import Patience, Retrying, Time, pause
from worldgen.seeds import generator

DOWN = LanguageModelError("server", "down", 503)
BUSY = LanguageModelError("overloaded", "busy", 429, retry_after=3.0)


class _Clock:
    """Time that passes only in sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    @property
    def time(self) -> Time:
        return Time(lambda: self.now, self.sleep)


def _ask(model: FakeModel, patience: Patience, timeout: float) -> tuple[str, _Clock]:
    clock = _Clock()
    retrying = Retrying(model, patience, time=clock.time)
    return run(kind_of(retrying.complete(ask(), timeout))), clock


def test_what_may_pass_is_tried_again_with_growing_pauses() -> None:
    model = FakeModel(DOWN, DOWN, DOWN, Reply("at last"))
    kind, clock = _ask(model, Patience(), 60.0)
    assert kind == "reply"
    assert len(clock.slept) == 3
    for slept, longest in zip(clock.slept, (0.5, 1.0, 2.0), strict=True):
        assert longest / 2 <= slept <= longest


@pytest.mark.parametrize("kind", ["late", "overloaded", "server", "unreachable"])
def test_attempts_are_bounded(kind: str) -> None:
    model = FakeModel(LanguageModelError(kind, "again"))  # type: ignore[arg-type]
    assert _ask(model, Patience(attempts=3), 60.0)[0] == kind
    assert len(model.asked) == 3


@pytest.mark.parametrize("kind", ["refused", "unreadable", "resting"])
def test_what_will_not_pass_is_not_tried_again(kind: str) -> None:
    model = FakeModel(LanguageModelError(kind, "never"))  # type: ignore[arg-type]
    assert _ask(model, Patience(), 60.0)[0] == kind
    assert len(model.asked) == 1


def test_a_mistake_of_the_program_is_not_tried_again() -> None:
    model = FakeModel(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        run(Retrying(model, Patience()).complete(ask(), 60.0))
    assert len(model.asked) == 1


def test_retry_after_is_obeyed() -> None:
    kind, clock = _ask(FakeModel(BUSY, Reply("yes")), Patience(), 60.0)
    assert kind == "reply"
    assert 3.0 < clock.slept[0] <= 3.5


def test_a_pause_that_would_use_up_the_time_is_not_begun() -> None:
    model = FakeModel(BUSY)
    kind, clock = _ask(model, Patience(), 3.0)
    assert (kind, clock.slept, len(model.asked)) == ("overloaded", [], 1)


def test_each_attempt_has_what_is_left_of_the_time() -> None:
    model = FakeModel(DOWN)
    _, clock = _ask(model, Patience(attempts=3), 60.0)
    left = [60.0, 60.0 - clock.slept[0], 60.0 - sum(clock.slept)]
    assert [timeout for _, timeout in model.asked] == left


def test_an_attempt_may_be_given_less_than_what_is_left() -> None:
    model = FakeModel(DOWN)
    _ask(model, Patience(attempts=3, attempt_timeout=59.8), 60.0)
    assert model.asked[0][1] == 59.8
    assert model.asked[2][1] < 59.8


def test_retries_are_told() -> None:
    told: list[int] = []
    model = FakeModel(DOWN, DOWN, Reply("yes"))
    retrying = Retrying(model, Patience(), lambda: told.append(1), _Clock().time)
    run(retrying.complete(ask(), 60.0))
    assert len(told) == 2


def test_equal_seeds_pause_equally() -> None:
    slept = [_ask(FakeModel(DOWN), Patience(seed=seed), 60.0)[1].slept for seed in (1, 1, 2)]
    assert slept[0] == slept[1] != slept[2]


def test_giving_up_in_a_pause_ends_it() -> None:
    async def main() -> int:
        model = FakeModel(DOWN)
        patience = Patience(first_pause=60.0, longest_pause=60.0)
        task = asyncio.create_task(Retrying(model, patience).complete(ask(), 600.0))
        while not model.asked:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        return len(model.asked)

    assert run(main()) == 1


@given(
    st.integers(1, 40),
    st.none() | st.floats(0, 1e6),
    st.floats(0.001, 100),
    st.floats(0.001, 100),
    st.integers(),
)
def test_a_pause_is_never_shorter_than_asked_nor_longer_than_allowed(
    attempt: int, asked: float | None, first: float, longest: float, seed: int
) -> None:
    patience = Patience(first_pause=first, longest_pause=longest)
    error = LanguageModelError("overloaded", "busy", 429, asked)
    waited = pause(error, attempt, patience, generator(seed))
    assert (asked or 0.0) <= waited <= (asked or 0.0) + longest
