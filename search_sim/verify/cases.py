"""Cases: the settings of an episode and a script of actions, drawn from a world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from pydantic import BaseModel, ConfigDict

from search_sim.controls import Controls
from search_sim.episode import Episode
from search_sim.guard import POLICIES, Policy
from search_sim.open_world import OpenWorld
from search_sim.verify.actions import Action
from search_sim.verify.moves import CLOSING, MIDDLE, OPENING, Stage
from worldgen.canonical import digest
from worldgen.errors import ConfigurationError
from worldgen.seeds import child_seed, generator

SHORTEST, LONGEST = 14, 40
"""Actions of a case."""

CONTROLS: Mapping[str, Sequence[int]] = {
    "results": range(1, 21),
    "extract_length": (200, 300, 500, 1_000, 20_000),
}
"""The values that each control is drawn from."""


class Case(BaseModel):
    """One episode that is to be played.

    Attributes:
        number: its place among the cases of a run, from 0.
        actions: what the agent does, in order.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int
    world_id: str
    task_id: str
    policy: Policy
    seed: int
    controls: Controls
    actions: tuple[Action, ...]

    @property
    def digest(self) -> str:
        """The digest of all of it, in hex."""
        return digest(self.model_dump(mode="json"), 16)

    def episode(self, world: OpenWorld) -> Episode:
        """A fresh episode under its settings, which the template renders."""
        task = world.task(self.task_id)
        return Episode(world, task, self.policy, self.seed, self.controls)


def make_case(world: OpenWorld, seed: int, number: int) -> Case:
    """The case of that number: the same for the same world and seed.

    Of every four numbers each has another policy.

    Raises:
        ConfigurationError: the world has no task.
    """
    rng = generator(seed, "verify-lwm", world.world.id, number)
    settings = Case(
        number=number,
        world_id=world.world.id,
        task_id=_some_task(world, rng),
        policy=_policy(seed, number),
        seed=child_seed(seed, "verify-lwm", "episode", world.world.id, number) >> 11,
        controls=Controls.model_validate({k: rng.choice(v) for k, v in CONTROLS.items()}),
        actions=(),
    )
    stage = Stage(world, settings.episode(world), rng, rng.randint(SHORTEST, LONGEST))
    _script(stage)
    return settings.model_copy(update={"actions": tuple(stage.actions)})


def _policy(seed: int, number: int) -> Policy:
    """Policies take turns, in an order that is drawn anew for each turn of all of them."""
    turn, place = divmod(number, len(POLICIES))
    rng = generator(seed, "verify-lwm", "policies", turn)
    return rng.sample(POLICIES, len(POLICIES))[place]


def _some_task(world: OpenWorld, rng: Random) -> str:
    if not world.tasks:
        message = f"{world.world.id} has no tasks, so no episode can be started in it"
        raise ConfigurationError(message)
    return rng.choice(sorted(world.tasks))


def _script(stage: Stage) -> None:
    """Opening, then moves by weight until there is room for the closing alone, then that."""
    whole = stage.length
    stage.length = whole - len(CLOSING)
    for move in OPENING:
        move(stage)
    moves, weights = zip(*MIDDLE, strict=True)
    while stage.room > 0:
        stage.rng.choices(moves, weights)[0](stage)
    stage.length = whole
    for move in CLOSING:
        move(stage)
