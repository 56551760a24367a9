"""What goes to and comes from an OpenAI-compatible server, as pure functions.

Fields that not every server takes are `OPTIONAL`: a request that is refused is sent again without
those that the refusal may be about.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from worldgen.errors import LanguageModelError
from worldgen.lm.records import Reply, Request

OPTIONAL = ("response_format", "top_k", "chat_template_kwargs", "seed")
"""Fields that a server may refuse without being of no use."""
MOST_WORDS = 200
"""Characters of a server's own words that a message repeats."""
_MAY_BE_A_FIELD = (400, 404, 422, 501)
_BUSY = 429
_SERVER = 500
_CLIENT = 400


def body_of(request: Request, model: str) -> dict[str, Any]:
    """A request as a chat completion's JSON body."""
    sampling = request.sampling
    fields = {
        "model": model,
        "messages": [{"role": role, "content": text} for role, text in request.messages],
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": sampling.top_k,
        "max_tokens": sampling.max_tokens,
        "seed": request.seed,
    }
    body = {name: value for name, value in fields.items() if value is not None}
    if sampling.thinking is not None:
        body["chat_template_kwargs"] = {"enable_thinking": sampling.thinking}
    if request.schema is not None:
        named = {"name": "reply", "schema": request.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def suspects(status: int, words: str, sent: Mapping[str, Any]) -> list[str]:
    """The optional fields that a refusal may be about.

    Those that its words name; if they name none, the format, since servers that don't know it have
    many words for that.
    """
    if status not in _MAY_BE_A_FIELD:
        return []
    optional = [name for name in OPTIONAL if name in sent]
    named = [name for name in optional if re.search(rf"\b{name}\b", words)]
    return named or [name for name in optional if name == "response_format"]


def read_reply(content: bytes) -> Reply:
    """The reply that a response's body holds.

    A message without content but with reasoning is an empty text: the model thought to the end.

    Raises:
        LanguageModelError: `unreadable`.
    """
    said = _json(content)
    try:
        choice = said["choices"][0]
        message = choice["message"]
        text = message.get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise _unreadable(content, "holds no choice with a message") from error
    if text is None and (message.get("reasoning_content") or message.get("reasoning")):
        text = ""
    if not isinstance(text, str) or not _is_text(text):
        raise _unreadable(content, "holds a message whose content is no text")
    finish = choice.get("finish_reason")
    used = said.get("usage")
    return Reply(
        text=text,
        finish=finish if isinstance(finish, str) else "stop",
        prompt_tokens=_count(used, "prompt_tokens"),
        completion_tokens=_count(used, "completion_tokens"),
    )


def read_models(content: bytes) -> list[str]:
    """The names of the models that a list of them holds.

    Raises:
        LanguageModelError: `unreadable`.
    """
    try:
        return [str(model["id"]) for model in _json(content)["data"]]
    except (KeyError, TypeError) as error:
        raise _unreadable(content, "is no list of models") from error


def failure(status: int, headers: Mapping[str, str], content: bytes) -> LanguageModelError:
    """The error that a response which is no success stands for."""
    words = f"HTTP {status}: {_words(content)}"
    if status == _BUSY or status >= _SERVER:
        pause = retry_after(headers.get("retry-after", ""), dt.datetime.now(dt.UTC))
        return LanguageModelError(
            "overloaded" if status == _BUSY else "server", words, status, pause
        )
    if status < _CLIENT:
        return LanguageModelError("unreadable", f"{words}{headers.get('location', '')}", status)
    return LanguageModelError("refused", words, status)


def retry_after(value: str, now: dt.datetime) -> float | None:
    """The seconds that a `Retry-After` header asks to wait; None if it asks for nothing readable.

    Args:
        value: the header, either a number of seconds or a date.
        now: the time from which a date is counted.
    """
    if re.fullmatch(r"\d{1,9}(\.\d{0,9})?", value.strip(), re.ASCII):
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or dt.UTC) - now).total_seconds())


def _unreadable(content: bytes, problem: str) -> LanguageModelError:
    return LanguageModelError("unreadable", f"{_cut(content)!r} {problem}")


def _words(content: bytes) -> str:
    """A server's own words for what is wrong, in one short line."""
    try:
        said = _json(content)
    except LanguageModelError:
        return _cut(content)
    if isinstance(said, dict):
        inner = said.get("error")
        inner = inner.get("message") if isinstance(inner, dict) else inner
        said = inner or said.get("message") or said.get("detail") or said
    return _cut(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))


def _cut(words: str | bytes) -> str:
    text = words if isinstance(words, str) else words[: 4 * MOST_WORDS].decode(errors="replace")
    return " ".join(text[: 4 * MOST_WORDS].split())[:MOST_WORDS]


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _unreadable(content, "is no JSON") from error


def _is_text(text: str) -> bool:
    """Whether it can be written: JSON can spell half a character, which no file or socket takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _count(used: Any, name: str) -> int:
    count = used.get(name) if isinstance(used, dict) else 0
    return count if isinstance(count, int) and count > 0 else 0
