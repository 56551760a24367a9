from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from lm_support import FakeModel, Said, ask, completion, kind_of, run, scripted

from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.connect import Connection, connect, served_model
from worldgen.lm.counting import Counting
from worldgen.lm.records import Reply


async def _kinds(model: Counting, times: int, timeout: float = 5.0) -> list[str]:
    try:
        return [await kind_of(model.complete(ask(), timeout)) for _ in range(times)]
    finally:
        await model.close()


def test_a_server_is_asked_through_everything(tmp_path: Path) -> None:
    said = [Said({}, 503), Said(completion("yes", usage={"completion_tokens": 4}))]
    with scripted(said) as found:
        connection = Connection(found.url, "m", "k", cache=tmp_path / "replies")
        model = connect(connection)
        assert model.name == "m"
        assert run(_kinds(model, 3)) == ["reply"] * 3
    assert len(found.bodies) == 2
    counts = model.counts.snapshot()
    assert (counts["requests"], counts["replies"], counts["cached"]) == (3, 3, 2)
    assert (counts["retries"], counts["completion_tokens"]) == (1, 4)
    assert counts["failures"] == {}


def test_a_server_that_is_down_is_soon_left_alone() -> None:
    model = FakeModel(LanguageModelError("unreachable", "nobody there"))
    asked = connect(Connection(attempts=1, failures=3), model)
    assert run(_kinds(asked, 5)) == ["unreachable"] * 3 + ["resting"] * 2
    assert len(model.asked) == 3
    assert model.closed


def test_a_rest_ends_the_attempts_of_a_request() -> None:
    model = FakeModel(LanguageModelError("overloaded", "wait", retry_after=0.0))
    assert run(_kinds(connect(Connection(failures=1), model), 1)) == ["resting"]
    assert len(model.asked) == 1


def test_one_that_never_rests_is_asked_every_time() -> None:
    model = FakeModel(LanguageModelError("unreachable", "nobody there"))
    assert run(_kinds(connect(Connection(attempts=1, failures=0), model), 20))
    assert len(model.asked) == 20


def test_no_more_requests_are_under_way_than_it_says() -> None:
    async def main() -> None:
        await asyncio.gather(*(asked.complete(ask(), 5.0) for _ in range(9)))

    model = FakeModel(seconds=0.005)
    asked = connect(Connection(concurrency=4), model)
    run(main())
    assert model.most_at_once == 4


@pytest.mark.parametrize("said", [Said(seconds=0.6), Said({}, 503), Said({}, 429), Said(cut=3)])
def test_the_timeout_bounds_all_attempts_together(said: Said) -> None:
    with scripted(said) as found:
        start = time.monotonic()
        kinds = run(_kinds(connect(Connection(found.url, "m")), 1, timeout=0.4))
        took = time.monotonic() - start
    assert kinds != ["reply"]
    assert took < 1.2


def test_an_attempt_that_hangs_leaves_time_for_another() -> None:
    said = [Said(seconds=0.5), Said(completion("yes"))]
    with scripted(said) as found:
        connection = Connection(found.url, "m", attempt_timeout=0.1)
        assert run(_kinds(connect(connection), 1)) == ["reply"]
    assert len(found.bodies) == 2


def test_many_slow_requests_end_together() -> None:
    async def main(model: Counting) -> list[Reply]:
        try:
            return await asyncio.gather(*(model.complete(ask(), 5.0) for _ in range(64)))
        finally:
            await model.close()

    with scripted(Said(seconds=0.3)) as found:
        start = time.monotonic()
        replies = run(main(connect(Connection(found.url, "m"))))
        took = time.monotonic() - start
    assert replies == [Reply("yes")] * 64
    assert took < 3.0


def test_a_key_is_never_shown() -> None:
    assert "secret" not in repr(Connection("http://h", "m", "secret"))


@pytest.mark.parametrize(
    "wrong", [{"concurrency": 0}, {"attempts": 0}, {"attempt_timeout": 0.0}, {"rest": -1.0}]
)
def test_what_can_not_be_asked_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="1 or more"):
        Connection("http://h", "m", **wrong)


def test_the_one_model_of_a_server_needs_no_name() -> None:
    with scripted(Said({"data": [{"id": "only"}]})) as found:
        assert run(served_model(found.url)) == "only"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Said({"data": []}), "offers no models"),
        (Said({"data": [{"id": "a"}, {"id": "b"}]}), "offers several models (a, b); name one"),
        (Said({"error": "bad key"}, 401), "HTTP 401: bad key"),
    ],
)
def test_a_server_without_one_model_says_so(said: Said, words: str) -> None:
    with scripted(said) as found, pytest.raises(ConfigurationError) as caught:
        run(served_model(found.url))
    assert words in str(caught.value)
