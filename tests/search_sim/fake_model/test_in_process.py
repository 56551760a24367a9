from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from search_sim.fake_model.app import serving_fake
from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.materials import Asked
from worldgen.errors import LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Message, Request
from worldgen.lm.wire import body_of

ONE = Request((Message("user", "ls"),))


class _Slept:
    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def test_replies_are_those_of_the_server(searches: dict[str, tuple[Asked, ...]], ask: Any) -> None:
    requests = [ask(asked) for asked in searches["island-ferries"][:5]]
    model: LanguageModel = FakeLanguageModel(FakeModel())
    inside = [asyncio.run(model.complete(request, 5)).text for request in requests]
    with serving_fake(FakeModel()) as base:
        path = f"{base}/v1/chat/completions"
        bodies = [body_of(request, "fake") for request in requests]
        outside = [httpx.post(path, json=body, timeout=20).json() for body in bodies]
    assert inside == [said["choices"][0]["message"]["content"] for said in outside]
    assert model.name == "fake"
    asyncio.run(model.close())


def test_what_takes_longer_than_its_time_is_late() -> None:
    slept = _Slept()
    model = FakeLanguageModel(FakeModel(late_seconds=30), "honest+late", slept)
    with pytest.raises(LanguageModelError, match="late: honest"):
        asyncio.run(model.complete(ONE, 2.5))
    assert asyncio.run(model.complete(ONE, 31)).finish == "stop"
    assert slept.seconds == [2.5, 30]


def test_what_is_refused_is_an_error_of_that_kind() -> None:
    for fake, name, request in (
        (FakeModel(), "honset", ONE),
        (FakeModel(structured=False), "fake", Request(ONE.messages, schema={"type": "object"})),
    ):
        with pytest.raises(LanguageModelError) as error:
            asyncio.run(FakeLanguageModel(fake, name).complete(request, 5))
        assert error.value.kind == "refused"
