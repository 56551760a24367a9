from __future__ import annotations

import asyncio
import gc
import socket
import time
from typing import Any

import pytest
from lm_support import Said, ask, completion, kind_of, run, scripted

from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.records import Reply, Request, Sampling
from worldgen.lm.server import OpenAIServer

STRICT = ask(schema={"type": "object"}, seed=3, sampling=Sampling(thinking=True))


async def _replies(server: OpenAIServer, *requests: Request, timeout: float = 5.0) -> list[Reply]:
    try:
        return [await server.complete(request, timeout) for request in requests]
    finally:
        await server.close()


def _error(server: OpenAIServer, request: Request, timeout: float = 5.0) -> LanguageModelError:
    with pytest.raises(LanguageModelError) as caught:
        run(_replies(server, request, timeout=timeout))
    return caught.value


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
def test_the_url_may_be_given_with_or_without_its_path(path: str) -> None:
    with scripted(Said(completion("hello"))) as found:
        server = OpenAIServer(found.url + path, "m", " secret\n")
        assert run(_replies(server, ask())) == [Reply("hello")]
    assert found.paths == ["/v1/chat/completions"]
    assert found.keys == ["Bearer secret"]
    assert found.bodies[0]["model"] == server.name == "m"


def test_another_path_is_taken_as_it_is() -> None:
    with scripted(Said()) as found:
        run(_replies(OpenAIServer(f"{found.url}/api/paas/v4/", "m"), ask()))
    assert found.paths == ["/api/paas/v4/chat/completions"]
    assert found.keys == [None]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "ftp://h/v1",
        "http://",
        "http://h:99999",
        "http://h:port",
        "http://h/v1?a=b",
    ],
)
def test_what_is_no_servers_url_is_refused_at_once(url: str) -> None:
    with pytest.raises(ConfigurationError, match="write it as http"):
        OpenAIServer(url, "m")


def test_a_key_that_no_header_can_hold_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigurationError) as caught:
        OpenAIServer("http://u:word@h:1", "m", "sécret")
    assert "cret" not in str(caught.value)
    assert "word" not in str(caught.value)


def test_a_server_without_structured_output_is_asked_without_from_then_on() -> None:
    def say(body: Any) -> Said:
        refused = "response_format" in body
        return Said({"error": "what is json_schema?"}, 400) if refused else Said(completion("{}"))

    with scripted(say) as found:
        server = OpenAIServer(found.url, "m")
        assert server.structured
        run(_replies(server, STRICT, STRICT))
    assert ["response_format" in body for body in found.bodies] == [True, False, False]
    assert not server.structured
    assert found.bodies[1]["top_k"] == 20


def test_fields_that_a_hosted_server_refuses_one_by_one_are_learnt() -> None:
    refused = ["top_k", "chat_template_kwargs", "seed"]

    def say(body: Any) -> Said:
        bad = next((name for name in refused if name in body), None)
        words = {"error": {"message": f"Unrecognized request argument supplied: {bad}"}}
        return Said(words, 400) if bad else Said()

    with scripted(say) as found:
        server = OpenAIServer(found.url, "m")
        run(_replies(server, STRICT, STRICT))
    assert len(found.bodies) == 5
    assert server.refused == tuple(sorted(refused))
    assert server.structured


def test_a_refusal_for_another_reason_teaches_nothing() -> None:
    with scripted(Said({"error": {"message": "the prompt is too long"}}, 400)) as found:
        server = OpenAIServer(found.url, "m")
        error = _error(server, STRICT)
    assert (error.kind, error.status) == ("refused", 400)
    assert "HTTP 400: the prompt is too long" in str(error)
    assert [("response_format" in body) for body in found.bodies] == [True, False]
    assert server.structured


def test_a_refusal_of_a_plain_request_is_final() -> None:
    with scripted(Said({"detail": "no such model"}, 404)) as found:
        error = _error(OpenAIServer(found.url, "m"), ask())
    assert error.kind == "refused"
    assert len(found.bodies) == 1


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (Said({}, 429, {"Retry-After": "3"}), "overloaded"),
        (Said(b"down", 503, {"Retry-After": "3"}), "server"),
        (Said(b"not json"), "unreadable"),
        (Said(completion(7)), "unreadable"),
        (Said(b"not gzip", headers={"Content-Encoding": "gzip"}), "unreadable"),
        (Said({}, 307, {"Location": "https://h/v1"}), "unreadable"),
        (Said(cut=5), "unreachable"),
        (Said(seconds=0.5), "late"),
    ],
)
def test_each_fault_is_told_apart(said: Said, kind: str) -> None:
    with scripted(said) as found:
        timeout = 0.2 if kind == "late" else 5.0
        error = _error(OpenAIServer(found.url, "m"), ask(), timeout)
    assert error.kind == kind
    assert error.retry_after == (3.0 if said.status in (429, 503) else None)


def test_nobody_there_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    error = _error(OpenAIServer(f"http://127.0.0.1:{port}", "m"), ask())
    assert error.kind == "unreachable"
    assert f"127.0.0.1:{port}: " in str(error)


def test_asking_again_without_a_field_has_no_more_time() -> None:
    with scripted([Said({}, 400), Said(seconds=2.0)]) as found:
        start = time.monotonic()
        error = _error(OpenAIServer(found.url, "m"), STRICT, timeout=0.5)
    assert error.kind == "late"
    assert time.monotonic() - start < 1.5
    assert len(found.bodies) == 2


def test_many_requests_go_out_together() -> None:
    async def main(server: OpenAIServer) -> list[Reply]:
        try:
            return await asyncio.gather(*(server.complete(ask(), 5.0) for _ in range(16)))
        finally:
            await server.close()

    with scripted(Said(seconds=0.2)) as found:
        start = time.monotonic()
        replies = run(main(OpenAIServer(found.url, "m")))
        took = time.monotonic() - start
    assert len(replies) == 16
    assert took < 16 * 0.2 / 2


def test_connections_are_used_again() -> None:
    async def main(server: OpenAIServer) -> None:
        for _ in range(3):
            await asyncio.gather(*(server.complete(ask(), 5.0) for _ in range(4)))
        await server.close()

    with scripted(Said(seconds=0.02)) as found:
        run(main(OpenAIServer(found.url, "m")))
    assert len(found.ports) == 12
    assert len(set(found.ports)) == 4


# The first loop ends without having closed its connections, which is what this is about.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_it_works_in_one_event_loop_after_another() -> None:
    with scripted(Said()) as found:
        server = OpenAIServer(found.url, "m")
        assert run(server.complete(ask(), 5.0)) == Reply("yes")
        assert run(_replies(server, ask())) == [Reply("yes")]
    assert len(set(found.ports)) == 2
    gc.collect()


def test_the_models_are_listed() -> None:
    listing = {"object": "list", "data": [{"id": "a"}, {"id": "b"}]}

    async def main(server: OpenAIServer) -> list[str]:
        try:
            return await server.models()
        finally:
            await server.close()

    with scripted(Said(listing)) as found:
        assert run(main(OpenAIServer(found.url, "", "k"))) == ["a", "b"]
    assert found.paths == ["/v1/models"]
    assert found.keys == ["Bearer k"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (Said({}, 401), "refused"),
        (Said({"data": None}), "unreadable"),
        (Said(seconds=0.5), "late"),
    ],
)
def test_a_server_that_lists_no_models_says_why(said: Said, kind: str) -> None:
    async def main(server: OpenAIServer) -> str:
        try:
            return await kind_of(server.models(timeout=0.2 if kind == "late" else 5.0))
        finally:
            await server.close()

    with scripted(said) as found:
        assert run(main(OpenAIServer(found.url, ""))) == kind
