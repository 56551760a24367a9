"""What a judge says, one reply a line in `verdict_cases.txt`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from awb_support import UNHURRIED
from hypothesis import given
from hypothesis import strategies as st

from search_sim.awb.verdicts import DIMENSIONS, Unreadable, Verdict, read_verdict

CASES = [
    tuple(part.strip(" ") for part in line.split(" ~ "))
    for line in Path(__file__).with_name("verdict_cases.txt").read_text("utf-8").split("\n")
    if line and not line.startswith("#")
]
SCORES = '"scores": ' + json.dumps(dict(zip(DIMENSIONS, (5, 4, 3, 2, 1), strict=True)))


def _text(case: str) -> str:
    return case.replace("{S}", SCORES).replace("\\n", "\n")


@pytest.mark.parametrize(("reply", "expected", "why"), CASES, ids=[case[2] for case in CASES])
def test_a_verdict_is_read_or_refused(reply: str, expected: str, why: str) -> None:
    found = read_verdict(_text(reply))
    if isinstance(found, Unreadable):
        assert found.reason == expected
        assert found.message
        assert "\n" not in found.message
    else:
        assert tuple(found.scores) == DIMENSIONS
        assert " ".join(map(str, found.scores.values())) == expected


@pytest.mark.parametrize(
    ("strengths", "expected"),
    [
        ('["a, ]", "b"]', ("a, ]", "b")),
        ('["a",]', ("a",)),
        ('"just one"', ("just one",)),
        ("[1, {}]", ("1",)),
        ("7", ()),
        ('["{", "\\""]', ("{", '"')),
        ('["\\ud800"]', ("?",)),
        ('["a line\nand another"]', ("a line\nand another",)),
    ],
)
def test_strengths_are_kept_as_they_are_said(strengths: str, expected: tuple[str, ...]) -> None:
    text = f'<final_evaluation>{{"strengths": {strengths}, {SCORES}}}</final_evaluation>'
    found = read_verdict(text)
    assert isinstance(found, Verdict)
    assert found.strengths == expected
    assert found.weaknesses == ()


@UNHURRIED
@given(st.text(alphabet=st.sampled_from('{}[]",:\\ \n15<>/') | st.characters()))
def test_no_text_is_too_strange(text: str) -> None:
    for said in (text, f"<final_evaluation>{text}</final_evaluation>", f'{{"scores": {{{text}}}}}'):
        found = read_verdict(said)
        assert isinstance(found, Verdict) or found.reason


@UNHURRIED
@given(
    st.lists(st.integers(1, 5), min_size=5, max_size=5),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1)),
)
def test_what_a_judge_writes_well_is_read_as_it_is(scores: list[int], said: list[str]) -> None:
    record = {"weaknesses": said, "scores": dict(zip(DIMENSIONS, scores, strict=True))}
    text = json.dumps(record).replace("<", "\\u003c")
    found = read_verdict(f"<final_evaluation>{text}</final_evaluation>")
    assert isinstance(found, Verdict)
    assert list(found.scores.values()) == scores
    assert found.weaknesses == tuple(said)
