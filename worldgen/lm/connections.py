"""HTTP connections to one server.

A client of httpx looks through all its connections for every request, which at 64 of them takes
longer than all the rest. So each connection has a client of its own here, and a request takes a
free one.
"""

from __future__ import annotations

import asyncio
import ssl
from functools import cache
from typing import Any

import httpx

from worldgen.errors import LanguageModelError

_IDLE = 4.0
"""Seconds that an unused connection is kept: uvicorn, and so vLLM, closes it after five."""


class Connections:
    """As many connections as there are requests under way, kept for later ones.

    They belong to the event loop that made them; used in another loop, new ones are made.
    """

    def __init__(self, place: str, headers: dict[str, str]) -> None:
        """Connect to nothing yet.

        Args:
            place: the server's name, for messages.
            headers: sent with every request.
        """
        self._place, self._headers = place, headers
        self._loop: asyncio.AbstractEventLoop | None = None
        self._all: list[httpx.AsyncClient] = []
        self._free: list[httpx.AsyncClient] = []

    async def send(self, method: str, url: str, body: Any = None) -> httpx.Response:
        """The response to one request, whatever its status.

        Raises:
            LanguageModelError: `unreachable`: no response, or not all of it; `unreadable`: it can't
                be decoded.
        """
        self._enter_loop()
        free = self._free
        client = free.pop() if free else self._new()
        try:
            return await client.request(method, url, json=body)
        except httpx.DecodingError as error:
            fault = LanguageModelError("unreadable", f"{self._place}: {error}")
            raise fault from error
        except httpx.RequestError as error:
            words = str(error) or type(error).__name__
            fault = LanguageModelError("unreachable", f"{self._place}: {words}")
            raise fault from error
        finally:
            free.append(client)

    async def close(self) -> None:
        """Close all connections of this event loop."""
        self._enter_loop()
        for client in self._all:
            await client.aclose()

    def _enter_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._all, self._free = loop, [], []

    def _new(self) -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            headers=self._headers,
            timeout=None,
            limits=httpx.Limits(max_connections=1, keepalive_expiry=_IDLE),
            verify=_trust(),
            trust_env=False,
        )
        self._all.append(client)
        return client


@cache
def _trust() -> ssl.SSLContext:
    """The certificates to trust, read once: that takes longer than a request."""
    return httpx.create_ssl_context(trust_env=False)
