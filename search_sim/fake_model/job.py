"""Jobs: one reply that a script is to write, and what it writes."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from search_sim.fake_model.chat import Page
from worldgen.lm.records import Message

Finish = Literal["stop", "length"]


@dataclass(frozen=True)
class Job:
    """One reply that is to be written.

    Attributes:
        page: what is asked for, if it is a page of results.
        structured: whether the reply must be JSON and nothing else.
        thinking: whether it may think first.
        truth: for some URLs, what is true and not to be told.
        rng: what the reply is drawn with.
    """

    messages: tuple[Message, ...]
    page: Page | None
    structured: bool
    thinking: bool
    truth: Mapping[str, Sequence[str]]
    rng: random.Random


@dataclass(frozen=True)
class Said:
    """What a script writes.

    Attributes:
        limited: whether it heeds the number of tokens that was asked for.
    """

    text: str
    finish: Finish = "stop"
    limited: bool = True


Script = Callable[[Job], Said]
"""What a model writes, under a name: a function of the job alone."""
