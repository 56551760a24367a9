from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from search_sim.cli import main
from search_sim.evaluate import EXPLANATIONS

RECORD = {
    "columns": ["Port", "Depth"],
    "key_columns": ["Port"],
    "rows": [["Ossary", 7], ["Kell", 12]],
    "family": "top",
}
RIGHT = "| Port | Depth |\n|---|---|\n| Ossary | 7 |\n| Kell | 12 |\n"
HALF = "| Port | Depth |\n|---|---|\n| Ossary | 7 |\n| Kell | 1 |\n"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    lines = [json.dumps({"task_id": task_id, **RECORD}) for task_id in ("a", "b")]
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(lines))
    return path


def run(tasks: Path, answers: Path, *options: str) -> Result:
    out = answers.parent / "report"
    arguments = ["--tasks", str(tasks), "--answers", str(answers), "--out", str(out), *options]
    return CliRunner().invoke(main, ["evaluate", *arguments])


def write(path: Path, *pairs: tuple[str, str]) -> Path:
    lines = [json.dumps({"task_id": task_id, "answer": text}) for task_id, text in pairs]
    path.write_text("\n".join(lines))
    return path


def test_numbers_have_their_intervals_and_pass_at_k_is_told(tasks: Path, tmp_path: Path) -> None:
    pairs = [("a", RIGHT), ("a", HALF), ("b", HALF), ("b", HALF)]
    result = run(tasks, write(tmp_path / "a.jsonl", *pairs))
    assert result.exit_code == 0, result.output
    for words in (
        "2 tasks answered, 0 not; 4 trials, 0 unreadable",
        "item F1          0.812  (0.750 to 0.875)",
        "guarded-cell F1  0.625  (0.500 to 0.750)",
        "pass@1           0.250\npass@2           0.500\n",
    ):
        assert words in result.output
    result = run(tasks, tmp_path / "a.jsonl", "--pass-at", "2")
    assert "pass@1" not in result.output


def test_explain_explains_every_trial(tasks: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "a.jsonl", *[("a", RIGHT)] * 203)
    for options, count in (((), 200), (("--explain", "--workers", "2"), 203)):
        assert run(tasks, answers, *options).exit_code == 0
        lines = (tmp_path / "report" / EXPLANATIONS).read_text().split("\n")
        assert len(lines) == count + 1


def test_broken_lines_of_a_folder_are_named_with_their_file(tasks: Path, tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    folder.mkdir()
    write(folder / "a.jsonl", ("a", RIGHT))
    write(folder / "b.jsonl", ("c", RIGHT))
    result = run(tasks, folder)
    assert f"Left out: {folder / 'b.jsonl'}, line 1: there is no task 'c'\n" in result.output
    assert "1 tasks answered, 1 not" in result.output


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("widesearch", "Error: task 'a' has no pipeline of WideSearch; use the mode strict\n"),
        ("strikt", "did you mean 'strict'"),
    ],
)
def test_a_mode_that_cannot_be_used_is_one_clear_line(
    tasks: Path, tmp_path: Path, mode: str, message: str
) -> None:
    result = run(tasks, write(tmp_path / "a.jsonl", ("a", RIGHT)), "--mode", mode)
    assert result.exit_code == 1
    assert message in result.output
    assert result.output.count("\n") == 1


def test_strict_can_be_asked_for(tasks: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "a.jsonl", ("a", RIGHT))
    assert "success          1.000" in run(tasks, answers, "--mode", "strict").output
