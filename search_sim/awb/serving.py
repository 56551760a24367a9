"""The model that a command is told to ask, ready to be asked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from search_sim.awb.patient import Patient
from worldgen.errors import ConfigurationError
from worldgen.lm.connect import Connection, connect, served_model
from worldgen.lm.model import LanguageModel

_ATTEMPTS = 3  # enough for what passes at once; `Patient` sits out what takes longer


@dataclass(frozen=True)
class Server:
    """Which model to ask.

    Attributes:
        url: an OpenAI-compatible server; none for a model in this process.
        model: the model's name there; none for the only one.
        key: the server's key, if it has one.
        vllm: the name or folder of a model that vLLM loads in this process.
        vllm_options: what it loads it with, as arguments of `vllm.LLM`.
        concurrency: requests under way at a time.
        cache: the file that keeps replies, if one shall.
    """

    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    vllm: str = ""
    vllm_options: Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 32
    cache: Path | None = None


def check(server: Server) -> None:
    """Refuse a description that names no model, or two.

    Raises:
        ConfigurationError: it does.
    """
    if bool(server.url) == bool(server.vllm):
        message = "name a server with --url, or a model to load with --vllm"
        raise ConfigurationError(message)
    if server.vllm and server.model:
        message = "--model names a model of the server at --url; --vllm is a name of its own"
        raise ConfigurationError(message)


@asynccontextmanager
async def opened(server: Server) -> AsyncIterator[LanguageModel]:
    """The model, while the context lasts.

    It never rests after failures, since rows would fail meanwhile that needn't.

    Raises:
        ConfigurationError: it can't be loaded, or the server, the key or the cache not be used.
    """
    check(server)
    transport: LanguageModel | None = None
    name = server.model
    if server.vllm:
        from worldgen.lm.in_process import VllmModel

        transport = VllmModel(server.vllm, **server.vllm_options)
    elif not name:
        name = await served_model(server.url, server.key)
    model = Patient(
        connect(
            Connection(
                url=server.url,
                model=name,
                key=server.key,
                concurrency=server.concurrency,
                attempts=_ATTEMPTS,
                failures=0,
                cache=server.cache,
            ),
            transport,
        )
    )
    try:
        yield model
    finally:
        await model.close()
