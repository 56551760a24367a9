"""Reading a request's body: what a chat completion may be asked with, and nothing else.

An unknown parameter is refused, unlike by most servers: a test wants to know of a typing error.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from search_sim.fake_model.refusal import RefusedRequestError
from worldgen.canonical import digest
from worldgen.errors import UnknownNameError
from worldgen.lm.records import Message

LARGEST_BODY = 16_000_000
"""Bytes of a request's body."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")

    type: Literal["text"]
    text: str


class _ChatMessage(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[_Part] | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text for part in self.content)
        return self.content or ""


class _Schema(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    name: str
    description: str | None = None
    json_schema: dict[str, Any] | None = Field(default=None, alias="schema")
    strict: bool | None = None


class _ResponseFormat(BaseModel):
    model_config = ConfigDict(extra="forbid")

    type: Literal["text", "json_object", "json_schema"]
    json_schema: _Schema | None = None


class ChatBody(BaseModel):
    """The parameters of a chat completion, as OpenAI, vLLM, SGLang and llama.cpp name them."""

    model_config = ConfigDict(extra="forbid")

    model: str
    messages: list[_ChatMessage] = Field(min_length=1)
    stream: bool | None = None
    n: int | None = None
    response_format: _ResponseFormat | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, gt=0, le=1)
    top_k: int | None = Field(default=None, ge=-1)
    min_p: float | None = Field(default=None, ge=0, le=1)
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)
    presence_penalty: float | None = Field(default=None, ge=-2, le=2)
    repetition_penalty: float | None = Field(default=None, gt=0)
    stop: str | list[str] | None = None
    user: str | None = None

    @property
    def chat(self) -> tuple[Message, ...]:
        """The messages, with the roles that a world model knows."""
        return tuple(Message(_role(m.role), m.text) for m in self.messages)

    @property
    def structured(self) -> bool:
        """Whether the reply must be JSON and nothing else."""
        return self.response_format is not None and self.response_format.type != "text"

    @property
    def thinking(self) -> bool:
        """Whether the model may think first."""
        asked = (self.chat_template_kwargs or {}).get("enable_thinking", True)
        return bool(asked) and not self.structured

    @property
    def most_tokens(self) -> int | None:
        """How many tokens the reply may have."""
        return self.max_completion_tokens or self.max_tokens


def _role(name: str) -> Literal["system", "user", "assistant"]:
    if name == "assistant":
        return "assistant"
    return "system" if name in ("system", "developer") else "user"


def parse(raw: bytes) -> dict[str, Any]:
    """The JSON object of a body.

    Raises:
        RefusedRequestError: it is none.
    """
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError) as error:
        message = f"the body is no JSON: {error}"
        raise RefusedRequestError(message, code="invalid_json") from error
    if not isinstance(found, dict):
        message = "the body is no JSON object"
        raise RefusedRequestError(message, code="invalid_json")
    return found


def check(record: dict[str, Any]) -> ChatBody:
    """The body that an object is.

    Raises:
        RefusedRequestError: a parameter is unknown, missing or odd.
    """
    for name in record:
        if name not in ChatBody.model_fields:
            error = UnknownNameError(name, "parameter", ChatBody.model_fields)
            raise RefusedRequestError(str(error), code="unknown_parameter")
    try:
        body = ChatBody.model_validate(record)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        message = f"{place}: {first['msg']}"
        raise RefusedRequestError(message) from error
    if body.stream:
        message = "stream: this server doesn't stream; leave it out, or send false"
        raise RefusedRequestError(message, code="unsupported_value")
    if body.n not in (None, 1):
        message = "n: this server writes one reply; leave it out, or send 1"
        raise RefusedRequestError(message, code="unsupported_value")
    return body


def digest_of(record: dict[str, Any]) -> str:
    """The digest of a body, whatever the order of its keys.

    Raises:
        RefusedRequestError: it holds what JSON has no word for: NaN, an infinity, half a character.
    """
    try:
        return digest(record, 16)
    except (ValueError, RecursionError) as error:
        message = f"the body can't be written as JSON: {error}"
        raise RefusedRequestError(message, code="invalid_json") from error
