from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.answers_file import parse_object, read_answers
from answers.trials import Problem, Trial


def read(tmp_path: Path, content: bytes) -> list[Trial | Problem]:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    return list(read_answers(path))


def test_each_line_is_a_trial(tmp_path: Path) -> None:
    content = (
        b'{"task_id": "a", "answer": "| Port |"}\n'
        b'{"task_id": "b", "answer": null, "model": "m"}\r\n'
        b'{"answer": "no newline at the end", "task_id": "a"}'
    )
    assert read(tmp_path, content) == [
        Trial("a", "| Port |", 1),
        Trial("b", None, 2, {"model": "m"}),
        Trial("a", "no newline at the end", 3),
    ]


def one(tmp_path: Path, **record: object) -> Trial | Problem:
    (found,) = read(tmp_path, json.dumps(record).encode())
    return found


def test_short_texts_and_whole_numbers_are_tags(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        task_id="a",
        answer="x",
        agent="steady",
        trial=3,
        policy="",
        share=0.5,
        done=True,
        notes="n" * 101,
        log="two\nlines",
        calls=["search"],
        usage={"tokens": 7},
        judge=None,
    )
    assert found == Trial("a", "x", 1, {"agent": "steady", "trial": "3"})


def test_trajectories_are_known_by_their_turns(tmp_path: Path) -> None:
    turn = {"tool": "answer", "arguments": {}, "observation": "", "disclosed": []}
    record = {
        "task_id": "a",
        "world_id": "w",
        "policy": "mixed",
        "effective_policy": "tease",
        "seed": 7,
        "question": "Which?",
        "agent": "explorer",
        "turns": [turn],
        "answer": "x",
        "score": None,
        "failure": None,
    }
    tags = {"agent": "explorer", "policy": "mixed", "effective_policy": "tease"}
    assert one(tmp_path, **record) == Trial("a", "x", 1, tags)
    record |= {"policy": "tease", "agent": "", "answer": None, "failure": "out of budget"}
    assert one(tmp_path, **record) == Trial("a", None, 1, {"policy": "tease"}, "", "out of budget")
    assert one(tmp_path, **{**record, "answer": 7}) == Problem(
        1, "answer is a number, not a text or null"
    )
    assert one(tmp_path, **{**record, "task_id": None}) == Problem(1, "task_id is null, not a text")


def test_responses_in_the_layout_of_widesearch(tmp_path: Path) -> None:
    response = {"instance_id": "ws_en_001", "response": "| a |", "messages": [], "trial_idx": 2}
    for name, agent in (
        ("some_model_ws_en_001_2_response", {"agent": "some_model"}),
        ("m_ws_en_001_2_multi_agent_response", {"agent": "m_multi_agent"}),
        ("m_ws_en_009_2_response", {}),
        ("responses", {}),
    ):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(json.dumps(response))
        tags = {**agent, "trial": "2"}
        assert list(read_answers(path)) == [Trial("ws_en_001", "| a |", 1, tags)]
        path.unlink()
    assert one(tmp_path, instance_id="a", response=None) == Trial("a", None, 1)
    assert one(tmp_path, instance_id="a") == Problem(1, "response is missing")
    assert read(tmp_path, b'{"instance_id": "a", "query": "?", "evaluation": {}}') == []


def test_a_folder_of_files_is_read_by_name(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "b.jsonl").write_text('{"task_id": "b", "answer": "x"}\n{')
    (tmp_path / "deep" / "a.jsonl").write_text('{"task_id": "a", "answer": "x"}\n')
    (tmp_path / "notes.txt").write_text("nothing")
    assert list(read_answers(tmp_path)) == [
        Trial("b", "x", 1, {}, "b.jsonl"),
        Problem(
            2,
            "invalid JSON: Expecting property name enclosed in double quotes at character 2",
            "b.jsonl",
        ),
        Trial("a", "x", 1, {}, "deep/a.jsonl"),
    ]


def test_blank_lines_and_a_byte_order_mark_are_ignored_and_lines_counted(tmp_path: Path) -> None:
    content = b'\xef\xbb\xbf\n  \t\r\n{"task_id": "a", "answer": "x"}\n\n'
    assert read(tmp_path, content) == [Trial("a", "x", 3)]
    content = b'\xef\xbb\xbf{"task_id": "a", "answer": "x"}'
    assert read(tmp_path, content) == [Trial("a", "x", 1)]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c"])
def test_only_a_line_feed_ends_a_line(tmp_path: Path, mark: str) -> None:
    line = json.dumps({"task_id": "a", "answer": f"x{mark}y"}, ensure_ascii=False)
    assert read(tmp_path, f"{line}\n{line}\n".encode()) == [
        Trial("a", f"x{mark}y", 1),
        Trial("a", f"x{mark}y", 2),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"task_id": "a"', "invalid JSON: Expecting ',' delimiter at character 16"),
        (b'{"task_id": "a', "invalid JSON: Unterminated string starting at character 13"),
        (b'{"task_id": "a", "answer": "x"} {}', "invalid JSON: Extra data at character 33"),
        (b"answer", "invalid JSON: Expecting value at character 1"),
        (b'{"task_id": "\xff", "answer": ""}', "invalid UTF-8 at byte 14"),
        (b'{"task_id": "a", "answer": "x\xc3"}', "invalid UTF-8 at byte 30"),
        (b"[1, 2]", "a list, not an object"),
        (b"null", "null, not an object"),
        (b'"a"', "a text, not an object"),
        (b"7", "a number, not an object"),
        (b"{}", "task_id is missing"),
        (b'{"answer": "x"}', "task_id is missing"),
        (b'{"task_id": 7, "answer": "x"}', "task_id is a number, not a text"),
        (b'{"task_id": null, "answer": "x"}', "task_id is null, not a text"),
        (b'{"task_id": "a"}', "answer is missing"),
        (b'{"task_id": "a", "answer": ["x"]}', "answer is a list, not a text or null"),
        (b'{"task_id": "a", "answer": {}}', "answer is an object, not a text or null"),
        (b'{"task_id": "a", "answer": false}', "answer is true or false, not a text or null"),
        (b'{"task_id": "a", "answer": NaN}', "invalid JSON: NaN is no number"),
        (b"[" * 100_000, "invalid JSON: too deeply nested"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_is_read(
    tmp_path: Path, line: bytes, message: str
) -> None:
    good = b'{"task_id": "a", "answer": "x"}'
    assert read(tmp_path, good + b"\n" + line + b"\n" + good) == [
        Trial("a", "x", 1),
        Problem(2, message),
        Trial("a", "x", 3),
    ]


def test_a_number_of_5000_digits_breaks_its_line_alone(tmp_path: Path) -> None:
    (found,) = read(tmp_path, b'{"task_id": "a", "answer": ' + b"7" * 5000 + b"}")
    assert isinstance(found, Problem)
    assert found.message.startswith("invalid JSON: ")


def reason(line: bytes) -> str:
    try:
        parse_object(line)
    except ValueError as error:
        return str(error)
    return "none"


@given(st.binary())
def test_any_bytes_are_an_object_or_have_one_line_of_reason(line: bytes) -> None:
    for content in (line, b'{"task_id": "' + line + b'"}'):
        assert reason(content)
        assert "\n" not in reason(content)
