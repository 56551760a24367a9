from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from awb_support import CALLS, Scripted, graded, some_rows

from search_sim.awb.infer import infer
from search_sim.awb.judge_prompts import JudgePrompts, our_prompts
from search_sim.awb.judging import TRIES, judge
from search_sim.awb.results import Journal, Judgement, Prediction, read_results
from search_sim.awb.rows import Bench
from search_sim.awb.runs import JUDGEMENTS, PREDICTIONS, ROWS, held
from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.records import Reply

COUNT = 6
GOOD = graded(5, 4, 3, 2, 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of six rows, the last of which has no prediction."""
    rows = some_rows(COUNT)
    said = iter([*[f"page {n}" for n in range(COUNT - 1)], ""])
    asyncio.run(infer(Bench(rows), tmp_path / "run", Scripted(lambda _: next(said)), CALLS))
    return tmp_path / "run"


def _judge(folder: Path, model: Scripted, prompts: JudgePrompts | None = None) -> list[Judgement]:
    return asyncio.run(judge(folder, model, prompts or our_prompts(), CALLS))


def test_every_prediction_is_judged_and_written_down(folder: Path) -> None:
    model = Scripted(lambda _: Reply(GOOD, "stop", 100, 20))
    made = _judge(folder, model)
    assert [one.id for one in made] == [0, 1, 2, 3, 4]
    assert list(read_results(folder / JUDGEMENTS, Judgement).values()) == made
    first = made[0]
    assert list(first.scores.items()) == [
        *(("format", 5), ("factuality", 4), ("consistency", 3), ("realism", 2), ("quality", 1))
    ]
    assert (first.strengths, first.weaknesses, first.reply) == (("the shape",), (), GOOD)
    assert (first.prompt_tokens, first.completion_tokens, first.tries) == (100, 20, 1)
    assert "page 0" in model.asked[0].messages[1].content


def test_a_reply_that_cannot_be_read_is_asked_for_again_with_another_seed(folder: Path) -> None:
    said = {n: iter(["No.", graded(6, 1, 1, 1, 1), GOOD]) for n in range(COUNT)}
    model = Scripted(
        lambda request: Reply(next(said[_page(request.messages[1].content)]), "", 5, 2)
    )
    made = _judge(folder, model)
    assert [one.failure for one in made] == [None] * 5
    assert {one.tries for one in made} == {TRIES}
    assert (made[0].prompt_tokens, made[0].completion_tokens) == (15, 6)
    assert len({request.seed for request in model.asked}) == 15


def _page(text: str) -> int:
    return int(text.partition("\npage ")[2][0])


def test_a_judge_that_is_never_understood_fails_for_the_last_reason(folder: Path) -> None:
    model = Scripted(lambda _: graded(6, 1, 1, 1, 1))
    made = _judge(folder, model)
    assert len(model.asked) == TRIES * 5
    assert {(one.failure, one.message) for one in made} == {
        ("score out of range", "format is 6, not between 1 and 5")
    }
    assert not any(one.scores for one in made)
    assert made[0].reply == graded(6, 1, 1, 1, 1)


def test_going_on_judges_what_failed_with_new_seeds(folder: Path) -> None:
    first = Scripted(lambda request: "No." if "page 2" in request.messages[1].content else GOOD)
    _judge(folder, first)
    again = Scripted(lambda _: GOOD)
    made = _judge(folder, again)
    assert [one.failure for one in made] == [None] * 5
    assert [_page(request.messages[1].content) for request in again.asked] == [2]
    assert again.asked[0].seed not in {request.seed for request in first.asked}
    assert made[2].tries == TRIES + 1


def test_an_error_is_a_failure_of_its_kind(folder: Path) -> None:
    late = LanguageModelError("late", "no reply in 5 s")
    model = Scripted(lambda request: late if "page 1" in request.messages[1].content else GOOD)
    made = _judge(folder, model)
    assert [one.failure for one in made] == [None, "late", None, None, None]
    assert made[1].message == "language model, late: no reply in 5 s"


def test_a_prediction_that_came_later_or_anew_is_judged(folder: Path) -> None:
    _judge(folder, Scripted(lambda _: GOOD))
    with Journal(folder / PREDICTIONS, Prediction) as journal:
        journal.add(Prediction(task="mcp", id=0, turn_idx=2, prediction="page 8"))
        journal.add(journal.found["swe", 3, 2].model_copy(update={"message": "same prediction"}))
        last = journal.found["web", 5, 2]
        journal.add(last.model_copy(update={"failure": None, "prediction": "page 9"}))
    again = Scripted(lambda _: GOOD)
    assert len(_judge(folder, again)) == COUNT
    assert sorted(_page(request.messages[1].content) for request in again.asked) == [8, 9]


def test_another_judge_or_other_texts_are_refused_with_what_changed(folder: Path) -> None:
    _judge(folder, Scripted(lambda _: GOOD))
    other = Scripted(lambda _: GOOD)
    other.name = "other"
    with pytest.raises(
        ConfigurationError,
        match=r"judgements of another configuration \(judge scripted there, other here\); copy",
    ):
        _judge(folder, other)
    ours = our_prompts()
    theirs = JudgePrompts("theirs", "a1", ours.message, dict.fromkeys(ours.systems, "Judge."))
    with pytest.raises(
        ConfigurationError,
        match=r"\(judge_prompts worldgen-awb 1 there, theirs a1 here; judge_prompts_digest\)",
    ):
        _judge(folder, Scripted(lambda _: GOOD), theirs)
    (folder / JUDGEMENTS).unlink()
    assert len(_judge(folder, other)) == 5


def test_what_cannot_be_judged_is_said(folder: Path, tmp_path: Path) -> None:
    model = Scripted(lambda _: GOOD)
    with pytest.raises(ConfigurationError, match="no such folder"):
        _judge(tmp_path / "none", model)
    with pytest.raises(ConfigurationError, match="holds no run"):
        _judge(tmp_path, model)
    with held(folder), pytest.raises(ConfigurationError, match="another process is at work"):
        _judge(folder, model)
    lines = (folder / ROWS).read_bytes().split(b"\n")
    (folder / ROWS).write_bytes(b"\n".join([lines[1], lines[0], *lines[2:]]))
    with pytest.raises(ConfigurationError, match=r"rows.jsonl was changed"):
        _judge(folder, model)
    (folder / ROWS).write_bytes(b"\n".join([lines[0], lines[1][:9], *lines[2:]]))
    with pytest.raises(ConfigurationError, match=r"rows.jsonl, line 2: invalid JSON"):
        _judge(folder, model)
    (folder / ROWS).write_bytes(b"\n".join(lines))
    (folder / PREDICTIONS).unlink()
    with pytest.raises(ConfigurationError, match="holds no predictions"):
        _judge(folder, model)
    assert not model.asked
