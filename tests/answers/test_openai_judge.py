"""The judge over HTTP, against a real server that replies as it is told."""

from __future__ import annotations

import asyncio

import pytest
from chat_server import Reply, chat_server

from answers.widesearch.openai_judge import TRIES, OpenAIJudge
from worldgen.errors import ConfigurationError


def _judge(url: str, key: str = "") -> OpenAIJudge:
    return OpenAIJudge(url, "any", key, pause=lambda _: None)


def test_a_reply_is_given_on_as_it_is() -> None:
    said = '```json\n{"Tarn": "Tarn Hollow"}\n```'
    with chat_server(lambda: said) as server:
        assert _judge(server.url, "secret").align(["Tarn"], ["Tarn Hollow"]) == said
    (asked,) = server.asked
    assert asked.keys() == {"model", "messages", "temperature", "top_p"}
    assert asked["temperature"] == 0
    assert asked["model"] == "any"
    assert '["Tarn Hollow"]' in asked["messages"][0]["content"]
    assert server.keys == ["Bearer secret"]


def test_pairs_and_criterion_are_asked_for() -> None:
    with chat_server(lambda: "yes") as server:
        assert _judge(server.url).grade("same town", [("Tarn", "Tarn Hollow"), (7, 7.0)]) == "yes"
    prompt = server.asked[0]["messages"][0]["content"]
    assert "same town" in prompt
    assert '0. answer: "Tarn"  expected: "Tarn Hollow"' in prompt
    assert "1. answer: 7  expected: 7.0" in prompt


def test_it_can_be_asked_where_an_event_loop_runs() -> None:
    async def main() -> str | None:
        return _judge(server.url).align(["a"], ["b"])

    with chat_server(lambda: "yes") as server:
        assert asyncio.run(main()) == "yes"


def test_a_url_that_is_none_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(ConfigurationError):
        _judge("localhost:8000")


def test_a_busy_server_is_asked_again() -> None:
    replies: list[Reply] = [429, 500, "at last"]
    with chat_server(lambda: replies.pop(0)) as server:
        judge = _judge(server.url)
        assert judge.align(["a"], ["b"]) == "at last"
    assert judge.failures == 0


def test_a_server_that_never_answers_is_a_silent_judge() -> None:
    with chat_server(lambda: 500) as server:
        judge = _judge(server.url)
        assert judge.align(["a"], ["b"]) is None
    assert judge.failures == 1
    assert len(server.asked) == TRIES
    assert _judge("http://127.0.0.1:9/v1").align(["a"], ["b"]) is None
