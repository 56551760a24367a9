"""A folder in WideSearch's own layout, scored with a judge behind a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_server import chat_server
from click.testing import CliRunner

from search_sim.cli import main

EVALUATION = {
    "unique_columns": ["city"],
    "required": ["city", "area"],
    "eval_pipeline": {
        "city": {"preprocess": ["norm_str"], "metric": ["exact_match"]},
        "area": {"preprocess": ["extract_number"], "metric": ["number_near"], "criterion": 0.05},
    },
}
RESPONSE = "| City | Area |\n|---|---|\n| Velmora Town | 112 |\n| Ossary | 310 |\n"


@pytest.fixture
def judge_url() -> Iterator[str]:
    said = '```json\n{"Velmora Town": "Velmora", "Ossary": "Ossary"}\n```'
    with chat_server(lambda: said) as server:
        yield server.url


def _folder(path: Path) -> Path:
    task = {"instance_id": "ws_1", "query": "?", "evaluation": EVALUATION, "language": "en"}
    (path / "widesearch.jsonl").write_text(json.dumps(task) + "\n")
    (path / "widesearch_gold").mkdir()
    (path / "widesearch_gold" / "ws_1.csv").write_text("City,Area\nVelmora,112\nOssary,310\n")
    line = {"instance_id": "ws_1", "response": RESPONSE}
    (path / "any_ws_1_0_response.jsonl").write_text(json.dumps(line) + "\n")
    return path


def _item_f1(folder: Path, *options: str) -> float:
    answers = folder / "any_ws_1_0_response.jsonl"
    arguments = ["--tasks", str(folder), "--answers", str(answers), "--out", str(folder / "out")]
    result = CliRunner().invoke(main, ["evaluate", *arguments, *options])
    assert result.exit_code == 0, result.output
    summary = json.loads((folder / "out" / "summary.json").read_text())
    found: float = summary["overall"]["mean"]["item_f1"]
    return found


def test_the_judge_aligns_keys_that_the_rules_cannot(tmp_path: Path, judge_url: str) -> None:
    folder = _folder(tmp_path)
    assert _item_f1(folder) == 0.5
    assert _item_f1(folder, "--judge-url", judge_url, "--judge-model", "any") == 1


def test_half_a_judge_is_refused(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    arguments = ["--tasks", str(folder), "--answers", str(folder), "--out", str(tmp_path / "o")]
    result = CliRunner().invoke(main, ["evaluate", *arguments, "--judge-url", "http://x"])
    assert result.exit_code == 2
    assert "--judge-url and --judge-model go together" in result.output
