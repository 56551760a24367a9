"""The first step: what the model under test expects the environment to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_sim.awb.asking import Calls, ask_all
from search_sim.awb.results import Journal, Prediction
from search_sim.awb.rows import Bench, Key, Row
from search_sim.awb.runs import PREDICTIONS, held, start
from search_sim.awb.verdicts import encodable
from worldgen.errors import LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Message, Reply, Request
from worldgen.lm.thinking import last_tagged, strip_thinking

TAG = "predicted_observation"


async def infer(
    bench: Bench,
    folder: Path,
    model: LanguageModel,
    calls: Calls,
    done: Callable[[Prediction], None] = lambda _: None,
) -> list[Prediction]:
    """Ask a model about rows, those aside that an earlier run into the folder has predictions for.

    Args:
        bench: the rows.
        folder: where predictions are written down, made if missing.
        model: the model under test.
        calls: how it is asked.
        done: called with the result of each row, those of an earlier run first.

    Returns:
        What became of each row, in their order.

    Raises:
        ConfigurationError: the folder can't be used, or holds another run.
        LanguageModelError: the server can't be reached, or turns requests away.
    """
    with held(folder):
        start(folder, bench, {"model": model.name, **calls.configuration()})
        with Journal(folder / PREDICTIONS, Prediction) as journal:
            question = Predicting(model, calls, journal.found)
            return await ask_all(question, bench.rows, journal, calls.concurrency, done)


def request_of(row: Row, calls: Calls, tries: int = 0) -> Request:
    """What a model is asked about a row that has been tried so many times."""
    messages = [Message("system", row.system_str)] if row.system_str else []
    for action, observation in row.history:
        messages += [Message("user", action), Message("assistant", observation)]
    messages.append(Message("user", row.action))
    return Request(tuple(messages), calls.sampling, seed=calls.seed_of(row.key, tries))


def predicted(text: str) -> str:
    """The observation in a reply: what the last tag holds, or without one all that is said."""
    tagged = last_tagged(text, TAG)
    return (strip_thinking(text) if tagged is None else tagged).strip()


@dataclass(frozen=True)
class Predicting:
    """The question that the model under test is asked; `earlier` is what rows got before."""

    model: LanguageModel
    calls: Calls
    earlier: Mapping[Key, Prediction]

    async def ask(self, row: Row) -> Prediction:
        """Ask for a row's observation; a reply without one is a failure."""
        request = request_of(row, self.calls, self._tries(row))
        reply = await self.model.complete(request, self.calls.timeout)
        found = predicted(reply.text)
        told = {} if found else _nothing(reply)
        return self._made(
            row,
            prediction=found,
            reply=reply.text,
            finish=reply.finish,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            **told,
        )

    def failed(self, row: Row, error: LanguageModelError) -> Prediction:
        """A row without a reply."""
        return self._made(row, failure=error.kind, message=encodable(str(error)))

    def _tries(self, row: Row) -> int:
        before = self.earlier.get(row.key)
        return before.tries if before else 0

    def _made(self, row: Row, **parts: Any) -> Prediction:
        names: dict[str, Any] = {"task": row.task, "id": row.id, "turn_idx": row.turn_idx}
        return Prediction(**names, tries=self._tries(row) + 1, **parts)


def _nothing(reply: Reply) -> dict[str, str]:
    """Why a reply that came holds no prediction."""
    if reply.finish == "length":
        message = f"no prediction within {reply.completion_tokens} tokens"
        return {"failure": "cut off", "message": message}
    return {"failure": "empty", "message": "the reply holds no prediction"}
