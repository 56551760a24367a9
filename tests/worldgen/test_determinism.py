from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from worldgen.library import domains

SCRIPT = Path(__file__).with_name("remake_golden.py")
GOLDEN = Path(__file__).with_name("golden.json")


def digests(hash_seed: str, folder: Path) -> dict[str, str]:
    """The digests of a process of its own, in which sets have an order of their own."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    printed = subprocess.run(
        [sys.executable, str(SCRIPT), "--print"],
        env=environment,
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found: dict[str, str] = json.loads(printed)
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    folder = tmp_path_factory.mktemp("elsewhere")
    return [digests(hash_seed, folder) for hash_seed in ("1", "2")]


def test_two_processes_build_the_same_worlds(built: list[dict[str, str]]) -> None:
    one, other = built
    assert sorted(one) == list(domains())
    assert one == other
    assert len(set(one.values())) == len(one)


# A digest that changes means that a seed gives another world than before: such a change needs a
# new version of the blueprint, or of worldgen where it comes from the code. Then run
# `python tests/worldgen/remake_golden.py`.
def test_worlds_are_those_of_the_golden_file(built: list[dict[str, str]]) -> None:
    assert built[0] == json.loads(GOLDEN.read_text(encoding="utf-8"))
