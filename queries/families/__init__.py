"""Plan families: each proposes plans of one kind, drawn from a scene."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from queries.families import absent, filtered, grouped, linked, parent, top, yearly
from queries.plan import Plan
from queries.scene import Scene

Family = Callable[[Scene, Random], Plan | None]
"""Draws a plan; None where the world has nothing that the draw could ask about."""

FAMILIES: dict[str, Family] = {
    "filtered": filtered.propose,
    "top": top.propose,
    "parent": parent.propose,
    "linked": linked.propose,
    "absent": absent.propose,
    "grouped": grouped.propose,
    "yearly": yearly.propose_year,
    "change": yearly.propose_change,
}
"""The families by name, in the order in which they take turns."""
