"""The transport to any OpenAI-compatible server: vLLM, SGLang, llama.cpp's, or a hosted one."""

from __future__ import annotations

from typing import Any

import httpx

from worldgen.errors import ConfigurationError
from worldgen.lm.connections import Connections
from worldgen.lm.late import within
from worldgen.lm.records import Reply, Request
from worldgen.lm.wire import body_of, failure, read_models, read_reply, suspects

_PORTS = 65_536


class OpenAIServer:
    """One model of an OpenAI-compatible server; it sends as many requests at a time as it is asked.

    Servers differ in what they take beyond the common fields. A request that is refused is sent
    again without what the refusal may be about; if that works, those fields aren't sent any more.
    """

    def __init__(self, url: str, model: str, key: str = "") -> None:
        """Ask `model` at `url`; nothing is sent yet.

        Args:
            url: the server. One without a path gets `/v1`; one that has a path is taken as it is.
            model: the model's name there.
            key: sent as a bearer token, if there is one.

        Raises:
            ConfigurationError: the URL or the key can't be one.
        """
        base, key = _base(url), key.strip()
        place = base.netloc.decode()
        if not (key.isascii() and key.isprintable()):
            message = f"the key for {place} holds characters that no key can have"
            raise ConfigurationError(message)
        self._url, self._place, self._model = str(base), place, model
        self._connections = Connections(place, {"Authorization": f"Bearer {key}"} if key else {})
        self._refused: set[str] = set()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model

    @property
    def refused(self) -> tuple[str, ...]:
        """The optional fields that this server has been found to refuse; they aren't sent."""
        return tuple(sorted(self._refused))

    @property
    def structured(self) -> bool:
        """Whether the server offers structured output, as far as is known."""
        return "response_format" not in self._refused

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Send a request once, or again without optional fields that the server refuses.

        Raises:
            LanguageModelError: there is no reply within `timeout` seconds; `kind` says why.
        """
        async with within(timeout, self._place):
            return read_reply(await self._accepted(body_of(request, self._model)))

    async def models(self, timeout: float = 10.0) -> list[str]:
        """The names of the models that the server offers.

        Raises:
            LanguageModelError: it doesn't say within `timeout` seconds; `kind` says why.
        """
        async with within(timeout, self._place):
            response = await self._connections.send("GET", f"{self._url}/models")
        if not response.is_success:
            raise failure(response.status_code, response.headers, response.content)
        return read_models(response.content)

    async def close(self) -> None:
        """Close all connections."""
        await self._connections.close()

    async def _accepted(self, body: dict[str, Any]) -> bytes:
        """The body of a successful response."""
        url, dropped = f"{self._url}/chat/completions", set[str]()
        while True:
            left_out = self._refused | dropped
            sent = {name: value for name, value in body.items() if name not in left_out}
            response = await self._connections.send("POST", url, sent)
            if response.is_success:
                self._refused |= dropped
                return response.content
            found = suspects(response.status_code, response.text, sent)
            if not found:
                raise failure(response.status_code, response.headers, response.content)
            dropped.update(found)


def _base(url: str) -> httpx.URL:
    """The URL below which a server's interface lies, without a slash at its end."""
    try:
        base = httpx.URL(url.strip())
        named = base.scheme in ("http", "https") and base.host and not base.query
        known = named and (base.port or 0) < _PORTS
    except httpx.InvalidURL:
        known = False
    if not known:
        message = f"{url!r} is no server's URL; write it as http://HOST:PORT or http://HOST:PORT/v1"
        raise ConfigurationError(message)
    return base.copy_with(path=base.path.rstrip("/") or "/v1", fragment=None)
