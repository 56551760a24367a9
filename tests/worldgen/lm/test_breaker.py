from __future__ import annotations

import asyncio

import pytest
from lm_support import FakeModel, ask, kind_of, run

from worldgen.errors import LanguageModelError
from worldgen.lm.breaker import Breaker
from worldgen.lm.records import Reply

DOWN = LanguageModelError("server", "HTTP 503", 503)
YES = Reply("yes")


class _Tried:
    """A breaker with three lives and ten seconds of rest, and a clock that is set by hand."""

    def __init__(self, *outcomes: Reply | BaseException, seconds: float = 0.0) -> None:
        self.now = 0.0
        self.model = FakeModel(*outcomes, seconds=seconds)
        self.breaker = Breaker(self.model, 3, 10.0, lambda: self.now)

    def kinds(self, times: int) -> list[str]:
        return [run(kind_of(self.breaker.complete(ask(), 5.0))) for _ in range(times)]


def test_it_rests_after_failures_in_a_row_and_asks_nothing() -> None:
    tried = _Tried(DOWN)
    assert tried.kinds(5) == ["server"] * 3 + ["resting"] * 2
    assert len(tried.model.asked) == 3


def test_it_says_how_long_it_rests_and_why() -> None:
    tried = _Tried(DOWN)
    tried.kinds(3)
    tried.now = 4.0
    with pytest.raises(LanguageModelError) as caught:
        run(tried.breaker.complete(ask(), 5.0))
    assert caught.value.retry_after == 6.0
    assert "HTTP 503" in str(caught.value)
    assert not caught.value.passing


def test_a_reply_or_a_refusal_in_between_starts_the_count_anew() -> None:
    refusal = LanguageModelError("refused", "too long", 400)
    tried = _Tried(DOWN, DOWN, YES, DOWN, DOWN, refusal, DOWN, DOWN, YES)
    assert "resting" not in tried.kinds(9)


@pytest.mark.parametrize("kind", ["late", "overloaded", "server", "unreachable", "unreadable"])
def test_every_fault_of_the_server_counts(kind: str) -> None:
    tried = _Tried(LanguageModelError(kind, "again"))  # type: ignore[arg-type]
    assert tried.kinds(4) == [kind] * 3 + ["resting"]


def test_after_the_rest_a_probe_that_gets_a_reply_opens_it() -> None:
    tried = _Tried(DOWN, DOWN, DOWN, YES)
    tried.kinds(3)
    tried.now = 10.0
    assert tried.kinds(3) == ["reply"] * 3


def test_after_the_rest_a_probe_that_fails_makes_it_rest_again() -> None:
    tried = _Tried(DOWN)
    tried.kinds(3)
    tried.now = 10.0
    assert tried.kinds(2) == ["server", "resting"]
    tried.now = 19.9
    assert tried.kinds(1) == ["resting"]


def test_one_probe_goes_out_at_a_time() -> None:
    tried = _Tried(DOWN, DOWN, DOWN, YES, seconds=0.01)

    async def both() -> list[str]:
        return await asyncio.gather(
            *(kind_of(tried.breaker.complete(ask(), 5.0)) for _ in range(2))
        )

    tried.kinds(3)
    tried.now = 10.0
    assert run(both()) == ["reply", "resting"]


def test_a_probe_that_is_given_up_makes_room_for_the_next() -> None:
    tried = _Tried(DOWN, DOWN, DOWN, asyncio.CancelledError(), YES)
    tried.kinds(3)
    tried.now = 10.0
    with pytest.raises(asyncio.CancelledError):
        run(tried.breaker.complete(ask(), 5.0))
    assert tried.kinds(1) == ["reply"]


def test_requests_that_are_given_up_at_their_deadline_count_and_earlier_ones_do_not() -> None:
    async def given_up(after: float) -> None:
        task = asyncio.create_task(tried.breaker.complete(ask(), 5.0))
        await asyncio.sleep(0)
        tried.now += after
        task.cancel()
        await asyncio.wait([task])

    tried = _Tried(YES)
    tried.model.seconds = 60.0
    for after in (1.0, 1.0, 1.0, 5.0, 5.0):
        run(given_up(after))
    assert len(tried.model.asked) == 5
    run(given_up(4.99))
    assert tried.kinds(1) == ["resting"]


def test_a_request_under_way_when_it_begins_to_rest_does_not_make_it_rest_longer() -> None:
    async def main() -> None:
        tried.model.seconds = 0.02
        straggler = asyncio.create_task(kind_of(tried.breaker.complete(ask(), 5.0)))
        await asyncio.sleep(0)
        tried.model.seconds = 0.0
        for _ in range(3):
            assert await kind_of(tried.breaker.complete(ask(), 5.0)) == "server"
        tried.now = 8.0
        assert await straggler == "server"

    tried = _Tried(DOWN)
    run(main())
    assert tried.kinds(1) == ["resting"]
    tried.now = 10.0
    assert tried.kinds(1) == ["server"]
