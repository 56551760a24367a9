from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from search_sim.build import build_world
from search_sim.folder import certify_folder, export, read_tasks, world_paths
from search_sim.generate import Batch, Done, generate
from search_sim.manifest import MANIFEST
from worldgen.errors import ConfigurationError, GenerationError, UnknownNameError
from worldgen.identity import world_seed
from worldgen.library import domain

BATCH = Batch(count=2, seed=5, tasks=4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("worlds")
    generate(BATCH, found, workers=1)
    return found


def _manifest(folder: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return record


def _in_a_process(folder: Path, hash_seed: str, workers: int) -> bytes:
    command = [sys.executable, "-m", "search_sim", "generate", "--out", str(folder)]
    command += ["--count", "2", "--seed", "5", "--tasks", "4", "--workers", str(workers)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    subprocess.run(command, check=True, env=environment, capture_output=True)
    return (folder / MANIFEST).read_bytes()


def test_hash_seeds_workers_and_second_runs_give_the_same_bytes(
    folder: Path, tmp_path: Path
) -> None:
    expected = (folder / MANIFEST).read_bytes()
    assert _in_a_process(tmp_path / "a", "1", workers=1) == expected
    assert _in_a_process(tmp_path / "a", "2", workers=2) == expected
    ours = {path.name: path.read_bytes() for path in world_paths(folder)}
    assert {path.name: path.read_bytes() for path in world_paths(tmp_path / "a")} == ours


def test_the_manifest_tells_what_was_made(folder: Path) -> None:
    manifest = _manifest(folder)
    assert manifest["complete"]
    assert [w["domain"] for w in manifest["worlds"]] == ["company-intranet", "island-ferries"]
    for world in manifest["worlds"]:
        assert (folder / world["file"]).is_file()
        assert 300 <= world["rows"] <= 500
        assert world["tasks"]["accepted"] == 4
        assert world["tasks"]["sampled"] == 4 + world["tasks"]["rejected"]
        assert sum(world["tasks"]["reasons"].values()) == world["tasks"]["rejected"]
        assert sum(world["tasks"]["families"].values()) == 4
    assert set(json.loads((folder / "timings.json").read_text())) == {
        w["id"] for w in manifest["worlds"]
    }


def test_rows_and_answers_check_out_in_plain_sqlite(folder: Path, tmp_path: Path) -> None:
    count = export(folder, tmp_path / "tasks.jsonl", "jsonl")
    lines = (tmp_path / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    assert count == len(lines) == 8
    for line in lines:
        task = json.loads(line)
        connection = sqlite3.connect(folder / f"{task['world_id']}.world")
        cursor = connection.execute(task["sql"])
        assert [name for name, *_ in cursor.description] == task["columns"]
        assert [list(row) for row in cursor.fetchall()] == task["rows"]
        assert set(task["key_columns"]) <= set(task["columns"])
        connection.close()


def test_the_rows_of_the_worlds_own_tables_are_those_of_the_manifest(folder: Path) -> None:
    for entry in _manifest(folder)["worlds"]:
        connection = sqlite3.connect(folder / entry["file"])
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        names = [name for (name,) in connection.execute(query) if not name.startswith("_")]
        counts = [connection.execute(f'SELECT COUNT(*) FROM "{n}"').fetchone()[0] for n in names]  # noqa: S608
        assert sum(counts) == entry["rows"]
        connection.close()


def test_certifying_again_finds_the_same(folder: Path) -> None:
    verdicts = certify_folder(folder)
    assert len(verdicts) == 8
    assert not any(verdict.problems for verdict in verdicts)


def test_a_wrong_answer_is_not_certified(folder: Path, tmp_path: Path) -> None:
    from search_sim.folder import certify_file
    from worldgen.worldfile import read_world, write_world

    file = read_world(world_paths(folder)[0])
    task_id = min(file.sections["tasks"])
    file.sections["tasks"][task_id]["answer"]["rows"][0][-1] = 123456789
    write_world(tmp_path / "wrong.world", file)
    problems = {v.task.task_id: v.problems for v in certify_file(tmp_path / "wrong.world")}
    assert "its SQL gives another answer" in problems.pop(task_id)
    assert not any(problems.values())


def test_another_configuration_is_refused_with_what_changed(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"another configuration \(seed 5 there, 6 here\)"):
        generate(Batch(count=2, seed=6, tasks=4), folder)


def test_resuming_keeps_whole_worlds_and_makes_the_others(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "resumed"
    shutil.copytree(folder, out)
    whole, broken = world_paths(out)
    broken.write_bytes(broken.read_bytes()[:1000])
    before = whole.stat().st_mtime_ns
    done: list[Done] = []
    generate(BATCH, out, done=done.append, resume=True)
    assert whole.stat().st_mtime_ns == before
    assert len(done) == 2
    for path in world_paths(folder):
        assert (out / path.name).read_bytes() == path.read_bytes()
    assert (out / MANIFEST).read_bytes() == (folder / MANIFEST).read_bytes()


def test_a_run_killed_with_two_workers_is_resumed_to_the_same(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "killed"
    command = [sys.executable, "-m", "search_sim", "generate", "--out", str(out), "--count", "2"]
    command += ["--seed", "5", "--tasks", "4", "--workers", "2"]
    run = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
    while not any(out.glob("*.world")) and run.poll() is None:
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert all(read_tasks(path) for path in out.glob("*.world"))
    finished = subprocess.run([*command, "--resume"], check=True, capture_output=True, text=True)
    assert "2 worlds, 8 tasks" in finished.stdout
    assert (out / MANIFEST).read_bytes() == (folder / MANIFEST).read_bytes()


def test_worlds_without_a_manifest_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "theirs.world").write_bytes(b"x")
    with pytest.raises(ConfigurationError, match="without a manifest"):
        generate(BATCH, tmp_path)


def test_an_unknown_domain_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'island-ferries'"):
        generate(Batch(1, 1, ("island-ferry",)), tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_crash_leaves_no_half_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def crashing(*args: Any) -> None:
        calls.append(args)
        if len(calls) == 100:
            message = "the disk is full"
            raise OSError(message)
        original(*args)

    from worldgen.worldfile import write

    original = write._write_page
    monkeypatch.setattr(write, "_write_page", crashing)
    with pytest.raises(OSError, match="disk is full"):
        generate(BATCH, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST]
    assert not _manifest(tmp_path)["complete"]


def test_a_killed_run_leaves_no_half_world_and_can_be_run_again(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "killed"
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from worldgen.worldfile import write\n"
        "original, calls = write._write_page, []\n"
        "def killing(*args):\n"
        "    calls.append(1)\n"
        "    os._exit(9) if len(calls) == 700 else original(*args)\n"
        "write._write_page = killing\n"
        "from search_sim.generate import Batch, generate\n"
        f"generate(Batch(count=2, seed=5, tasks=4), Path({str(out)!r}))\n"
    )
    run = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True)
    assert run.returncode == 9
    assert all(read_tasks(path) for path in out.glob("*.world"))
    assert any(path.name.endswith(".tmp") for path in out.iterdir())
    generate(BATCH, out)
    assert (out / MANIFEST).read_bytes() == (folder / MANIFEST).read_bytes()
    assert not any(path.name.endswith(".tmp") for path in out.iterdir())


def test_too_many_tasks_are_refused_with_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search_sim.build.MOST_ROUNDS", 1)
    with pytest.raises(GenerationError, match=r"only \d+ of 50 tasks"):
        build_world(domain("island-ferries"), 5, 50)


def test_batches_of_neighbouring_seeds_share_no_world(tmp_path: Path) -> None:
    seeds = {world_seed(root, index) for root in range(40) for index in range(40)}
    assert len(seeds) == 1600
    assert max(seeds) < 2**53


def test_a_blueprint_of_ones_own_is_generated_from_its_file(tmp_path: Path) -> None:
    own = Path(__file__).parents[2] / "examples" / "own_blueprint.toml"
    manifest = generate(Batch(1, 2, (str(own),), 4), tmp_path)
    (world,) = manifest["worlds"]
    assert manifest["configuration"]["order"] == [world["domain"]] == [domain(str(own)).id]
    assert world["tasks"]["accepted"] == 4
    assert not any(verdict.problems for verdict in certify_folder(tmp_path))
