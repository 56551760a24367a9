"""Connecting to a model: a transport, and around it what makes it dependable."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.bounded import Bounded
from worldgen.lm.breaker import Breaker
from worldgen.lm.cache import Cached
from worldgen.lm.counting import Counting, Counts
from worldgen.lm.model import LanguageModel
from worldgen.lm.retrying import Patience, Retrying
from worldgen.lm.server import OpenAIServer


@dataclass(frozen=True)
class Connection:
    """A model, and how it is asked.

    Attributes:
        url: the OpenAI-compatible server, with or without `/v1`; unused with another transport.
        model: its name there.
        key: the bearer token, if the server wants one; never shown.
        concurrency: requests that are sent at a time; the others wait within their timeout.
        attempts: the most for one request.
        attempt_timeout: the seconds that one attempt may take; None lets it take all that is left.
        failures: failures in a row after which the model rests; 0 lets it never rest.
        rest: the seconds that it then rests.
        cache: the file that keeps replies, if one shall.
        seed: draws the jitter of pauses.
    """

    url: str = ""
    model: str = ""
    key: str = field(default="", repr=False)
    concurrency: int = 64
    attempts: int = 4
    attempt_timeout: float | None = None
    failures: int = 8
    rest: float = 10.0
    cache: Path | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Check that it can be asked at all.

        Raises:
            ConfigurationError: it allows no request, no attempt or no time.
        """
        counts, times = (self.concurrency, self.attempts), (self.attempt_timeout, self.rest)
        if min(counts) < 1 or any(seconds is not None and seconds <= 0 for seconds in times):
            message = (
                "a model's concurrency and attempts must be 1 or more, its times more than 0 s"
            )
            raise ConfigurationError(message)


def connect(connection: Connection, transport: LanguageModel | None = None) -> Counting:
    """A model that is asked as `connection` says; its `counts` tell what came of it.

    From the outside in: whole requests are counted; what the cache knows is not asked again; what
    fails is tried again; a server that fails too often rests, and an attempt then fails at once;
    so many attempts are under way at a time.

    Args:
        connection: the model.
        transport: what is asked, for example a `VllmModel`; None asks the server at `url`.

    Raises:
        ConfigurationError: the URL, the key or the cache's file can't be used.
    """
    if transport is None:
        transport = OpenAIServer(connection.url, connection.model, connection.key)
    counts = Counts()
    model: LanguageModel = Bounded(transport, connection.concurrency)
    if connection.failures:
        model = Breaker(model, connection.failures, connection.rest)
    patience = Patience(connection.attempts, connection.attempt_timeout, seed=connection.seed)
    model = Retrying(model, patience, counts.retried)
    if connection.cache is not None:
        model = Cached(model, connection.cache)
    return Counting(model, counts)


async def served_model(url: str, key: str = "", timeout: float = 10.0) -> str:
    """The name of the one model that a server offers, for a user who named none.

    Raises:
        ConfigurationError: the server can't be asked, or offers none or several.
    """
    server = OpenAIServer(url, "", key)
    try:
        names = await server.models(timeout)
    except LanguageModelError as error:
        message = f"can't ask {url} for its models: {error}"
        raise ConfigurationError(message) from error
    finally:
        await server.close()
    if len(names) == 1:
        return names[0]
    offered = f"several models ({', '.join(names[:10])}); name one" if names else "no models"
    message = f"{url} offers {offered}"
    raise ConfigurationError(message)
