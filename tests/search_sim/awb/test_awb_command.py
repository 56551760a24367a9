"""The commands, from the benchmark's files to the report, against real servers."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest
from awb_support import ROWS, graded
from click.testing import CliRunner, Result
from lm_support import Said, completion, scripted

from search_sim.awb.judge_prompts import FILE
from search_sim.awb.report import REPORT, SCORES
from search_sim.awb.results import Prediction, read_results
from search_sim.awb.rows import DOMAINS, read_bench
from search_sim.awb.runs import CONFIG, JUDGEMENTS, PREDICTIONS
from search_sim.cli import main
from search_sim.commands.awb import awb
from worldgen.lm.records import Reply, Request

GROUP = type(main)(commands={"awb": awb})
SAID = "<think>hm</think><predicted_observation>the page</predicted_observation>"
GOOD = graded(5, 4, 3, 2, 1)
BUSY = Said({"error": "too many requests"}, 429, {"Retry-After": "0"})
MODELS = Said({"data": [{"id": "the-only-one"}]})


def _awb(*arguments: object) -> Result:
    return CliRunner().invoke(GROUP, ["awb", *map(str, arguments)])


def _says(text: str) -> Callable[[Any], Said]:
    """A server that has one model, which always says the same."""
    return lambda body: MODELS if body is None else Said(completion(text))


def _last(body: dict[str, Any]) -> str:
    """The action that a request is about."""
    said: str = body["messages"][-1]["content"]
    return said


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over all rows, with every prediction there."""
    run = tmp_path_factory.mktemp("finished") / "run"
    with scripted(_says(SAID)) as server:
        assert _awb("infer", ROWS, "--out", run, "--url", server.url).exit_code == 0
    return run


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of it, to be used up."""
    return shutil.copytree(finished, tmp_path / "run")


def test_from_rows_to_report(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with scripted(_says(SAID)) as server:
        options = ("--url", server.url, "--key", "k1")
        made = _awb("infer", ROWS, "--out", run, *options)
    assert made.exit_code == 0, made.output
    assert made.output == f"9 predictions in {run}\n"
    assert set(server.keys) == {"Bearer k1"}
    asked = server.bodies[1]
    assert asked["model"] == "the-only-one"
    assert {name: asked[name] for name in ("temperature", "top_p", "top_k", "max_tokens")} == {
        "temperature": 0.6,
        "top_p": 0.95,
        "top_k": 20,
        "max_tokens": 32_768,
    }
    with scripted(_says(GOOD)) as server:
        judge = ("--url", server.url, "--model", "grader", "--temperature", "0.2")
        judged = _awb("judge", run, *judge)
    assert judged.output == f"9 judgements in {run}\n"
    assert len(server.bodies) == 9
    assert server.bodies[0]["temperature"] == 0.2
    assert "top_k" not in server.bodies[0]
    scored = _awb("score", run)
    assert scored.exit_code == 0, scored.output
    assert max(map(len, scored.output.split("\n"))) < 120
    assert "…" not in scored.output
    assert (
        "macro        9/9  100.00       75.00        50.00    25.00     0.00  50.00"
        in scored.output
    )
    assert "Judge: grader (temperature 0.2" in scored.output
    record = json.loads(_awb("score", run, "--json").output)
    assert record == json.loads((run / SCORES).read_text())
    assert list(record["domains"]) == list(DOMAINS)
    assert (run / REPORT).read_text().startswith("# AgentWorldBench\n\n- Model: the-only-one (")


def test_each_fault_of_a_server_is_met(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def say(body: Any) -> Said:
        action = _last(body)
        seen[action] += 1
        if seen[action] == 1 and "tap(3)" in action:
            return BUSY
        if "click" in action:
            return Said(b"<html>garbage")
        if "pyautogui" in action:
            return Said(completion(""))
        if "pytest" in action:
            return Said(completion("<think>I wonder"))
        if "sort -r" in action:
            return Said({"error": {"message": "the prompt is too long"}}, 400)
        if "OK-99" in action:
            return Said(completion(SAID), seconds=1.8)
        return Said(completion(SAID))

    with scripted(say) as server:
        options = ("--url", server.url, "--model", "m", "--timeout", "1.5", "--concurrency", "3")
        made = _awb("infer", ROWS, "--out", tmp_path / "run", *options)
    assert made.exit_code == 0, made.output
    assert "4 predictions in" in made.output
    assert "failed: empty (2), late (1), refused (1), unreadable (1)\n" in made.output
    found = read_results(tmp_path / "run" / PREDICTIONS, Prediction)
    assert {one.domain: found[one.key].failure for one in read_bench(ROWS).rows} == {
        "android": None,
        "mcp": "late",
        "os": "empty",
        "search": None,
        "swe": "empty",
        "terminal": "refused",
        "web": "unreadable",
    }
    with scripted(_says(SAID)) as server:
        again = _awb("infer", ROWS, "--out", tmp_path / "run", "--url", server.url, "--model", "m")
    assert again.output == f"9 predictions in {tmp_path / 'run'}\n"
    assert len(server.bodies) == 5


def test_a_run_in_which_everything_fails_exits_with_1(tmp_path: Path) -> None:
    with scripted(_says("<think>to the end")) as server:
        made = _awb("infer", ROWS, "--out", tmp_path / "run", "--url", server.url)
    assert made.exit_code == 1
    assert "0 predictions in" in made.output
    assert "failed: empty (9)\n" in made.output
    assert "The last failure: the reply holds no prediction" in made.output
    judged = _awb("judge", tmp_path / "run", "--url", "http://127.0.0.1:9")
    assert judged.output.startswith("Error: ")
    assert "holds no predictions" in judged.output


def test_rows_can_be_chosen_and_broken_ones_are_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(ROWS, data)
    with (data / "search_test.jsonl").open("ab") as file:
        file.write(b'{"task": "search"}\n' + (ROWS / "search_test.jsonl").read_bytes())
    with scripted(_says(SAID)) as server:
        options = ("--url", server.url, "--domain", "search", "--domain", "mcp", "--limit", "1")
        made = _awb("infer", data, "--out", tmp_path / "run", *options)
    assert made.exit_code == 0, made.output
    assert made.output.split("\n")[:3] == [
        f"Left out: {data / 'search_test.jsonl'}, line 3: id: Field required",
        f"Left out: {data / 'search_test.jsonl'}, line 4: task, id and turn_idx are those of "
        "search_test.jsonl, line 1",
        f"Left out: {data / 'search_test.jsonl'}, line 5: task, id and turn_idx are those of "
        "search_test.jsonl, line 2",
    ]
    assert f"2 predictions in {tmp_path / 'run'}\n" in made.output


def test_replies_in_a_cache_are_not_asked_for_twice(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with scripted(_says(SAID)) as server:
            options = ("--url", server.url, "--model", "m", "--cache", tmp_path / "replies")
            assert _awb("infer", ROWS, "--out", tmp_path / name, *options).exit_code == 0
        assert len(server.bodies) == (9 if name == "one" else 0)
    assert (tmp_path / "one" / PREDICTIONS).read_bytes() == (
        tmp_path / "two" / PREDICTIONS
    ).read_bytes()


def test_judge_prompts_of_a_folder_are_used_and_named(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "official"
    for domain in DOMAINS:
        (folder / domain).mkdir(parents=True)
        (folder / domain / FILE).write_text(f"Judge {domain}.")
    with scripted(_says(GOOD)) as server:
        options = ("--url", server.url, "--judge-prompts", folder)
        assert _awb("judge", run, *options).exit_code == 0
    systems = {body["messages"][0]["content"] for body in server.bodies if body}
    assert systems == {f"Judge {domain}." for domain in DOMAINS}
    assert "Judge prompts: official " in _awb("score", run).output


def test_a_model_can_run_in_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Engine:
        def __init__(self, model: str, max_model_len: int) -> None:
            assert max_model_len == 4_096

        def chat(self, requests: Sequence[Request]) -> list[Reply]:
            return [Reply(SAID) for _ in requests]

    monkeypatch.setattr("worldgen.lm.vllm_engine.VllmEngine", Engine)
    options = ("--vllm", "some/model", "--vllm-options", '{"max_model_len": 4096}')
    made = _awb("infer", ROWS, "--out", tmp_path / "run", *options)
    assert made.output == f"9 predictions in {tmp_path / 'run'}\n"
    assert json.loads((tmp_path / "run" / CONFIG).read_text())["infer"]["model"] == "some/model"


class Stalling:
    """Answers so many requests, then keeps the others waiting until it is let go."""

    def __init__(self, answers: int) -> None:
        self._left, self._lock = answers, threading.Lock()
        self.stalled, self.gone = threading.Event(), threading.Event()

    def __call__(self, body: Any) -> Said:
        with self._lock:
            self._left -= 1
            stall = self._left < 0
        if stall:
            self.stalled.set()
            self.gone.wait(20)
        return Said(completion(SAID))


@pytest.fixture
def stalling() -> Iterator[Stalling]:
    found = Stalling(4)
    yield found
    found.gone.set()


def _start(out: Path, url: str) -> subprocess.Popen[str]:
    script = (
        "from search_sim.cli import main\n"
        "from search_sim.commands.awb import awb\n"
        "type(main)(commands={'awb': awb})()\n"
    )
    options = ["--out", str(out), "--url", url, "--model", "m", "--concurrency", "2"]
    command = [sys.executable, "-c", script, "awb", "infer", str(ROWS), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_stopped_goes_on_where_it_was(
    tmp_path: Path, run: Path, stalling: Stalling, how: signal.Signals
) -> None:
    out = tmp_path / "stopped"
    with scripted(stalling) as server:
        with _start(out, server.url) as process:
            assert stalling.stalled.wait(20)
            path = out / PREDICTIONS
            while path.read_bytes().count(b"\n") < 4:
                time.sleep(0.01)
            process.send_signal(how)
            _, errors = process.communicate(timeout=20)
        stalling.gone.set()
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert errors == "Stopped; the same command goes on from here.\n"
    with path.open("ab") as file:
        file.write(b'{"task": "cut')
    with scripted(_says(SAID)) as server:
        options = ("--out", out, "--url", server.url, "--model", "m")
        made = _awb("infer", ROWS, *options)
    assert made.output == f"9 predictions in {out}\n"
    assert len(server.bodies) == 5
    assert path.read_bytes() == (run / PREDICTIONS).read_bytes()


def _closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


INFER = ("infer", "{rows}", "--out", "{tmp}/new")
SERVER = ("--url", "{url}", "--model", "m")
WRONG: list[tuple[tuple[str, ...], str]] = [
    (("infer", "{tmp}/none", "--out", "{tmp}/new", *SERVER), "no such folder: "),
    (("infer", "{tmp}", "--out", "{tmp}/new", *SERVER), "holds no *_test.jsonl files"),
    (("infer", "{rows}", "--out", "{rows}", *SERVER), "holds files and no config.json"),
    (("infer", "{rows}", "--out", "{file}", *SERVER), "is a file; name a folder"),
    ((*INFER, *SERVER, "--domain", "serch"), "unknown domain 'serch': did you mean 'search'?"),
    (INFER, "name a server with --url, or a model to load with --vllm"),
    ((*INFER, *SERVER, "--vllm", "x"), "name a server with --url, or a model to load"),
    ((*INFER, "--vllm", "x", "--model", "m"), "--model names a model of the server"),
    ((*INFER, "--url", "localhost", "--model", "m"), "is no server's URL"),
    ((*INFER, *SERVER), "unreachable: "),
    ((*INFER, "--url", "{url}"), "can't ask "),
    ((*INFER, *SERVER, "--cache", "{file}"), "can't be used as a cache"),
    (("infer", "{rows}", "--out", "{run}", *SERVER), "(model the-only-one there, m here)"),
    (("judge", "{tmp}/none", *SERVER), "no such folder: "),
    (("judge", "{rows}", *SERVER), "holds no run"),
    (("judge", "{run}", *SERVER, "--judge-prompts", "{tmp}/none"), "no such folder: "),
    (("judge", "{run}", *SERVER, "--judge-prompts", "{rows}"), "no such file: "),
    (("judge", "{run}", *SERVER), "unreachable: "),
    (("score", "{tmp}/none"), "no such folder: "),
    (("score", "{run}"), "holds no judgements"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG, ids=[" ".join(w[0]) for w in WRONG])
def test_wrong_input_is_one_clear_line(
    run: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    (tmp_path / "file").write_text("x" * 1000)
    url = f"http://127.0.0.1:{_closed_port()}"
    names = {"tmp": tmp_path, "rows": ROWS, "run": run, "file": tmp_path / "file", "url": url}
    result = _awb(*(argument.format(**names) for argument in arguments))
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert words in result.output
    assert result.output.strip().count("\n") == 0


@pytest.mark.parametrize("status", [401, 404])
def test_being_turned_away_is_one_line_at_once(tmp_path: Path, status: int) -> None:
    with scripted(Said({"error": {"message": "not for you"}}, status)) as server:
        options = ("--url", server.url, "--model", "m", "--concurrency", "1")
        made = _awb("infer", ROWS, "--out", tmp_path / "run", *options)
    assert made.exit_code == 1
    assert made.output == f"Error: language model, refused: HTTP {status}: not for you\n"
    assert len(server.bodies) == 1


def test_damaged_files_of_a_run_are_named(run: Path) -> None:
    (run / JUDGEMENTS).write_bytes(b"nonsense\n")
    with scripted(_says(GOOD)) as server:
        judged = _awb("judge", run, "--url", server.url)
    assert judged.output == f"Error: {run / JUDGEMENTS}, line 1: invalid JSON: {_EXPECTING}\n"
    (run / CONFIG).write_text("{")
    assert "config.json is damaged" in _awb("score", run).output


_EXPECTING = "Expecting value at character 1"


def test_each_command_is_documented() -> None:
    for name, command in awb.commands.items():
        shown = _awb(name, "--help")
        assert shown.exit_code == 0
        assert command.help
        options = [one for one in command.params if isinstance(one, click.Option)]
        assert all(one.help for one in options)
        assert "..." not in command.get_short_help_str(60)


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from search_sim.commands.awb import awb\n"
        "try:\n    awb(['infer', '--help'])\n"
        "finally:\n    print([m for m in ('asyncio', 'httpx', 'pydantic', 'rich', 'tenacity')"
        " if m in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    assert done.stderr.strip() == "[]"
