from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from search_sim.cli import main
from search_sim.commands.verify import verify_lwm
from search_sim.fake_model.fake import FakeModel
from search_sim.fake_model.in_process import FakeLanguageModel
from search_sim.generate import Batch, generate
from search_sim.materials import Asked, Rendering, Scene
from search_sim.render import TemplateRenderer

COMMANDS = type(main)(name="worldgen", commands=[verify_lwm])
"""The command as `worldgen` runs it."""


def _run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(COMMANDS, ["verify-lwm", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("worlds")
    generate(Batch(1, 3, ("island-ferries",), 2), found)
    return found


def test_the_table_shows_scores_beside_the_published_ones(folder: Path) -> None:
    result = _run(folder, "--cases", "4")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0] == "4 cases in 1 worlds; renderer: template"
    rows = {line.split()[0]: line.split() for line in lines[2:5]}
    assert rows["controllability"][1] == rows["consistency"][1] == "100.0"
    assert [rows[axis][-1] for axis in ("controllability", "consistency")] == ["74.2", "80.9"]
    assert "arXiv 2606.24597" in result.output
    assert "FAILED" not in result.output


def test_json_has_every_check(folder: Path) -> None:
    result = _run(folder, "--cases", "2", "--json", "--concurrency", "1")
    record = json.loads(result.output)
    assert record["published"] == {"controllability": 74.2, "consistency": 80.9}
    assert record["failures"] == 0
    by_axis = {axis["axis"]: axis for axis in record["axes"]}
    assert by_axis["consistency"]["score"] == 100
    assert {"name", "cases", "held", "looked"} == set(by_axis["consistency"]["checks"][0])
    assert record == json.loads(_run(folder, "--cases", "2", "--json").output)


def test_without_a_folder_worlds_are_built_of_every_blueprint() -> None:
    result = _run("--cases", "3")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("3 cases in 3 worlds; ")


class _Forgetful(TemplateRenderer):
    """A page of results without the last one."""

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        return [Rendering(one.results[:-1]) for one in super().render(asked, scene)]


class _Boasting(TemplateRenderer):
    """A number in every snippet that no page has."""

    def render(self, asked: Sequence[Asked], scene: Scene) -> list[Rendering]:
        return [
            Rendering(tuple(replace(r, snippet="All 8,417,233 of them.") for r in one.results))
            for one in super().render(asked, scene)
        ]


def test_failures_are_written_and_shown_and_exit_with_1(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search_sim.render.TemplateRenderer", _Forgetful)
    out = tmp_path / "failures.jsonl"
    result = _run(folder, "--cases", "2", "--out", out)
    assert result.exit_code == 1
    assert "FAILED controllability, number of results: held in 0 of 2 cases" in result.output
    failures = [json.loads(line) for line in out.read_text().split("\n")[:-1]]
    assert {"controllability"} <= {failure["axis"] for failure in failures}
    assert {failure["case"] for failure in failures} == {0, 1}
    assert min(failure["turn"] for failure in failures) >= 1


@pytest.mark.parametrize(("name", "status"), [("template", 1), ("model", 0)])
def test_a_model_may_be_inconsistent_but_not_out_of_control(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, status: int
) -> None:
    monkeypatch.setattr("search_sim.render.TemplateRenderer", _Boasting)
    if name == "model":
        monkeypatch.setattr("search_sim.verify.run.TemplateRenderer", type("_Other", (), {}))
    result = _run(folder, "--cases", "1")
    assert "FAILED consistency, pages agree with their snippets" in result.output
    assert result.exit_code == status, result.output


def test_a_model_is_verified_and_its_share_is_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeLanguageModel(FakeModel("shuffle"))
    monkeypatch.setattr("worldgen.lm.connect.connect", lambda *_: model)
    options = ("--renderer", "lwm", "--lwm-url", "http://127.0.0.1:9", "--lwm-model", "fake")
    result = _run(folder, "--cases", "2", *options)
    assert result.exit_code == 0, result.output
    lines = [line.strip() for line in result.output.splitlines()]
    shares = {
        line.rpartition("  ")[0].strip(): line.split()[-1] for line in lines if "by the" in line
    }
    assert "renderer: search/" in lines[0]
    assert float(shares["by the model"].rstrip("%")) > 0
    assert "by the template: fault" in shares
    assert any(line.startswith("the model was asked ") for line in lines)


def test_damaged_files_are_left_out_and_named(folder: Path, tmp_path: Path) -> None:
    good = next(folder.glob("*.world"))
    (tmp_path / good.name).write_bytes(good.read_bytes())
    (tmp_path / "bad.world").write_bytes(b"no world")
    result = _run(tmp_path, "--cases", "1")
    assert result.exit_code == 0
    assert "Left out: " in result.output
    assert "bad.world" in result.output


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("{tmp}/nowhere",), 1, "no such folder"),
        (("{tmp}",), 1, "holds no .world files"),
        (("{folder}", "--renderer", "templat"), 1, "did you mean 'template'"),
        (("{folder}", "--renderer", "lwm"), 1, "needs --lwm-url"),
        (("{folder}", "--cases", "1", "--out", "/proc/nowhere/x"), 1, "/proc/nowhere"),
        (("{folder}", "--cases", "0"), 2, "'--cases'"),
        (("{folder}", "--concurrency", "0"), 2, "'--concurrency'"),
        (("{folder}", "--seed", "-1"), 2, "'--seed'"),
    ],
)
def test_wrong_input_is_one_clear_line(
    folder: Path, tmp_path: Path, arguments: tuple[str, ...], status: int, words: str
) -> None:
    result = _run(*(a.format(tmp=tmp_path, folder=folder) for a in arguments))
    assert result.exit_code == status
    assert words in result.output
    assert result.output.strip().splitlines()[-1].startswith("Error: ")
