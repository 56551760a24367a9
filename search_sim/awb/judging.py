"""The second step: a judge grades each prediction against what really came."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from search_sim.awb.asking import Calls, ask_all
from search_sim.awb.judge_prompts import JudgePrompts
from search_sim.awb.results import Journal, Judgement, Prediction, read_results
from search_sim.awb.rows import Key, Row
from search_sim.awb.runs import JUDGEMENTS, PREDICTIONS, held, read_run_rows, start_judging
from search_sim.awb.verdicts import Unreadable, encodable, read_verdict
from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.model import LanguageModel
from worldgen.lm.records import Reply, Request, Sampling

TRIES = 3
"""Replies that a judge gives in one run, if they can't be read; each is drawn with another seed."""

SAMPLING = Sampling(temperature=0.6, top_p=1.0, top_k=None)
"""How judges are asked unless told otherwise; hosted ones refuse a `top_k`."""


async def judge(
    folder: Path,
    model: LanguageModel,
    prompts: JudgePrompts,
    calls: Calls,
    done: Callable[[Judgement], None] = lambda _: None,
) -> list[Judgement]:
    """Have a run's predictions graded, those aside that an earlier call had graded.

    Args:
        folder: the run's.
        model: the judge.
        prompts: what it is told.
        calls: how it is asked.
        done: called with each judgement, those of the earlier call first.

    Returns:
        The judgement of each row that has a prediction, in the order of rows.

    Raises:
        ConfigurationError: there is no run in the folder, or another judge's, or no prediction.
        LanguageModelError: the server can't be reached, or turns requests away.
    """
    rows = read_run_rows(folder)
    predictions = predictions_of(folder)
    rows = tuple(row for row in rows if row.key in predictions)
    with held(folder):
        start_judging(
            folder, {"judge": model.name, **prompts.configuration(), **calls.configuration()}
        )
        with Journal(folder / JUDGEMENTS, Judgement) as journal:
            for stale in [one for one in journal.found.values() if not is_of(one, predictions)]:
                del journal.found[stale.key]
            question = Grading(model, calls, prompts, predictions, journal.found)
            return await ask_all(question, rows, journal, calls.concurrency, done)


def predictions_of(folder: Path) -> dict[Key, Prediction]:
    """The predictions of a run, failures left out.

    Raises:
        ConfigurationError: there are none.
    """
    found = read_results(folder / PREDICTIONS, Prediction)
    kept = {key: one for key, one in found.items() if one.failure is None}
    if not kept:
        message = f"{folder} holds no predictions; run `worldgen awb infer` into it again"
        raise ConfigurationError(message)
    return kept


def is_of(judgement: Judgement, predictions: Mapping[Key, Prediction]) -> bool:
    """Whether a judgement is of the prediction that its row has now."""
    prediction = predictions.get(judgement.key)
    return prediction is not None and prediction.digest() == judgement.prediction_digest


@dataclass(frozen=True)
class Grading:
    """The question that the judge is asked; `earlier` is what rows got before."""

    model: LanguageModel
    calls: Calls
    prompts: JudgePrompts
    predictions: Mapping[Key, Prediction]
    earlier: Mapping[Key, Judgement]

    async def ask(self, row: Row) -> Judgement:
        """Ask for a prediction's grades, again if they can't be read."""
        messages = self.prompts.messages(row, self.predictions[row.key].prediction)
        made = self._blank(row)
        for _ in range(TRIES):
            seed = self.calls.seed_of(row.key, made.tries)
            request = Request(messages, self.calls.sampling, seed=seed)
            reply = await self.model.complete(request, self.calls.timeout)
            made = _graded(made, reply)
            if made.failure is None:
                break
        return made

    def failed(self, row: Row, error: LanguageModelError) -> Judgement:
        """A prediction whose judge gave no reply."""
        blank = self._blank(row)
        told = {"failure": error.kind, "message": encodable(str(error)), "tries": blank.tries + 1}
        return blank.model_copy(update=told)

    def _blank(self, row: Row) -> Judgement:
        """What there is before a judge is asked."""
        before = self.earlier.get(row.key)
        return Judgement(
            task=row.task,
            id=row.id,
            turn_idx=row.turn_idx,
            tries=before.tries if before else 0,
            prediction_digest=self.predictions[row.key].digest(),
        )


def _graded(blank: Judgement, reply: Reply) -> Judgement:
    """What a reply makes of a judgement."""
    found = read_verdict(reply.text)
    told = {
        "reply": reply.text,
        "tries": blank.tries + 1,
        "prompt_tokens": blank.prompt_tokens + reply.prompt_tokens,
        "completion_tokens": blank.completion_tokens + reply.completion_tokens,
    }
    if isinstance(found, Unreadable):
        failure, message = found
        return blank.model_copy(update={**told, "failure": failure, "message": message})
    return blank.model_copy(update={**told, "failure": None, "message": "", **found._asdict()})
