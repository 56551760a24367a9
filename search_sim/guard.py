"""The guard: what one search of an episode may state."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from search_sim.reach import Lexicon, Reached
from worldgen.errors import UnknownNameError
from worldgen.facts import Fact
from worldgen.seeds import generator

Policy = Literal["reach", "tease", "open", "mixed"]
Effective = Literal["reach", "tease", "open"]

POLICIES: tuple[Policy, ...] = get_args(Policy)
MIXTURE: dict[Effective, float] = {"tease": 0.6, "reach": 0.3, "open": 0.1}
"""How often `mixed` draws each policy."""


def check_policy(name: str) -> Policy:
    """The policy of that name.

    Raises:
        UnknownNameError: there is none.
    """
    for policy in POLICIES:
        if policy == name:
            return policy
    raise UnknownNameError(name, "policy", POLICIES)


def effective_policy(policy: Policy, seed: int) -> Effective:
    """The policy that an episode follows: `mixed` is drawn by its seed."""
    if policy == "mixed":
        rng = generator(seed, "mixed policy")
        return rng.choices(list(MIXTURE), list(MIXTURE.values()))[0]
    return policy


@dataclass
class Guard:
    """Decides, query by query, which guarded facts may be stated.

    Decisions depend on the query, the seed and what was disclosed before; never on values, on the
    answer, or on whether a fact that was reached holds.

    Attributes:
        allowance: how many facts may be disclosed over the episode.
        disclosed: what was disclosed so far. What was disclosed once may be stated again.
    """

    lexicon: Lexicon
    policy: Effective
    allowance: int
    seed: int
    disclosed: list[Reached] = field(default_factory=list)

    def disclose(self, query: str) -> frozenset[Fact]:
        """The facts that the response to a query may state: one, with what it implies, or none."""
        if self.policy != "reach":
            return frozenset()
        reached = self.lexicon.reach(query).reached
        if not reached:
            return frozenset()
        known = [candidate for candidate in reached if candidate in self.disclosed]
        if known:
            return known[0].facts
        if len(self.disclosed) >= self.allowance:
            return frozenset()
        rng = generator(self.seed, "disclosure", *(candidate.fact for candidate in reached))
        chosen = rng.choice(reached)
        self.disclosed.append(chosen)
        return chosen.facts
