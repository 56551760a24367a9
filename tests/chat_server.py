"""A real server on a loopback port that answers chat requests as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = str | int
"""What a request gets: a text, or an HTTP status without one."""


@dataclass
class ChatServer:
    """What was asked, and with which keys."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@contextmanager
def chat_server(reply: Callable[[], Reply]) -> Iterator[ChatServer]:
    """Serve while the context lasts; `reply` is called for each request."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            found.keys.append(self.headers["Authorization"])
            said = reply()
            status = said if isinstance(said, int) else 200
            content = {"choices": [{"message": {"content": said}}]}
            body = json.dumps(content).encode() if status == 200 else b"{}"
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = ChatServer(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
