"""Checks: functions that look at a case that was played and say what they saw.

A check says something of everything that it looks at, also where nothing is wrong: a check that
had nothing to look at has not held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from search_sim.verify.play import Played

Axis = Literal["controllability", "consistency"]


class Seen(NamedTuple):
    """One thing that a check looked at.

    Attributes:
        turn: the number of the action, from 1.
        problem: what is wrong with it, in a line; empty where it is as it should be.
    """

    turn: int
    problem: str = ""


Check = Callable[[Played], Iterator[Seen]]


def check_name(check: Check) -> str:
    """The name of a check in reports."""
    return check.__name__.replace("_", " ")


def first_of(problems: Iterable[str]) -> str:
    """The first of some problems; empty if there is none."""
    return next(iter(problems), "")
