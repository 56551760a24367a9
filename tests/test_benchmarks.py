"""Each benchmark in its quickest setting: its tables stand, whatever their numbers are."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"

EXPECTED = {
    "bench_build.py": [
        *("populate", "check", "publish", "propose", "index", "certify", "write", "read", "sum"),
        *("rows", "pages", "statements", "tasks", "plans sampled", "file size, KiB"),
    ],
    "bench_lwm.py": [
        *("search, template", "search, model", "writing the prompt", "reading the reply"),
        *("checking the snippets", "template, 8 agents", "lwm, 64 agents", "most in flight"),
        "added by the model, 8 agents",
    ],
    "bench_score.py": [
        *("40 x 6, right, as given", "40 x 6, no table", "500 x 8, right, reworded"),
        *("500 x 8, keys right, cells wrong", "500 x 8, reading alone", "right, as given"),
        *("dates as 2029-03-14", "dates as 14 March 2029"),
    ],
    "bench_search.py": [
        *("masked index", "full index, for open", "lexicon", "bare engine", "guard alone"),
        *("passages alone", "search, tease", "search, reach", "search, open"),
        *("extraction", "guard / bare engine"),
    ],
    "bench_widesearch.py": [
        *("40 x 8, dates as in the gold", "500 x 8, dates in the other form"),
        "500 x 8, reading alone",
    ],
}
RULE = re.compile(r"-+(?:  -+)+")
NUMBER = re.compile(r"[\d,]*\d(?:\.\d+)?%?")


def tables(printed: str) -> list[list[list[str]]]:
    """The lines of each table that was printed, the headings first."""
    found: list[list[list[str]]] = []
    for block in printed.split("\n\n"):
        lines = block.strip("\n").splitlines()
        if len(lines) > 1 and RULE.fullmatch(lines[1]):
            found.append([re.split(r" {2,}", line) for line in [lines[0], *lines[2:]]])
    return found


def test_each_benchmark_is_known() -> None:
    assert sorted(path.name for path in FOLDER.glob("bench_*.py")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_each_benchmark_prints_its_tables(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(FOLDER / name), "--quick"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []
    found = tables(done.stdout)
    words = {cell for headings, *rows in found for cell in (*headings, *(row[0] for row in rows))}
    assert words >= set(EXPECTED[name])
    for _, *rows in found:
        assert rows
        assert all(NUMBER.fullmatch(cell) for _, *cells in rows for cell in cells)
