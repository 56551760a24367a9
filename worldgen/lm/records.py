"""What a language model is asked, and what it replies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from worldgen.canonical import digest

Role = Literal["system", "user", "assistant"]


class Message(NamedTuple):
    """One message of a chat."""

    role: Role
    content: str


@dataclass(frozen=True)
class Sampling:
    """How a model draws its reply; the defaults are those that Qwen-AgentWorld is used with.

    Attributes:
        temperature, top_p, top_k: as vLLM and OpenAI-compatible servers take them; a `top_k` of
            None is not sent, for servers that refuse it.
        max_tokens: tokens of the reply at most, thinking included; None leaves it to the server.
        thinking: whether a model that can think first shall; None leaves it to the server.
    """

    temperature: float = 0.6
    top_p: float = 0.95
    top_k: int | None = 20
    max_tokens: int | None = 32_768
    thinking: bool | None = None


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        messages: the chat so far; the last one is the user's.
        sampling: how the reply is drawn.
        schema: the JSON schema that the reply must satisfy, if it is to be JSON. A server that
            offers structured output is held to it; any reply is validated by whoever reads it.
        seed: what draws the reply, on servers that take a seed.
    """

    messages: tuple[Message, ...]
    sampling: Sampling = field(default_factory=Sampling)
    schema: dict[str, Any] | None = None
    seed: int | None = None

    def digest(self, model: str) -> str:
        """The digest of the whole request to a model, in hex."""
        sampling = vars(self.sampling)
        return digest([model, self.messages, sampling, self.schema, self.seed])


@dataclass(frozen=True)
class Reply:
    """What a model said.

    Attributes:
        text: its words as the server gave them; thinking may still stand in them.
        finish: why it stopped: `stop`, `length`, or whatever else the server says.
        prompt_tokens, completion_tokens: as the server counted them; 0 where it doesn't say.
        cached: whether it comes from a cache.
    """

    text: str
    finish: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False
