"""vLLM as an engine: the one module that knows its names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.records import Reply, Request


class VllmEngine:
    """`vllm.LLM`, asked for whole batches of chats."""

    def __init__(self, model: str, **options: Any) -> None:
        """Load a model.

        Args:
            model: its name or folder.
            options: further arguments of `vllm.LLM`.

        Raises:
            ConfigurationError: vLLM isn't installed, or can't load the model.
        """
        try:
            import vllm
            from vllm.sampling_params import StructuredOutputsParams

            self._sampling, self._structured = vllm.SamplingParams, StructuredOutputsParams
            load = vllm.LLM
        except Exception as error:
            # A broken installation fails in other ways than an ImportError.
            message = f"vLLM can't be imported ({_line(error)}); install worldgen[vllm]"
            raise ConfigurationError(message) from error
        try:
            self._llm = load(model=model, **options)
        except Exception as error:
            message = f"vLLM can't load {model!r}: {_line(error)}"
            raise ConfigurationError(message) from error
        self._refusals = _refusals()

    def chat(self, requests: Sequence[Request]) -> list[Reply]:
        """The replies, in the order of the requests.

        A call takes one setting of thinking, so requests that differ in it go into several.

        Raises:
            LanguageModelError: `refused`: a prompt is too long, say, or a schema can't be kept.
        """
        places: dict[bool | None, list[int]] = {}
        for place, request in enumerate(requests):
            places.setdefault(request.sampling.thinking, []).append(place)
        replies: dict[int, Reply] = {}
        try:
            for thinking, group in places.items():
                some = self._chat([requests[place] for place in group], thinking)
                replies.update(zip(group, some, strict=True))
        except self._refusals as error:
            fault = LanguageModelError("refused", _line(error))
            raise fault from error
        return [replies[place] for place in range(len(requests))]

    def _chat(self, requests: Sequence[Request], thinking: bool | None) -> list[Reply]:
        outputs = self._llm.chat(
            [[message._asdict() for message in request.messages] for request in requests],
            sampling_params=[self._params(request) for request in requests],
            use_tqdm=False,
            chat_template_kwargs=None if thinking is None else {"enable_thinking": thinking},
        )
        return [_reply(output) for output in outputs]

    def _params(self, request: Request) -> Any:
        sampling, schema = request.sampling, request.schema
        return self._sampling(
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k or 0,
            max_tokens=sampling.max_tokens,
            seed=request.seed,
            structured_outputs=None if schema is None else self._structured(json=schema),
        )


def _reply(output: Any) -> Reply:
    said = output.outputs[0]
    return Reply(
        text=said.text,
        finish=said.finish_reason or "stop",
        prompt_tokens=len(output.prompt_token_ids or ()),
        completion_tokens=len(said.token_ids),
    )


def _refusals() -> tuple[type[Exception], ...]:
    """The errors by which vLLM says that a request is at fault."""
    try:
        from vllm.exceptions import VLLMClientError
    except ImportError:
        return (ValueError,)
    return (ValueError, VLLMClientError)


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
