from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from search_sim.fake_model import fake as fake_module
from search_sim.fake_model.fake import RETRY_AFTER, FakeModel, Outgoing, tokens
from search_sim.fake_model.faults import FAULTS, check_shares, draw_fault, parse_shares
from search_sim.fake_model.refusal import RefusedRequestError
from search_sim.fake_model.scripts import SCRIPTS
from search_sim.materials import Asked
from worldgen.errors import ConfigurationError, UnknownNameError, WorldgenError
from worldgen.lm.wire import body_of

TRUTH = {"https://x.example/": ["Depth: 14.2 m"]}


def _body(words: str = "ls", **more: Any) -> dict[str, Any]:
    return {"model": "fake", "messages": [{"role": "user", "content": words}], **more}


def _reply(response: Outgoing) -> Any:
    assert response.status == 200
    return json.loads(response.body)


def _text(response: Outgoing) -> str:
    return str(_reply(response)["choices"][0]["message"]["content"])


# ---------------------------------------------------------------- determinism


@pytest.mark.parametrize("script", list(SCRIPTS))
def test_two_models_give_the_same_bytes_in_whatever_order_they_are_asked(
    searches: dict[str, tuple[Asked, ...]], ask: Any, script: str
) -> None:
    bodies = [body_of(ask(asked), "fake") for asked in searches["company-intranet"][:12]]
    truth = {m.url: ["Depth: 14.2 m"] for m in searches["company-intranet"][0].materials}
    shares = {"429": 0.2, "truncate": 0.2, "cut": 0.1, "not-json": 0.1}
    one, other = (FakeModel(script, shares, truth=truth, seed=5) for _ in range(2))
    found = [one.respond(body) for body in bodies]
    assert [other.respond(body) for body in reversed(bodies)] == found[::-1]
    assert [one.respond(body) for body in bodies] == [other.respond(body) for body in bodies]


def test_the_seed_the_script_and_the_request_make_the_reply(asked: Asked, ask: Any) -> None:
    body = body_of(ask(asked), "fake")
    texts = {
        _text(FakeModel(seed=0).respond(body)),
        _text(FakeModel(seed=1).respond(body)),
        _text(FakeModel("guess").respond(body)),
        _text(FakeModel().respond({**body, "seed": 8})),
    }
    assert len(texts) == 4
    turned = dict(reversed(body.items()))
    assert FakeModel().respond(turned) == FakeModel().respond(body)
    shares = {"429": 0.4, "500": 0.4}
    one, other = FakeModel(faults=shares), FakeModel(faults=dict(reversed(shares.items())))
    for n in range(20):
        assert one.respond(_body(f"ls {n}")) == other.respond(_body(f"ls {n}"))


def test_the_same_request_gets_the_same_text_under_a_new_id() -> None:
    fake = FakeModel()
    first, second = (_reply(fake.respond(_body())) for _ in range(2))
    assert first.pop("id") != second.pop("id")
    assert first == second


# ---------------------------------------------------------------- faults


def test_a_fault_takes_its_share_and_clears_when_the_request_comes_again() -> None:
    shares = {"429": 0.3, "500": 0.2}
    fake = FakeModel(faults=shares)
    bodies = [_body(f"ls {n}") for n in range(600)]
    statuses = [[fake.respond(body).status for body in bodies] for _ in range(2)]
    counts = Counter(statuses[0])
    assert 150 < counts[429] < 210
    assert 90 < counts[500] < 150
    again = [after for before, after in zip(*statuses, strict=True) if before == 429]
    assert 0.4 < again.count(200) / len(again) < 0.6
    assert fake.outcomes["429"] == sum(row.count(429) for row in statuses)
    assert fake.outcomes["ok"] == sum(row.count(200) for row in statuses)
    assert fake.requests == 1200


def test_what_came_long_ago_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_module, "MOST_REMEMBERED", 2)
    fake = FakeModel()
    first = fake.respond(_body("a"))
    for words in ("b", "c"):
        fake.respond(_body(words))
    assert fake.respond(_body("a")) == first
    assert fake.respond(_body("c")) != FakeModel().respond(_body("c"))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_share_of_one_is_every_request_and_of_zero_none(fault: str) -> None:
    assert {draw_fault({fault: 1.0}, 0, str(n), 0) for n in range(200)} == {fault}
    assert {draw_fault({fault: 0.0}, 0, str(n), 0) for n in range(200)} == {""}


def test_each_fault_shows_in_the_response() -> None:
    fake = FakeModel(late_seconds=9, latency=0.5)
    plain = fake.respond(_body())
    found = {name: fake.respond(_body(model=f"honest+{name}")) for name in FAULTS}
    assert plain.delay == 0.5
    assert {name: response.delay for name, response in found.items()} == {
        **dict.fromkeys(FAULTS, 0.5),
        "late": 9.5,
    }
    assert [found[name].status for name in ("429", "500", "503")] == [429, 500, 503]
    assert found["429"].headers == {"retry-after": str(RETRY_AFTER)}
    assert json.loads(found["429"].body)["error"]["type"] == "rate_limit_error"
    assert json.loads(found["503"].body)["error"]["type"] == "server_error"
    assert found["cut"].cut
    assert not plain.cut
    assert found["not-json"].media_type == "text/html"
    assert _reply(found["no-choices"])["choices"] == []
    (choice,) = _reply(found["truncate"])["choices"]
    assert choice["finish_reason"] == "length"
    whole = _text(fake.respond(_body(model="honest+late")))
    assert _text(found["late"]) == whole
    assert 0 < len(choice["message"]["content"]) < len(whole)


# ---------------------------------------------------------------- names, limits, records


def test_a_model_is_a_script_with_or_without_a_fault(asked: Asked, ask: Any) -> None:
    fake = FakeModel("refuse", {"500": 1.0}, truth=TRUTH)
    assert fake.models[:3] == ("fake", "honest", "invent")
    assert {"leak", "leak+cut", "think-only+503"} <= set(fake.models)
    assert len(fake.models) == 1 + len(list(SCRIPTS)) * (1 + len(FAULTS))
    body = body_of(ask(asked), "fake")
    assert fake.respond(body).status == 500
    assert "<predicted_observation>" in _text(fake.respond({**body, "model": "honest+truncate"}))
    named = {**body, "model": "refuse"}
    assert fake.respond(named).status == 500
    for name in fake.models:
        fake.respond({**body, "model": name})


@pytest.mark.parametrize(
    ("model", "hint"),
    [
        ("honset", "unknown model 'honset': did you mean 'honest'?"),
        ("honest+lat", "unknown model 'honest+lat': did you mean 'honest+late'?"),
        ("honest+", "unknown model 'honest+'"),
        ("leak", "start the server with --truth FILE"),
        ("gpt", "unknown model 'gpt': "),
    ],
)
def test_an_unknown_model_is_refused_with_a_hint(model: str, hint: str) -> None:
    fake = FakeModel()
    assert model not in fake.models
    with pytest.raises(RefusedRequestError, match=re.escape(hint)) as error:
        fake.respond(_body(model=model))
    assert (error.value.status, error.value.code) == (404, "model_not_found")
    assert fake.outcomes == {"refused": 1}


def test_tokens_are_counted_and_their_number_is_heeded() -> None:
    fake = FakeModel("refuse")
    whole = _reply(fake.respond(_body("12345678")))
    used = whole["usage"]
    text = whole["choices"][0]["message"]["content"]
    assert used["prompt_tokens"] == 2
    assert used["completion_tokens"] == tokens(text) == (len(text) + 3) // 4
    assert used["total_tokens"] == used["prompt_tokens"] + used["completion_tokens"]
    for name in ("max_tokens", "max_completion_tokens"):
        short = _reply(fake.respond({**_body(), name: 2}))["choices"][0]
        assert short["finish_reason"] == "length"
        assert len(short["message"]["content"]) == 8
    wild = [_text(FakeModel("garbage", seed=n).respond(_body(max_tokens=1))) for n in range(9)]
    assert max(map(len, wild)) > 4


def test_requests_are_kept_only_where_that_is_asked_for() -> None:
    fake, keeping = FakeModel(), FakeModel(keep=True)
    for one in (fake, keeping):
        one.respond(_body("a"))
        with pytest.raises(RefusedRequestError):
            one.respond(_body("b", model="x"))
    assert fake.bodies == []
    assert [body["messages"][0]["content"] for body in keeping.bodies] == ["a", "b"]


def test_structured_output_can_be_missing() -> None:
    fake = FakeModel(structured=False)
    for kind in ("json_object", "json_schema"):
        with pytest.raises(RefusedRequestError, match="response_format") as error:
            fake.respond(_body(response_format={"type": kind}))
        assert error.value.status == 400
    assert fake.respond(_body(response_format={"type": "text"})).status == 200


# ---------------------------------------------------------------- what can't be


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"script": "honset"}, "unknown script 'honset': did you mean 'honest'"),
        ({"script": "leak"}, "the script leak needs a truth"),
        ({"faults": {"lat": 0.1}}, "unknown fault 'lat': did you mean 'late'"),
        ({"faults": {"late": 1.5}}, "the share of the fault late is 1.5, not between 0 and 1"),
        ({"faults": {"late": float("nan")}}, "the share of the fault late is nan"),
        ({"faults": {"late": 0.6, "429": 0.6}}, "add up to 1.2, more than 1"),
        ({"truth": {"https://x.example/": "Depth"}}, "a list of sentences for each URL"),
        ({"latency": -1.0}, "0 or more"),
        ({"late_seconds": float("inf")}, "0 or more"),
    ],
)
def test_a_configuration_that_cant_be_is_refused(options: Mapping[str, Any], message: str) -> None:
    with pytest.raises(WorldgenError, match=message):
        FakeModel(**options)


def test_shares_are_read_from_the_command_line() -> None:
    assert parse_shares(["late=0.1", "429=.2"]) == {"late": 0.1, "429": 0.2}
    check_shares(dict.fromkeys(FAULTS, 0.125))
    for odd in ("late", "late=", "late=x", "=", ""):
        with pytest.raises(ConfigurationError, match="NAME=SHARE"):
            parse_shares([odd])
    with pytest.raises(ConfigurationError, match="stands there twice"):
        parse_shares(["late=0.1", "late=0.2"])
    with pytest.raises(UnknownNameError):
        FakeModel(faults=parse_shares(["=0.5"]))
