from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import httpx
import pytest
from click.testing import CliRunner, Result

from search_sim.cli import main
from search_sim.fake_model import app
from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.faults import FAULTS
from search_sim.fake_model.scripts import SCRIPTS
from search_sim.prompts.variant import read_variant, variants
from search_sim.service import server


def _run(*arguments: str | Path | float) -> Result:
    return CliRunner().invoke(main, ["lwm", *map(str, arguments)])


def test_the_help_names_every_script_and_every_fault() -> None:
    found = _run("fake", "--help").output
    for name in (*SCRIPTS, *FAULTS):
        assert re.search(rf"^ +(?:500, )?{re.escape(name)}\b", found, re.MULTILINE), name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--script", "honset"], "Error: unknown script 'honset': did you mean 'honest'?"),
        (["--script", "leak"], "Error: the script leak needs a truth to leak (--truth FILE)"),
        (["--fault", "lat=0.1"], "Error: unknown fault 'lat': did you mean 'late'?"),
        (
            ["--fault", "late"],
            "Error: a fault is written NAME=SHARE, for example late=0.1, not 'lat",
        ),
        (["--fault", "429=2"], "Error: the share of the fault 429 is 2, not between 0 and 1"),
        (
            ["--fault", "late=0.1", "--fault", "late=0.2"],
            "Error: the fault late stands there twice",
        ),
        (
            ["--fault", "late=0.9", "--fault", "429=0.9"],
            "Error: the shares of the faults add up to",
        ),
        (["--latency", "nan"], "Error: latency and late_seconds are seconds, 0 or more"),
        (["--truth", "/no/such/file"], "Error: truth /no/such/file: can't be read: No such file"),
    ],
)
def test_wrong_input_is_one_clear_line(arguments: list[str], message: str) -> None:
    result = _run("fake", *arguments)
    assert result.exit_code == 1
    assert result.output.startswith(message)
    assert result.output.count("\n") == 1


@pytest.mark.parametrize("content", ["", "[]", '{"https://x.example/": "Depth"}', "{"])
def test_a_truth_that_is_none_is_one_clear_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / "truth.json"
    path.write_text(content)
    result = _run("fake", "--truth", path)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: truth {path}: ")
    assert result.output.count("\n") == 1


def test_a_port_in_use_is_one_clear_line() -> None:
    listening = server.listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    result = _run("fake", "--port", port)
    listening.close()
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: can't listen on 127.0.0.1, port {port}: ")
    assert result.output.count("\n") == 1


def test_every_option_reaches_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(app, "make_fake_app", made.append)
    monkeypatch.setattr(server, "serve", lambda _app, listening: listening.close())
    path = tmp_path / "truth.json"
    path.write_text(json.dumps({"https://x.example/": ["Depth: 14.2 m"]}))
    options = (
        *("--script", "leak", "--fault", "late=0.1", "--fault", "429=0.2", "--latency", 0.3),
        *("--late-seconds", 7, "--truth", path, "--seed", 9, "--no-structured", "--port", 0),
    )
    result = _run("fake", *options)
    assert result.exit_code == 0, result.output
    truth = {"https://x.example/": ["Depth: 14.2 m"]}
    assert made == [FakeModel("leak", {"late": 0.1, "429": 0.2}, 0.3, truth, 9, 7.0, False)]


def test_the_running_command_serves_and_says_how_to_use_it() -> None:
    run = [sys.executable, "-m", "search_sim", "lwm", "fake", "--port", "0", "--script", "refuse"]
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first, second = process.stdout.readline(), process.stdout.readline()
        found = re.fullmatch(r"Serving the script refuse at (http://127\.0\.0\.1:\d+/v1)\n", first)
        assert found
        models = httpx.get(f"{found[1]}/models", timeout=20).json()
        process.terminate()
        process.wait(20)
    assert models["data"][0]["id"] == "fake"
    words = second.split("worldgen ")[1].split()
    assert words == [
        *("serve", "FOLDER", "--renderer", "lwm", "--lwm-url", found[1], "--lwm-model", "fake"),
    ]
    serve = main.commands["serve"]
    known = {name for p in serve.params if isinstance(p, click.Option) for name in p.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_the_prompts_are_listed_and_shown() -> None:
    lines = _run("prompts").output.splitlines()
    assert [line.split() for line in lines] == [
        [v.name, str(v.version), v.reply, v.id] for v in map(read_variant, variants())
    ]
    listed = json.loads(_run("prompts", "--json").output)
    assert [record["name"] for record in listed] == list(variants())
    for name in variants():
        variant = read_variant(name)
        shown = _run("prompts", "--show", name).output
        assert shown.startswith(f"{variant.id}, replies as {variant.reply}\n")
        for text in (variant.task_description, variant.correction, variant.simulation_instruction):
            assert text.strip() in shown
        assert json.loads(_run("prompts", "--show", name, "--json").output)["id"] == variant.id


def test_an_unknown_prompt_is_one_clear_line() -> None:
    result = _run("prompts", "--show", "serch")
    assert result.exit_code == 1
    assert result.output == "Error: unknown prompt variant 'serch': did you mean 'search'?\n"
