"""Each example, run as a reader would run it: by its path, from a folder of one's own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "examples"
NAMES = sorted(path.name for path in FOLDER.glob("*.py"))


def run(folder: Path, name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER / name), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def output(folder: Path, name: str, *arguments: str | Path) -> str:
    done = run(folder, name, *arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What the blueprint example printed, and the world that it wrote."""
    folder = tmp_path_factory.mktemp("own")
    printed = output(folder, "own_blueprint.py", "--out", "made")
    (world,) = (folder / "made").glob("*.world")
    return printed, world


@pytest.mark.parametrize("name", NAMES)
def test_each_example_has_help(name: str, tmp_path: Path) -> None:
    assert output(tmp_path, name, "--help").startswith(f"usage: {name}")


def test_own_blueprint_makes_a_world_of_the_right_size(own: tuple[str, Path]) -> None:
    printed, _ = own
    rows = re.search(r"^rows +(\d+):", printed, re.MULTILINE)
    tasks = re.search(r"^tasks +(\d+), all of them certified", printed, re.MULTILINE)
    assert rows
    assert tasks
    assert 300 <= int(rows[1]) <= 500
    assert int(tasks[1]) >= 6
    assert len(re.findall(r"^\[\w+\] ", printed, re.MULTILINE)) == int(tasks[1])


def test_query_world_gets_the_answer_from_sqlite(own: tuple[str, Path], tmp_path: Path) -> None:
    printed = output(tmp_path, "query_world.py", own[1], "--task", "6")
    assert "  orchard (id, name, valley_id, soil, " in printed
    assert "\nTask 6 of 8: This is about the cider orchards" in printed
    assert 'SELECT "b"."name" AS ' in printed
    assert re.search(r"\n\d+ rows, the answer that the task keeps\n$", printed)


def test_query_world_takes_the_demo_s_first_world(own: tuple[str, Path], tmp_path: Path) -> None:
    missing = run(tmp_path, "query_world.py")
    assert missing.returncode == 1
    assert "`make demo` makes some" in missing.stderr
    worlds = tmp_path / "demo-out" / "worlds"
    worlds.mkdir(parents=True)
    (worlds / own[1].name).write_bytes(own[1].read_bytes())
    assert "the answer that the task keeps" in output(tmp_path, "query_world.py")


def test_rollout_shows_observations_and_the_score(tmp_path: Path) -> None:
    printed = output(tmp_path, "rollout.py", "--out", "runs/toy.jsonl")
    assert printed.startswith("This is about the ferry services ")
    assert "\n1. web_search: " in printed
    assert "\n2. web_extractor: https://" in printed
    assert "   Snippet: " in printed
    assert re.search(r"^\d+ searches, \d+ extractions, policy reach$", printed, re.MULTILINE)
    shown = re.search(r"^item F1 (\d\.\d{3}), ", printed, re.MULTILINE)
    (line,) = (tmp_path / "runs" / "toy.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(line)
    assert shown
    assert shown[1] == f"{record['score']['item_f1']:.3f}"
    assert record["score"]["item_f1"] > 0
    assert [turn["tool"] for turn in record["turns"][:2]] == ["web_search", "web_extractor"]
    assert record["turns"][-1]["tool"] == "answer"


def test_rollout_opens_a_world_and_stops_after_its_calls(
    own: tuple[str, Path], tmp_path: Path
) -> None:
    options = ("--world", own[1], "--task", "2", "--policy", "tease", "--calls", "3")
    printed = output(tmp_path, "rollout.py", *options)
    assert "\n3. web_search: " in printed
    assert "\n4. " not in printed
    assert "There was no answer." in printed
    assert "item F1 0.000" in printed


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("rollout.py", ("--world", "nowhere.world"), "error: nowhere.world: no such file"),
        ("own_blueprint.py", ("--blueprint", "nowhere.toml"), "error: [Errno 2] No such file"),
        ("own_blueprint.py", ("--blueprint", "empty.toml"), "error: blueprint 'empty.toml': "),
        ("query_world.py", ("empty.toml",), "error: empty.toml can't be read as a world"),
    ],
)
def test_wrong_input_is_one_clear_line(
    name: str, arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    (tmp_path / "empty.toml").write_bytes(b"")
    done = run(tmp_path, name, *arguments)
    assert done.returncode == 1
    assert done.stderr.startswith(words)
    assert done.stderr.count("\n") == 1
