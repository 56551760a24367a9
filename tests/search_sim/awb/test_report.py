from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from awb_support import CALLS, Scripted, graded, some_rows

from answers.attempts import Problem
from search_sim.awb.infer import infer
from search_sim.awb.judge_prompts import our_prompts
from search_sim.awb.judging import judge
from search_sim.awb.report import HEADINGS, REPORT, SCORES, report
from search_sim.awb.rows import Bench
from search_sim.awb.runs import JUDGEMENTS, PREDICTIONS
from worldgen.errors import ConfigurationError
from worldgen.lm.records import Reply

COUNT = 8
PROBLEMS = (Problem(3, "task: Field required", "mcp_test.jsonl"),)


def _run(folder: Path, said: str, verdict: str) -> Path:
    """A run of eight rows: mcp twice, every other domain once; the last row says `said`."""
    rows = some_rows(COUNT)
    words = iter([*["page"] * (COUNT - 1), said])
    model = Scripted(lambda _: Reply(next(words), prompt_tokens=1000, completion_tokens=10))
    asyncio.run(infer(Bench(rows, PROBLEMS), folder, model, CALLS))
    asyncio.run(judge(folder, Scripted(lambda _: verdict), our_prompts(), CALLS))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return _run(tmp_path / "run", "", graded(5, 4, 3, 2, 1))


def _scores(folder: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads((folder / SCORES).read_text(encoding="utf-8"))
    return record


def test_numbers_are_written_for_programs(folder: Path) -> None:
    found = report(folder)
    record = _scores(folder)
    assert record == json.loads(json.dumps(found.record()))
    assert record["model"] == record["judge"] == "scripted"
    assert record["judge_prompts"] == "worldgen-awb 1"
    assert record["failures"] == {"model: empty": 1}
    assert record["left_out"] == [PROBLEMS[0].record()]
    assert record["tokens"]["infer"] == {"prompt": 8000, "completion": 80}
    mcp = record["domains"]["mcp"]
    assert (mcp["rows"], mcp["graded"], mcp["failed"], mcp["open"]) == (2, 1, 1, 0)
    assert mcp["over_graded"]["total"] == 50
    assert mcp["failures_as_0"]["total"] == 25
    assert record["macro"]["failures_as_0"]["total"] == round((25 + 6 * 50) / 7, 4)
    assert record["micro"]["failures_as_0"]["total"] == 7 * 50 / 8
    assert record["configuration"]["infer"]["temperature"] == 0.6


def test_a_report_is_written_for_people(folder: Path) -> None:
    report(folder)
    text = (folder / REPORT).read_text(encoding="utf-8")
    for words in (
        "- Model: scripted (temperature 0.6, top_p 0.95, top_k 20, max_tokens 32768, seed 0)\n",
        "- Judge prompts: worldgen-awb 1\n",
        "- Rows: 8, of which 7 graded, 1 failed\n",
        "- Failures: model: empty (1)\n",
        "- Lines left out of the data: 1\n",
        "- Tokens: infer 8,000 in, 80 out; judge 0 in, 0 out\n",
        "| Domain | Graded | Format | Factuality | Consistency | Realism | Quality | Total |\n",
        "| mcp | 1/2 | 100.00 | 75.00 | 50.00 | 25.00 | 0.00 | 50.00 |\n",
        "## With every failure as a 0\n",
        "| mcp | 1/2 | 50.00 | 37.50 | 25.00 | 12.50 | 0.00 | 25.00 |\n",
    ):
        assert words in text


def test_without_failures_one_table_is_enough(tmp_path: Path) -> None:
    found = report(_run(tmp_path / "run", "page", graded(3, 3, 3, 3, 3)))
    (rows,) = found.tables().values()
    assert {len(row) for row in rows} == {len(HEADINGS)}
    assert [row[0] for row in rows[-2:]] == ["macro", "micro"]
    assert rows[-1][1:] == ("8/8", *["50.00"] * 6)
    assert "Failures" not in found.facts()


def test_a_run_that_failed_altogether_is_reported_too(tmp_path: Path) -> None:
    found = report(_run(tmp_path / "run", "page", "no verdict"))
    assert found.record()["failures"] == {"judge: no scores": 8}
    assert found.record()["micro"]["over_graded"] is None
    over_graded, as_0 = found.tables().values()
    assert over_graded[0] == ("mcp", "0/2", *["-"] * 6)
    assert as_0[0] == ("mcp", "0/2", *["0.00"] * 6)


def test_the_order_of_files_does_not_matter(folder: Path) -> None:
    report(folder)
    before = (folder / SCORES).read_bytes(), (folder / REPORT).read_bytes()
    for name in (PREDICTIONS, JUDGEMENTS):
        lines = (folder / name).read_bytes().split(b"\n")[:-1]
        (folder / name).write_bytes(b"".join(line + b"\n" for line in reversed(lines)))
    report(folder)
    assert ((folder / SCORES).read_bytes(), (folder / REPORT).read_bytes()) == before


def test_rows_that_are_not_done_yet_count_nowhere_but_are_shown(folder: Path) -> None:
    lines = (folder / JUDGEMENTS).read_bytes().split(b"\n")
    (folder / JUDGEMENTS).write_bytes(b"\n".join(lines[:3]) + b"\n" + lines[3][:40])
    found = report(folder)
    assert found.facts()["Rows"] == "8, of which 3 graded, 1 failed, 4 not done yet"
    assert found.record()["micro"]["failures_as_0"]["total"] == 3 * 50 / 4


def test_what_was_not_judged_has_no_report(folder: Path, tmp_path: Path) -> None:
    (folder / JUDGEMENTS).unlink()
    with pytest.raises(ConfigurationError, match=r"holds no judgements; `worldgen awb judge "):
        report(folder)
    with pytest.raises(ConfigurationError, match="no such folder"):
        report(tmp_path / "none")
    with pytest.raises(ConfigurationError, match="holds no run"):
        report(tmp_path)
