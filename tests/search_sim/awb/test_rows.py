from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from awb_support import ROWS, a_row

from answers.attempts import Problem
from search_sim.awb.rows import DOMAINS, MARKER, Bench, bare, choose, read_bench
from worldgen.errors import ConfigurationError, UnknownNameError

GOOD = {"task": "mcp", "id": 1, "prompt": ["a"], "response": ["b"], "turn_idx": 1}


def _bench(folder: Path, *lines: bytes | dict[str, Any], name: str = "mcp_test.jsonl") -> Bench:
    written = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    (folder / name).write_bytes(b"\n".join(written))
    return read_bench(folder)


def test_the_example_rows_are_all_read_in_the_order_of_files_and_lines() -> None:
    bench = read_bench(ROWS)
    assert not bench.problems
    assert [row.domain for row in bench.rows] == [
        *("android", "mcp", "mcp", "os", "search", "search", "swe", "terminal", "web")
    ]
    assert {row.domain for row in bench.rows} == set(DOMAINS)


def test_a_task_may_have_a_path_and_a_row_other_line_ends() -> None:
    row = next(row for row in read_bench(ROWS).rows if row.task == "agent/search")
    assert row.domain == "search"
    assert all(end in row.reference for end in "\u2028\u2029\x85")
    assert row.reference.endswith("Ask the harbourmaster.")
    assert [action.splitlines()[0] for action, _ in row.history] == ["### Turn 1"]
    assert row.action.startswith("### Turn 2")


def test_a_turn_that_the_prompts_end_before_is_the_current_prompt() -> None:
    row = next(row for row in read_bench(ROWS).rows if row.domain == "terminal")
    assert len(row.prompt) == 2
    assert row.action == "$ sort -r heights.txt"
    assert row.reference.endswith("4.7\n3.1\ntomas@kell:~/tide$ ")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{broken", "invalid JSON"),
        (b"[1]", "a list, not an object"),
        (b"\xff{}", "invalid UTF-8 at byte 1"),
        ({}, "task: Field required"),
        ({**GOOD, "prompt": "a"}, "prompt: Input should be a valid list"),
        ({**GOOD, "response": [1]}, "response.0: Input should be a valid string"),
        ({**GOOD, "turn_idx": 0}, "turn_idx is 0, and there are 1 responses"),
        ({**GOOD, "turn_idx": 2}, "turn_idx is 2, and there are 1 responses"),
        ({**GOOD, "prompt": []}, "turn 1 has no prompt"),
        (
            {**GOOD, "prompt": [], "response": ["b", "c"], "turn_idx": 2, "current_prompt": "d"},
            "turn 2 has no prompt",
        ),
        ({**GOOD, "task": "x/serch"}, "unknown domain 'serch': did you mean 'search'?"),
        ({**GOOD, "prompt": ["\ud800"]}, "it holds half a character (a lone surrogate)"),
        (GOOD, "task, id and turn_idx are those of mcp_test.jsonl, line 1"),
    ],
)
def test_a_broken_row_is_one_line_and_the_others_go_on(
    tmp_path: Path, line: bytes | dict[str, Any], why: str
) -> None:
    bench = _bench(tmp_path, GOOD, b"", line, {**GOOD, "id": "1"})
    assert [row.id for row in bench.rows] == [1, "1"]
    (problem,) = bench.problems
    assert (problem.source, problem.line) == ("mcp_test.jsonl", 3)
    assert problem.message.startswith(why)
    assert "\n" not in problem.message


def test_a_row_of_another_file_is_a_duplicate_too(tmp_path: Path) -> None:
    _bench(tmp_path, GOOD)
    bench = _bench(tmp_path, {**GOOD, "response": ["c"]}, name="old_mcp_test.jsonl")
    message = "task, id and turn_idx are those of mcp_test.jsonl, line 1"
    assert bench.problems == (Problem(1, message, "old_mcp_test.jsonl"),)


def test_a_byte_order_mark_and_windows_line_ends_are_no_harm(tmp_path: Path) -> None:
    line = json.dumps(GOOD).encode()
    assert len(_bench(tmp_path, b"\xef\xbb\xbf" + line + b"\r").rows) == 1


def test_other_files_are_left_alone_and_nothing_to_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no such folder"):
        read_bench(tmp_path / "none")
    with pytest.raises(ConfigurationError, match=r"holds no \*_test\.jsonl files"):
        _bench(tmp_path, GOOD, name="mcp.jsonl")
    with pytest.raises(ConfigurationError, match=r"no row .*: a_test.jsonl, line 1: invalid JSON"):
        _bench(tmp_path, b"{", name="a_test.jsonl")
    with pytest.raises(ConfigurationError, match=r"no row that can be read$"):
        _bench(tmp_path, b"", name="a_test.jsonl")


def test_rows_are_chosen_by_domain_and_number() -> None:
    bench = read_bench(ROWS)
    chosen = choose(bench, ("search", "mcp"), limit=1)
    assert [(row.domain, row.turn_idx) for row in chosen.rows] == [("mcp", 1), ("search", 2)]
    assert choose(bench) == bench


def test_a_domain_that_there_is_not_is_said() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'terminal'"):
        choose(read_bench(ROWS), ("termina",))
    with pytest.raises(ConfigurationError, match="no rows of the domain web"):
        choose(Bench((a_row(),)), ("web",))


def test_the_marker_is_taken_off_at_the_start_alone() -> None:
    assert bare(f" {MARKER}\n\nthe page ") == "the page"
    assert bare(f"It says {MARKER}") == f"It says {MARKER}"
