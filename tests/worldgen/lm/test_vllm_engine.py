"""Our adapter against a stand-in for vLLM: the names that it uses, and how it uses them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from lm_support import ask

from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.in_process import VllmModel
from worldgen.lm.records import Message, Reply, Request, Sampling
from worldgen.lm.vllm_engine import VllmEngine


@dataclass(frozen=True)
class _StructuredOutputsParams:
    json: dict[str, Any]


class _ClientError(Exception):
    pass


@dataclass
class _LLM:
    model: str
    max_model_len: int = 0
    calls: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.model == "nowhere":
            message = "no such folder:\nnowhere"
            raise OSError(message)

    def chat(self, messages: list[list[dict[str, str]]], **options: Any) -> list[Any]:
        self.calls.append({"messages": messages, **options})
        if any(len(chat[-1]["content"]) > 20 for chat in messages):
            message = "longer than the maximum model length"
            raise _ClientError(message)
        return [
            SimpleNamespace(
                prompt_token_ids=[1, 2, 3],
                outputs=[
                    SimpleNamespace(
                        text=f"{chat[-1]['content']}!", finish_reason=None, token_ids=[1]
                    )
                ],
            )
            for chat in messages
        ]


@pytest.fixture
def vllm(monkeypatch: pytest.MonkeyPatch) -> None:
    top, sampling, exceptions = (
        ModuleType(name) for name in ("vllm", "vllm.sampling_params", "vllm.exceptions")
    )
    vars(top).update(LLM=_LLM, SamplingParams=lambda **given: given)
    vars(sampling).update(StructuredOutputsParams=_StructuredOutputsParams)
    vars(exceptions).update(VLLMClientError=_ClientError)
    for module in (top, sampling, exceptions):
        monkeypatch.setitem(sys.modules, module.__name__, module)


def _calls(engine: VllmEngine) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = engine._llm.calls
    return calls


@pytest.mark.usefixtures("vllm")
def test_a_batch_is_one_call_with_parameters_for_each_request() -> None:
    engine = VllmEngine("m", max_model_len=4096)
    chat = (Message("system", "be brief"), Message("user", "a"))
    strict = Request(chat, Sampling(top_k=None, max_tokens=None), {"type": "object"}, 0)
    assert engine.chat([strict, ask("b")]) == [Reply("a!", "stop", 3, 1), Reply("b!", "stop", 3, 1)]
    (call,) = _calls(engine)
    assert call["messages"][0] == [message._asdict() for message in chat]
    assert call["use_tqdm"] is False
    assert call["chat_template_kwargs"] is None
    plain = {"temperature": 0.6, "top_p": 0.95, "top_k": 20, "max_tokens": 32_768, "seed": None}
    first, second = call["sampling_params"]
    assert second == {**plain, "structured_outputs": None}
    held = _StructuredOutputsParams({"type": "object"})
    changed = {"top_k": 0, "max_tokens": None, "seed": 0, "structured_outputs": held}
    assert first == {**plain, **changed}
    assert engine._llm.max_model_len == 4096


@pytest.mark.usefixtures("vllm")
def test_requests_that_differ_in_thinking_go_into_several_calls_and_come_back_in_order() -> None:
    engine = VllmEngine("m")
    wanted = (True, None, False, True)
    replies = engine.chat(
        [ask(str(n), sampling=Sampling(thinking=on)) for n, on in enumerate(wanted)]
    )
    assert [reply.text for reply in replies] == ["0!", "1!", "2!", "3!"]
    kwargs = [call["chat_template_kwargs"] for call in _calls(engine)]
    assert kwargs == [{"enable_thinking": True}, None, {"enable_thinking": False}]


@pytest.mark.usefixtures("vllm")
def test_a_request_at_fault_is_refused() -> None:
    with pytest.raises(LanguageModelError, match="longer than the maximum") as caught:
        VllmEngine("m").chat([ask("x" * 21)])
    assert caught.value.kind == "refused"


@pytest.mark.usefixtures("vllm")
def test_an_older_vllm_says_so_by_a_value_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm.exceptions", None)
    monkeypatch.setattr(_LLM, "chat", lambda *_, **__: int("x"))
    with pytest.raises(LanguageModelError) as caught:
        VllmEngine("m").chat([ask()])
    assert caught.value.kind == "refused"


@pytest.mark.usefixtures("vllm")
def test_a_model_that_can_not_be_loaded_is_one_line() -> None:
    with pytest.raises(ConfigurationError) as caught:
        VllmModel("nowhere")
    assert str(caught.value) == "vLLM can't load 'nowhere': OSError: no such folder: nowhere"


def test_a_missing_vllm_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(ConfigurationError, match=r"install worldgen\[vllm\]"):
        VllmModel("any")
