"""The scripted model as clients meet it: a real server on a loopback port."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from search_sim.fake_model.app import serving_fake
from search_sim.fake_model.body import LARGEST_BODY
from search_sim.fake_model.fake import CREATED, FakeModel
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.lwm.reply import read_text
from search_sim.materials import Asked
from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Message, Reply, Request
from worldgen.lm.server import OpenAIServer
from worldgen.lm.wire import body_of

ONE = {"model": "fake", "messages": [{"role": "user", "content": "ls"}]}


@pytest.fixture(scope="module")
def fake() -> FakeModel:
    return FakeModel(late_seconds=0.3)


@pytest.fixture(scope="module")
def url(fake: FakeModel) -> Iterator[str]:
    with serving_fake(fake) as base:
        yield base


def _post(url: str, content: Any, **options: Any) -> httpx.Response:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return httpx.post(f"{url}/v1/chat/completions", content=raw, timeout=20, **options)


# ---------------------------------------------------------------- shapes


def test_a_completion_has_the_usual_shape(url: str, asked: Asked, ask: Any) -> None:
    request = ask(asked)
    response = _post(url, body_of(request, "fake"))
    assert response.status_code == 200
    said = response.json()
    assert set(said) == {"id", "object", "created", "model", "choices", "usage"}
    assert said["id"].startswith("chatcmpl-")
    assert (said["object"], said["created"]) == ("chat.completion", CREATED)
    (choice,) = said["choices"]
    assert set(choice) == {"index", "message", "finish_reason"}
    assert choice["message"]["role"] == "assistant"
    assert choice["finish_reason"] == "stop"
    assert set(said["usage"]) == {"prompt_tokens", "completion_tokens", "total_tokens"}
    assert said["usage"]["prompt_tokens"] > 500
    model = OpenAIServer(url, "fake")
    reply = asyncio.run(_complete(model, request))
    assert reply.text == choice["message"]["content"]
    assert len(read_text(reply).results) == len(asked.materials)


async def _complete(model: LanguageModel, request: Request, timeout: float = 20) -> Reply:
    try:
        return await model.complete(request, timeout)
    finally:
        await model.close()


def test_the_models_are_listed(url: str, fake: FakeModel) -> None:
    listed = httpx.get(f"{url}/v1/models").json()
    assert listed["object"] == "list"
    assert [model["id"] for model in listed["data"]] == list(fake.models)
    assert all(model["object"] == "model" for model in listed["data"])


def test_health_tells_what_was_done(url: str, fake: FakeModel) -> None:
    before = httpx.get(f"{url}/healthz").json()
    _post(url, ONE)
    after = httpx.get(f"{url}/healthz").json()
    assert after["ok"]
    assert after["script"] == "honest"
    assert after["outcomes"]["ok"] == before["outcomes"].get("ok", 0) + 1 == fake.outcomes["ok"]


def test_two_servers_give_the_same_bytes(asked: Asked, ask: Any) -> None:
    body = body_of(ask(asked), "fake")
    found = []
    for _ in range(2):
        with serving_fake(FakeModel(seed=3)) as base:
            found.append(_post(base, body).content)
    assert found[0] == found[1]


def test_a_port_in_use_is_named(url: str) -> None:
    port = int(url.rpartition(":")[2])
    with (
        pytest.raises(ConfigurationError, match=f"port {port}"),
        serving_fake(FakeModel(), port=port),
    ):
        pass


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ({"stream": True}, "unsupported_value", "stream: this server doesn't stream"),
        ({"n": 2}, "unsupported_value", "n: this server writes one reply"),
        ({"temprature": 1}, "unknown_parameter", "did you mean 'temperature'"),
        ({"temperature": 3}, "invalid_value", "temperature: "),
        ({"top_p": 0}, "invalid_value", "top_p: "),
        ({"max_tokens": 0}, "invalid_value", "max_tokens: "),
        ({"messages": []}, "invalid_value", "messages: "),
        ({"messages": "ls"}, "invalid_value", "messages: "),
        ({"messages": [{"role": "robot", "content": "x"}]}, "invalid_value", "messages.0.role: "),
        ({"messages": [{"role": "user", "content": 1}]}, "invalid_value", "messages.0.content"),
        ({"model": None}, "invalid_value", "model: "),
        ({"response_format": {"type": "xml"}}, "invalid_value", "response_format.type: "),
        ({"seed": float("nan")}, "invalid_value", "seed: "),
        ({"chat_template_kwargs": {"x": float("inf")}}, "invalid_json", "can't be written"),
        ({"messages": [{"role": "user", "content": "\ud800"}]}, "invalid_json", "can't be writ"),
    ],
)
def test_an_odd_body_is_refused_in_the_usual_shape(
    url: str, change: dict[str, Any], code: str, words: str
) -> None:
    response = _post(url, {**ONE, **change})
    assert response.status_code == 400
    assert set(response.json()) == {"error"}
    error = response.json()["error"]
    assert set(error) == {"message", "type", "code"}
    assert (error["type"], error["code"]) == ("invalid_request_error", code)
    assert words in error["message"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 99_999, b'{"model":'])
def test_a_body_that_is_no_object_is_refused(url: str, raw: bytes) -> None:
    response = _post(url, raw)
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "invalid_json"


def test_missing_parameters_unknown_models_paths_and_methods_are_refused(url: str) -> None:
    for name in ONE:
        left = {key: value for key, value in ONE.items() if key != name}
        assert name in _post(url, left).json()["error"]["message"]
    unknown = _post(url, {**ONE, "model": "honset"})
    assert unknown.status_code == 404
    assert "did you mean 'honest'" in unknown.json()["error"]["message"]
    wrong = httpx.get(f"{url}/v1/chat/completions")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (405, "wrong_method")
    nowhere = httpx.get(f"{url}/v1/engines")
    assert nowhere.status_code == 404
    assert nowhere.json()["error"]["code"] == "unknown_path"


def test_a_body_that_is_too_large_is_refused(url: str) -> None:
    response = _post(url, b"x" * (LARGEST_BODY + 1))
    assert response.status_code == 413
    assert response.json()["error"]["code"] == "too_large"


def test_parts_and_other_roles_are_taken(url: str) -> None:
    messages = [
        {"role": "developer", "content": "Be brief."},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "x", "tool_call_id": "1"},
        {"role": "user", "content": [{"type": "text", "text": "<final_"}, _part("evaluation>")]},
    ]
    text = _post(url, {**ONE, "messages": messages}).json()["choices"][0]["message"]["content"]
    assert '"scores"' in text


def _part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("fault", "kind", "status"),
    [
        ("429", "overloaded", 429),
        ("500", "server", 500),
        ("503", "server", 503),
        ("cut", "unreachable", 0),
        ("not-json", "unreadable", 0),
        ("no-choices", "unreadable", 0),
        ("late", "late", 0),
    ],
)
def test_each_fault_is_what_a_client_knows_it_as_in_process_too(
    fake: FakeModel, url: str, fault: str, kind: str, status: int
) -> None:
    request = Request((Message("user", "ls"),))
    name = f"honest+{fault}"
    for model in (OpenAIServer(url, name), FakeLanguageModel(fake, name)):
        with pytest.raises(LanguageModelError) as error:
            asyncio.run(_complete(model, request, 0.2 if fault == "late" else 20))
        assert (error.value.kind, error.value.status) == (kind, status)
        assert error.value.retry_after == (1 if fault == "429" else None)


def test_a_late_reply_comes_and_a_truncated_one_says_so(url: str) -> None:
    request = Request((Message("user", "ls"),))
    start = time.monotonic()
    late = asyncio.run(_complete(OpenAIServer(url, "honest+late"), request))
    assert time.monotonic() - start >= 0.3
    assert late.finish == "stop"
    short = asyncio.run(_complete(OpenAIServer(url, "honest+truncate"), request))
    assert short.finish == "length"


def test_a_cut_response_announces_its_length_and_nothing_is_logged_of_it(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    body = {**ONE, "model": "honest+cut"}
    with (
        caplog.at_level(logging.ERROR),
        httpx.Client() as client,
        client.stream("POST", f"{url}/v1/chat/completions", json=body) as response,
    ):
        assert response.status_code == 200
        with pytest.raises(httpx.RemoteProtocolError):
            response.read()
    assert response.num_bytes_downloaded == int(response.headers["content-length"]) // 2
    assert caplog.records == []
    assert _post(url, ONE).status_code == 200


def test_a_server_without_structured_output_is_used_without_it(asked: Asked, ask: Any) -> None:
    fake = FakeModel(structured=False, keep=True)
    with serving_fake(fake) as base:
        model = OpenAIServer(base, "honest")
        reply = asyncio.run(_complete(model, ask(asked, "search-json", structured=True)))
    assert not model.structured
    assert "<think>" in reply.text
    assert ["response_format" in body for body in fake.bodies] == [True, False]


def test_hundreds_wait_at_a_time() -> None:
    async def all_at_once(base: str) -> list[int]:
        limits = httpx.Limits(max_connections=200)
        async with httpx.AsyncClient(limits=limits, timeout=20) as client:
            path = f"{base}/v1/chat/completions"
            found = await asyncio.gather(*(client.post(path, json=ONE) for _ in range(200)))
        return [response.status_code for response in found]

    with serving_fake(FakeModel(latency=0.5)) as base:
        start = time.monotonic()
        assert asyncio.run(all_at_once(base)) == [200] * 200
    assert 0.5 <= time.monotonic() - start < 10
