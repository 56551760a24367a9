from __future__ import annotations

import pytest
from audit_support import Opened, open_world

from worldgen.library import domains


@pytest.fixture(scope="session", params=domains())
def opened(request: pytest.FixtureRequest) -> Opened:
    return open_world(request.param)


@pytest.fixture(scope="session")
def twin(opened: Opened) -> Opened:
    return open_world(opened.world.blueprint.id, redraw=1)
