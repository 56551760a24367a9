from __future__ import annotations

import pytest

from search_sim.open_world import OpenWorld
from search_sim.verify.worlds import InMemory, build_worlds

SEED = 11


@pytest.fixture(scope="session")
def worlds() -> InMemory:
    return build_worlds(SEED)


@pytest.fixture(scope="session")
def islands(worlds: InMemory) -> OpenWorld:
    return next(w for w in worlds.by_id.values() if w.world.blueprint.id == "island-ferries")
