from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lm_support import ask, completion

from worldgen.errors import LanguageModelError
from worldgen.lm.records import Reply, Sampling
from worldgen.lm.wire import body_of, failure, read_models, read_reply, retry_after, suspects

NOW = dt.datetime(2029, 3, 14, 12, 0, 0, tzinfo=dt.UTC)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "usage", "data", "id", "error"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=12,
)


def _read(body: Any) -> Reply:
    return read_reply(json.dumps(body).encode())


def test_a_plain_request_has_the_sampling_and_nothing_else() -> None:
    assert body_of(ask("hi"), "m") == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "temperature": 0.6,
        "top_p": 0.95,
        "top_k": 20,
        "max_tokens": 32_768,
    }


def test_what_is_left_to_the_server_is_not_sent() -> None:
    sampling = Sampling(temperature=0.0, top_k=None, max_tokens=None)
    assert body_of(ask("hi", sampling=sampling), "m").keys() == {
        "model",
        "messages",
        "temperature",
        "top_p",
    }


def test_schema_seed_and_thinking_are_asked_for() -> None:
    request = ask(schema=SCHEMA, seed=0, sampling=Sampling(thinking=False))
    body = body_of(request, "m")
    assert body["seed"] == 0
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
    }


def test_a_reply_is_read_whole() -> None:
    body = completion("héllo", usage={"prompt_tokens": 7, "completion_tokens": 3})
    assert _read(body) == Reply("héllo", "stop", 7, 3)


@pytest.mark.parametrize(
    "usage", [None, [], {}, {"prompt_tokens": None}, {"completion_tokens": "many"}]
)
def test_usage_and_finish_are_read_leniently(usage: Any) -> None:
    body = completion("x", usage=usage)
    body["choices"][0]["finish_reason"] = None
    assert _read(body) == Reply("x", "stop", 0, 0)


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_reasoning_without_content_is_an_empty_text(name: str) -> None:
    body = completion(None)
    body["choices"][0]["message"][name] = "well, ..."
    body["choices"][0]["finish_reason"] = "length"
    assert _read(body) == Reply("", "length")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html>Bad gateway</html>",
        b"\xff\xfe",
        b"[" * 100_000,
        b"null",
        b'{"choices": []}',
        b'{"choices": [{"text": "old"}]}',
        json.dumps(completion(None)).encode(),
        json.dumps(completion([{"type": "text", "text": "x"}])).encode(),
        b'{"choices": [{"message": {"content": "half \\ud800 a character"}}]}',
    ],
)
def test_what_is_no_reply_is_unreadable(content: bytes) -> None:
    with pytest.raises(LanguageModelError) as caught:
        read_reply(content)
    assert caught.value.kind == "unreadable"
    assert len(str(caught.value)) < 1_000


@given(JSON)
def test_no_json_makes_reading_fail_otherwise(body: Any) -> None:
    content = json.dumps(body).encode()
    kinds = []
    for read in (read_reply, read_models):
        try:
            read(content)
        except LanguageModelError as error:
            kinds.append(error.kind)
    assert kinds == ["unreadable"] * len(kinds)


@given(st.integers(300, 599), st.binary(max_size=50) | JSON.map(lambda v: json.dumps(v).encode()))
def test_every_failure_is_one_short_line(status: int, content: bytes) -> None:
    error = failure(status, {}, content)
    assert error.status == status
    assert len(str(error).splitlines()) == 1
    assert len(str(error)) < 300


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (301, "unreadable"),
        (400, "refused"),
        (401, "refused"),
        (404, "refused"),
        (429, "overloaded"),
        (500, "server"),
        (503, "server"),
        (529, "server"),
    ],
)
def test_a_status_says_what_kind_of_failure_it_is(status: int, kind: str) -> None:
    error = failure(status, {"retry-after": "7"}, b"{}")
    assert error.kind == kind
    assert error.retry_after == (7.0 if error.passing else None)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "no such model"}},
        {"error": "no such model"},
        {"message": "no such model", "object": "error"},
        {"detail": "no such model"},
        "no such model",
    ],
)
def test_a_servers_own_words_are_repeated(body: Any) -> None:
    assert failure(404, {}, json.dumps(body).encode()).args[0].endswith("HTTP 404: no such model")


def test_long_words_are_cut() -> None:
    words = str(failure(400, {}, b"not\n\tjson " * 500))
    assert words.startswith("language model, refused: HTTP 400: not json not json")
    assert len(words) < 260


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("12", 12.0),
        (" 2.5 ", 2.5),
        ("Wed, 14 Mar 2029 12:00:30 GMT", 30.0),
        ("Wed, 14 Mar 2029 12:00:30 -0000", 30.0),
        ("Wed, 14 Mar 2029 11:00:00 GMT", 0.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("Wed, 14 Mar 2029 12:00:30 +9999999999999999999", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.text(max_size=40))
def test_no_retry_after_fails(value: str) -> None:
    seconds = retry_after(value, NOW)
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize(
    ("status", "words", "found"),
    [
        (400, "Unrecognized request argument supplied: top_k", ["top_k"]),
        (422, "body.seed: extra; body.chat_template_kwargs", ["chat_template_kwargs", "seed"]),
        (400, "json_schema is not supported", ["response_format"]),
        (501, "", ["response_format"]),
        (400, "no such thing as a seedling", ["response_format"]),
        (401, "top_k", []),
        (500, "response_format", []),
    ],
)
def test_a_refusal_is_about_what_it_names_or_the_format(
    status: int, words: str, found: list[str]
) -> None:
    sent = body_of(ask(schema=SCHEMA, seed=1, sampling=Sampling(thinking=True)), "m")
    assert suspects(status, words, sent) == found


def test_a_field_that_was_not_sent_is_no_suspect() -> None:
    sent = body_of(ask(sampling=Sampling(top_k=None)), "m")
    assert suspects(400, "top_k and response_format", sent) == []
