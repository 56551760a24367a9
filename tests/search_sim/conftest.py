from __future__ import annotations

import pytest
from support import Case, make_case

from worldgen.library import domains


@pytest.fixture(scope="session", params=domains())
def case(request: pytest.FixtureRequest) -> Case:
    return make_case(request.param)


@pytest.fixture(scope="session")
def ferries() -> Case:
    return make_case("island-ferries")
