"""The judge over HTTP, against a real server that replies as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from answers.widesearch.openai_judge import TRIES, OpenAIJudge


class Scripted:
    """A server with replies (text, or an HTTP status) in order, and what it was asked."""

    def __init__(self) -> None:
        self.replies: list[str | int] = []
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []


@pytest.fixture
def served() -> Iterator[tuple[str, Scripted]]:
    script = Scripted()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            script.asked.append(json.loads(self.rfile.read(length)))
            script.keys.append(self.headers["Authorization"])
            reply = script.replies.pop(0)
            status = reply if isinstance(reply, int) else 200
            content = {"choices": [{"message": {"content": reply}}]}
            body = json.dumps(content).encode() if status == 200 else b"{}"
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1", script
    server.shutdown()
    thread.join()
    server.server_close()


def _judge(url: str, key: str = "") -> OpenAIJudge:
    return OpenAIJudge(url, "any", key, pause=lambda _: None)


def test_a_reply_is_given_on_as_it_is(served: tuple[str, Scripted]) -> None:
    url, script = served
    script.replies = ['```json\n{"Tarn": "Tarn Hollow"}\n```']
    assert _judge(url, "secret").align(["Tarn"], ["Tarn Hollow"]) == (
        '```json\n{"Tarn": "Tarn Hollow"}\n```'
    )
    (asked,) = script.asked
    assert asked["temperature"] == 0
    assert asked["model"] == "any"
    assert '["Tarn Hollow"]' in asked["messages"][0]["content"]
    assert script.keys == ["Bearer secret"]


def test_pairs_and_criterion_are_asked_for(served: tuple[str, Scripted]) -> None:
    url, script = served
    script.replies = ["yes"]
    assert _judge(url).grade("same town", [("Tarn", "Tarn Hollow"), (7, 7.0)]) == "yes"
    prompt = script.asked[0]["messages"][0]["content"]
    assert "same town" in prompt
    assert '0. answer: "Tarn"  expected: "Tarn Hollow"' in prompt
    assert "1. answer: 7  expected: 7.0" in prompt


def test_a_busy_server_is_asked_again(served: tuple[str, Scripted]) -> None:
    url, script = served
    script.replies = [429, 500, "at last"]
    judge = _judge(url)
    assert judge.align(["a"], ["b"]) == "at last"
    assert judge.failures == 0


def test_a_server_that_never_answers_is_a_silent_judge(served: tuple[str, Scripted]) -> None:
    url, script = served
    script.replies = [500] * TRIES
    judge = _judge(url)
    assert judge.align(["a"], ["b"]) is None
    assert judge.failures == 1
    assert _judge("http://127.0.0.1:9/v1").align(["a"], ["b"]) is None
