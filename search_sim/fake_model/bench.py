"""Prompts that ask for no page of results: another environment's next observation, or a verdict."""

from __future__ import annotations

import json

from search_sim.fake_model.job import Job, Said
from search_sim.fake_model.writing import say_tagged
from search_sim.prompts.prompt import TAG

VERDICT = "final_evaluation"
DIMENSIONS = ("format", "factuality", "consistency", "realism", "quality")
LOWEST, HIGHEST = 1, 5

_OBSERVATIONS = (
    "The command finished without output.",
    "Done. 1 item was changed.",
    "The page has loaded.",
    "No such file or directory.",
    "OK",
)
_STRENGTHS = ("It keeps to the format.", "It follows from the turns before.", "It is specific.")
_WEAKNESSES = ("It leaves out details.", "Some of it can't be traced.", "It is longer than needed.")


def reply_elsewhere(job: Job) -> Said:
    """A verdict where the last message asks for one; if not, a short observation."""
    asked = job.messages[-1].content
    if f"<{VERDICT}>" in asked:
        return _judge(job)
    text = job.rng.choice(_OBSERVATIONS)
    if job.structured:
        return Said(json.dumps({TAG: text}))
    return say_tagged(job, text)


def _judge(job: Job) -> Said:
    verdict = {
        "scores": {name: job.rng.randint(LOWEST, HIGHEST) for name in DIMENSIONS},
        "strengths": [job.rng.choice(_STRENGTHS)],
        "weaknesses": [job.rng.choice(_WEAKNESSES)],
    }
    if job.structured:
        return Said(json.dumps(verdict))
    return say_tagged(job, f"```json\n{json.dumps(verdict, indent=2)}\n```", VERDICT)
