from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence

import pytest
from lm_support import ask, kind_of, run

from worldgen.errors import LanguageModelError
from worldgen.lm.in_process import VllmModel
from worldgen.lm.records import Reply, Request


class _Engine:
    """Echoes; `bad` requests are refused, and a `broken` one breaks the call."""

    def __init__(self, go: threading.Event | None = None) -> None:
        self.calls: list[list[str]] = []
        self.go = go

    def chat(self, requests: Sequence[Request]) -> list[Reply]:
        texts = [request.messages[-1].content for request in requests]
        self.calls.append(texts)
        if self.go and not self.go.wait(5):
            raise TimeoutError
        if "bad" in texts:
            fault = LanguageModelError("refused", "the prompt is too long")
            raise fault
        if "broken" in texts:
            message = "out of memory"
            raise ValueError(message)
        return [Reply(text.upper()) for text in texts]


async def _texts(model: VllmModel, *texts: str) -> list[str]:
    async def one(text: str) -> str:
        try:
            return (await model.complete(ask(text), 5.0)).text
        except LanguageModelError as error:
            return error.kind

    try:
        return await asyncio.gather(*map(one, texts))
    finally:
        await model.close()


def test_requests_made_nearly_together_are_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        tasks = []
        for text in "abc":
            tasks.append(asyncio.create_task(model.complete(ask(text), 5.0)))
            await asyncio.sleep(0.01)
        assert [(await task).text for task in tasks] == ["A", "B", "C"]
        await model.close()

    monkeypatch.setattr("worldgen.lm.in_process._GATHER", 0.2)
    engine = _Engine()
    model = VllmModel("m", engine)
    run(main())
    assert engine.calls == [["a", "b", "c"]]


async def _until(true: Callable[[], object]) -> None:
    for _ in range(500):
        if true():
            return
        await asyncio.sleep(0.005)
    pytest.fail("it took too long")


def test_requests_that_arrive_while_it_is_busy_are_the_next_call() -> None:
    async def main() -> None:
        first = asyncio.create_task(model.complete(ask("a"), 5.0))
        await _until(lambda: engine.calls)
        rest = [asyncio.create_task(model.complete(ask(text), 5.0)) for text in "bcd"]
        await asyncio.sleep(0)
        go.set()
        assert [(await task).text for task in (first, *rest)] == ["A", "B", "C", "D"]
        await model.close()

    go = threading.Event()
    engine = _Engine(go)
    model = VllmModel("m", engine)
    run(main())
    assert engine.calls == [["a"], ["b", "c", "d"]]


def test_waiting_is_bounded_and_what_was_given_up_is_left_out() -> None:
    async def main() -> None:
        first = asyncio.create_task(kind_of(model.complete(ask("a"), 0.05)))
        await _until(lambda: engine.calls)
        second = asyncio.create_task(kind_of(model.complete(ask("b"), 0.05)))
        third = asyncio.create_task(kind_of(model.complete(ask("c"), 5.0)))
        start = time.monotonic()
        assert [await first, await second] == ["late", "late"]
        assert time.monotonic() - start < 1.0
        go.set()
        assert await third == "reply"
        await model.close()

    go = threading.Event()
    engine = _Engine(go)
    model = VllmModel("m", engine)
    run(main())
    assert engine.calls == [["a"], ["c"]]


def test_a_broken_call_fails_its_requests_and_no_later_ones() -> None:
    async def main() -> list[str]:
        first = await asyncio.gather(
            *(kind_of(model.complete(ask(text), 5.0)) for text in ("a", "broken"))
        )
        return [*first, *await _texts(model, "b")]

    model = VllmModel("m", _Engine())
    assert run(main()) == ["server", "server", "B"]


def test_a_request_that_is_refused_costs_the_others_nothing() -> None:
    texts = ["a", "b", "bad", "c", "d", "e", "bad", "f"]
    engine = _Engine()
    replies = run(_texts(VllmModel("m", engine), *texts))
    assert replies == ["A", "B", "refused", "C", "D", "E", "refused", "F"]
    assert len(engine.calls) < 2 * len(texts)


def test_closing_finishes_what_was_asked_and_ends_the_thread() -> None:
    async def main() -> str:
        task = asyncio.create_task(kind_of(model.complete(ask(), 5.0)))
        await asyncio.sleep(0)
        await model.close()
        return await task

    before = threading.active_count()
    model = VllmModel("m", _Engine())
    assert threading.active_count() == before + 1
    assert run(main()) == "reply"
    assert model.name == "m"
    assert not any(thread.name == "vllm" for thread in threading.enumerate())


def test_a_caller_whose_loop_has_ended_is_no_harm() -> None:
    go = threading.Event()
    engine = _Engine(go)
    model = VllmModel("m", engine)
    assert run(kind_of(model.complete(ask("a"), 0.03))) == "late"
    go.set()
    assert run(_texts(model, "b")) == ["B"]
