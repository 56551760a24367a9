"""Running the service: on a socket of its own, until it is stopped."""

from __future__ import annotations

import gc
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from worldgen.errors import ConfigurationError

BACKLOG = 1024
STARTING = 20.0
"""Seconds that a server in a thread may take to start."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one.

    Raises:
        ConfigurationError: the port is in use, or the host is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small packets at once only on sockets that say they are TCP.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        message = f"can't listen on {host}, port {port}: {error.strerror}; name another with --port"
        raise ConfigurationError(message) from error
    listening.listen(BACKLOG)
    return listening


def url_of(listening: socket.socket) -> str:
    """The URL of what listens on a socket."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _server(app: FastAPI) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on", ws="none")
    )


def serve(app: FastAPI, listening: socket.socket) -> None:
    """Serve until the process is told to stop."""
    # With the usual thresholds a seventh of the time went into looking through trajectories.
    gc.set_threshold(10_000, 10, 1_000)
    _server(app).run(sockets=[listening])


@contextmanager
def serving(app: FastAPI, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve in a thread of this process while the context lasts, and give the URL.

    Raises:
        ConfigurationError: the port is in use.
    """
    listening = listen(host, port)
    server = _server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    waited = time.monotonic() + STARTING
    while not server.started and thread.is_alive() and time.monotonic() < waited:
        time.sleep(0.01)
    try:
        yield url_of(listening)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
