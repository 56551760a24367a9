"""A judge behind an OpenAI-compatible server: vLLM, SGLang, llama.cpp's, or a hosted one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from worldgen.errors import LanguageModelError
from worldgen.lm.background import background
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Message, Request, Sampling

TRIES = 3
"""Attempts for one question, with growing pauses between them."""
TIMEOUT = 120.0
"""Seconds that one attempt may take."""
_SAMPLING = Sampling(temperature=0.0, top_p=1.0, top_k=None, max_tokens=None)

_ALIGN = """\
Two lists of values follow. For each value of the first that means the same thing as a value of \
the second (another spelling, language, abbreviation or name of it), map it to that value, written \
exactly as it stands in the second list. Leave out every value that means none of them.

First list: {said}
Second list: {gold}

Answer with one JSON object in a fence that starts with ```json and nothing after it."""

_GRADE = """\
Each numbered pair below holds an answer and the value that is expected. An answer counts as right \
where it meets this criterion: {criterion}

{pairs}

Answer with one JSON object in a fence that starts with ```json, with the keys idx_0, idx_1 and so \
on for the pairs in order, and 1 for a right answer, 0 for any other."""


class OpenAIJudge:
    """Asks a chat model, at temperature 0.

    Attributes:
        failures: how many questions got no reply; each counts as the scorer counts a silent judge.
    """

    def __init__(
        self,
        url: str,
        model: str,
        key: str = "",
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Ask `model` at the server `url`, with or without `/v1`.

        Raises:
            ConfigurationError: the URL or the key can't be one.
        """
        self._model, self._pause = _model(url, model, key), pause
        self.failures = 0

    def align(self, said: Sequence[Any], gold: Sequence[Any]) -> str | None:
        """Which values of an answer mean which gold values; None if the server can't be reached."""
        return self._ask(_ALIGN.format(said=_json(said), gold=_json(gold)))

    def grade(self, criterion: Any, pairs: Sequence[tuple[Any, Any]]) -> str | None:
        """Which cells state the gold ones; None if the server can't be reached."""
        lines = [
            f"{place}. answer: {_json(said)}  expected: {_json(gold)}"
            for place, (said, gold) in enumerate(pairs)
        ]
        return self._ask(_GRADE.format(criterion=criterion, pairs="\n".join(lines)))

    def _ask(self, prompt: str) -> str | None:
        for attempt in range(TRIES):
            if attempt:
                self._pause(2.0**attempt)
            reply = self._attempt(prompt)
            if reply is not None:
                return reply
        self.failures += 1
        return None

    def _attempt(self, prompt: str) -> str | None:
        request = Request((Message("user", prompt),), _SAMPLING)
        try:
            return background().run(self._model.complete(request, TIMEOUT)).text
        except LanguageModelError:
            return None


@cache
def _model(url: str, model: str, key: str) -> LanguageModel:
    """One for the whole process: each case has a judge, and all of them share its connections."""
    # An HTTP client is loaded only where there is a judge to ask.
    from worldgen.lm.server import OpenAIServer

    return OpenAIServer(url, model, key)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
