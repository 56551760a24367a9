"""Language models for tests: one in memory, and a real server on a loopback port."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

from worldgen.errors import LanguageModelError
from worldgen.lm.records import Message, Reply, Request

Result = TypeVar("Result")


def ask(text: str = "hello", **fields: Any) -> Request:
    return Request((Message("user", text),), **fields)


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(coroutine)


class FakeModel:
    """Gives outcomes in their order, the last one again and again; each takes `seconds`."""

    name = "fake"

    def __init__(self, *outcomes: Reply | BaseException, seconds: float = 0.0) -> None:
        self.outcomes, self.seconds = list(outcomes) or [Reply("yes")], seconds
        self.asked: list[tuple[Request, float]] = []
        self.at_once = self.most_at_once = 0
        self.closed = False

    async def complete(self, request: Request, timeout: float) -> Reply:
        self.asked.append((request, timeout))
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.at_once -= 1
        if isinstance(outcome, Reply):
            return outcome
        raise outcome

    async def close(self) -> None:
        self.closed = True


async def kind_of(attempt: Coroutine[Any, Any, Any]) -> str:
    """The kind of error that an attempt ends with, or `reply`."""
    try:
        await attempt
    except LanguageModelError as error:
        return error.kind
    return "reply"


def completion(text: Any, **fields: Any) -> dict[str, Any]:
    """A chat completion's JSON body."""
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], **fields}


@dataclass(frozen=True)
class Said:
    """What the server says to one request.

    `cut` bytes of the body are left out, and the connection is closed, after `seconds`.
    """

    body: Any = field(default_factory=lambda: completion("yes"))
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cut: int = 0

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass
class Server:
    """Where the server is, and what it was asked: paths, bodies and keys in order.

    `ports` are the client's, one for each connection.
    """

    url: str
    paths: list[str] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)


@contextmanager
def scripted(say: Said | Sequence[Said] | Callable[[Any], Said]) -> Iterator[Server]:
    """Serve while the context lasts.

    Args:
        say: what is said to every request, to one after the other, or to each body.
    """
    answer = _answers(say)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        """Head and body go out together."""

        def do_GET(self) -> None:
            self._say(None)

        def do_POST(self) -> None:
            self._say(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _say(self, asked: Any) -> None:
            found.paths.append(self.path)
            found.ports.append(self.client_address[1])
            found.bodies.append(asked)
            found.keys.append(self.headers["Authorization"])
            said = answer(asked)
            time.sleep(said.seconds)
            self.send_response(said.status)
            headers = {"Content-Length": str(len(said.content)), **said.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(said.content[: len(said.content) - said.cut])
            self.close_connection = bool(said.cut)

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test's output clean."""

    class Threads(ThreadingHTTPServer):
        request_queue_size = 256

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that has gone is no error of the server's."""

    server = Threads(("127.0.0.1", 0), Handler)
    found = Server(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _answers(say: Said | Sequence[Said] | Callable[[Any], Said]) -> Callable[[Any], Said]:
    if isinstance(say, Said):
        return lambda _: say
    if callable(say):
        return say
    left = list(say)
    return lambda _: left.pop(0)
