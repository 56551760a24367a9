from __future__ import annotations

import asyncio
import json
import threading

import pytest
from lm_support import FakeModel, ask, kind_of, run

from worldgen.errors import LanguageModelError
from worldgen.lm.counting import BOUNDS, Counting, Counts
from worldgen.lm.records import Reply


def test_nothing_is_counted_before_anything_is_asked() -> None:
    snapshot = Counts().snapshot()
    assert snapshot["requests"] == snapshot["in_flight"] == snapshot["retries"] == 0
    assert list(snapshot["buckets"]) == [*map(str, BOUNDS), "+Inf"]


def test_replies_and_their_tokens_are_counted() -> None:
    counts = Counts()
    model = Counting(FakeModel(Reply("a", "stop", 10, 3)), counts)
    for _ in range(2):
        run(model.complete(ask(), 5.0))
    snapshot = counts.snapshot()
    assert (snapshot["requests"], snapshot["replies"], snapshot["cached"]) == (2, 2, 0)
    assert (snapshot["prompt_tokens"], snapshot["completion_tokens"]) == (20, 6)
    assert snapshot["buckets"]["0.1"] == snapshot["buckets"]["+Inf"] == 2


def test_cached_replies_cost_no_tokens_and_no_time() -> None:
    counts = Counts()
    run(Counting(FakeModel(Reply("a", "stop", 10, 3, cached=True)), counts).complete(ask(), 5.0))
    snapshot = counts.snapshot()
    assert (snapshot["replies"], snapshot["cached"]) == (1, 1)
    assert snapshot["prompt_tokens"] == snapshot["seconds"] == snapshot["buckets"]["+Inf"] == 0


def test_failures_are_counted_by_kind() -> None:
    counts = Counts()
    outcomes = [LanguageModelError("server", "a"), LanguageModelError("late", "b")]
    model = Counting(FakeModel(*outcomes), counts)
    for _ in range(3):
        run(kind_of(model.complete(ask(), 5.0)))
    assert counts.snapshot()["failures"] == {"late": 2, "server": 1}
    assert counts.snapshot()["buckets"]["+Inf"] == 3


def test_requests_in_flight_and_abandoned_ones_are_counted() -> None:
    async def main() -> tuple[int, int, int]:
        counts = Counts()
        task = asyncio.create_task(Counting(FakeModel(seconds=5.0), counts).complete(ask(), 9.0))
        await asyncio.sleep(0)
        in_flight = counts.snapshot()["in_flight"]
        task.cancel()
        await asyncio.wait([task])
        after = counts.snapshot()
        return in_flight, after["in_flight"], after["abandoned"]

    assert run(main()) == (1, 0, 1)


@pytest.mark.parametrize(
    ("seconds", "bucket"), [(0.1, "0.1"), (0.11, "0.25"), (120.0, "120.0"), (500.0, "+Inf")]
)
def test_a_latency_falls_into_the_first_bucket_that_holds_it(seconds: float, bucket: str) -> None:
    counts = Counts()
    counts.began()
    counts.replied(Reply("a"), seconds)
    snapshot = counts.snapshot()
    names = list(snapshot["buckets"])
    held = [name for name in names if snapshot["buckets"][name]]
    assert held == names[names.index(bucket) :]
    assert snapshot["seconds"] == seconds


def test_any_thread_may_read_and_the_sums_always_fit() -> None:
    counts, done = Counts(), threading.Event()

    def work() -> None:
        for number in range(2000):
            counts.began()
            if number % 3:
                counts.replied(Reply("a"), 0.01)
            else:
                counts.failed("late", 0.01)

    def read() -> None:
        while not done.is_set():
            seen = counts.snapshot()
            ended = seen["replies"] + sum(seen["failures"].values()) + seen["abandoned"]
            fits.append(0 <= seen["in_flight"] <= 4 and seen["requests"] >= ended)

    fits: list[bool] = []
    reader = threading.Thread(target=read)
    reader.start()
    writers = [threading.Thread(target=work) for _ in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    done.set()
    reader.join()
    assert fits
    assert all(fits)
    assert counts.snapshot()["requests"] == 8000
    assert json.dumps(counts.snapshot())
