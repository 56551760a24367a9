from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from awb_support import CALLS, ROWS, Scripted, a_row, some_rows

from search_sim.awb.infer import infer, predicted, request_of
from search_sim.awb.results import Prediction, read_results
from search_sim.awb.rows import Bench, Row, read_bench
from search_sim.awb.runs import CONFIG, PREDICTIONS
from search_sim.awb.runs import ROWS as ROWS_FILE
from worldgen.errors import ConfigurationError, LanguageModelError
from worldgen.lm.records import Reply, Sampling

SAID = "<predicted_observation>\nthe page\n</predicted_observation>"


def _infer(rows: Sequence[Row], folder: Path, model: Scripted) -> list[Prediction]:
    return asyncio.run(infer(Bench(tuple(rows)), folder, model, CALLS))


def test_a_model_is_told_all_turns_up_to_the_one_in_question() -> None:
    row = a_row(turns=3, response=("one", "two", "three", "four"), prompt=("a", "b", "c", "d"))
    request = request_of(row, CALLS)
    assert [tuple(message) for message in request.messages] == [
        ("system", "You play a world."),
        ("user", "a"),
        ("assistant", "one"),
        ("user", "b"),
        ("assistant", "two"),
        ("user", "c"),
    ]
    assert request.sampling == Sampling(0.6, 0.95, 20, 32_768)


def test_the_reference_and_later_turns_are_in_no_request() -> None:
    for row in read_bench(ROWS).rows:
        said = [message.content for message in request_of(row, CALLS).messages]
        assert row.reference not in said
        assert said[-1] == row.action
        assert len(said) == 2 * len(row.history) + 1 + bool(row.system_str)


def test_seeds_differ_by_row_and_try_and_are_such_as_servers_take() -> None:
    rows = some_rows(40)
    seeds = [request_of(row, CALLS, tries).seed for row in rows for tries in range(3)]
    assert len(set(seeds)) == len(seeds)
    assert all(seed is not None and 0 <= seed < 2**31 for seed in seeds)
    assert request_of(rows[0], CALLS).seed == request_of(rows[0], CALLS).seed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SAID, "the page"),
        (
            f"<think>\n<predicted_observation>no</predicted_observation>\n</think>\n{SAID}",
            "the page",
        ),
        (f"a draft: <predicted_observation>x</predicted_observation>, and {SAID}", "the page"),
        (f"it was in the prompt that thinking began</think>{SAID} Done.", "the page"),
        (f"<think>never closed {SAID}", "the page"),
        ("<predicted_observation>the page", "the page"),
        ("<think>hm</think> the page ", "the page"),
        ("<think>to the end", ""),
        ("<predicted_observation> </predicted_observation>", ""),
        ("", ""),
    ],
)
def test_the_last_tag_is_the_prediction(text: str, expected: str) -> None:
    assert predicted(text) == expected


def test_predictions_are_written_down_in_the_order_of_rows(tmp_path: Path) -> None:
    rows = some_rows(9)
    model = Scripted(lambda _: Reply(f"<think>a</think>{SAID}", "stop", 7, 5))
    made = _infer(rows, tmp_path / "run", model)
    assert [one.key for one in made] == [row.key for row in rows]
    assert list(read_results(tmp_path / "run" / PREDICTIONS, Prediction).values()) == made
    assert made[0] == Prediction(
        task="mcp",
        id=0,
        turn_idx=2,
        prediction="the page",
        reply=f"<think>a</think>{SAID}",
        finish="stop",
        prompt_tokens=7,
        completion_tokens=5,
    )


def test_what_holds_no_prediction_is_a_failure_and_says_why(tmp_path: Path) -> None:
    says: dict[int, Reply | LanguageModelError | str] = {
        0: Reply("<think>and so on", "length", 9, 32_768),
        1: Reply(""),
        2: LanguageModelError("late", "no reply in 5 s"),
        3: LanguageModelError("refused", "too long \ud800", 400),
        4: SAID,
    }
    rows = [a_row(id=n, system_str=str(n)) for n in says]
    model = Scripted(lambda request: says[int(request.messages[0].content)])
    made = _infer(rows, tmp_path, model)
    assert [one.failure for one in made] == ["cut off", "empty", "late", "refused", None]
    assert [one.message for one in made] == [
        "no prediction within 32768 tokens",
        "the reply holds no prediction",
        "language model, late: no reply in 5 s",
        "language model, refused: too long ?",
        "",
    ]


def test_going_on_asks_for_what_failed_alone_with_another_seed(tmp_path: Path) -> None:
    rows = some_rows(5)
    first = Scripted(lambda request: "" if request.messages[-1].content == "fails" else SAID)
    rows = (*rows, a_row(id=99, prompt=("action 1", "fails")))
    assert [one.failure for one in _infer(rows, tmp_path, first)] == [None] * 5 + ["empty"]
    again = Scripted(lambda _: SAID)
    made = _infer(rows, tmp_path, again)
    assert [one.failure for one in made] == [None] * 6
    assert [request.messages for request in again.asked] == [request_of(rows[5], CALLS).messages]
    assert again.asked[0].seed == request_of(rows[5], CALLS, tries=1).seed
    assert made[5].tries == 2
    nothing = Scripted(lambda _: SAID)
    assert _infer(rows, tmp_path, nothing) == made
    assert not nothing.asked


def test_another_configuration_is_refused_with_what_changed(tmp_path: Path) -> None:
    _infer(some_rows(2), tmp_path, Scripted(lambda _: SAID))
    other = Scripted(lambda _: SAID)
    other.name = "other"
    with pytest.raises(
        ConfigurationError,
        match=r"predictions of another configuration \(model scripted there, other here\); name",
    ):
        _infer(some_rows(2), tmp_path, other)
    with pytest.raises(ConfigurationError, match=r"\(domains; rows 2 there, 3 here; rows_digest\)"):
        _infer(some_rows(3), tmp_path, Scripted(lambda _: SAID))
    assert not other.asked


def test_a_configuration_without_results_may_change(tmp_path: Path) -> None:
    down = Scripted(lambda _: LanguageModelError("unreachable", "nobody there"))
    with pytest.raises(LanguageModelError, match="nobody there"):
        _infer(some_rows(2), tmp_path, down)
    assert len(_infer(some_rows(3), tmp_path, Scripted(lambda _: SAID))) == 3


def test_what_a_run_killed_at_its_start_left_is_no_harm(tmp_path: Path) -> None:
    (tmp_path / f".{CONFIG}.tmp").write_text("{")
    assert len(_infer(some_rows(2), tmp_path, Scripted(lambda _: SAID))) == 2
    (tmp_path / ROWS_FILE).unlink()
    assert len(_infer(some_rows(2), tmp_path, Scripted(lambda _: SAID))) == 2
    assert (tmp_path / ROWS_FILE).exists()


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / PREDICTIONS).write_text("theirs")
    with pytest.raises(ConfigurationError, match=r"holds files and no config\.json"):
        _infer(some_rows(2), tmp_path, Scripted(lambda _: SAID))
    assert [file.name for file in tmp_path.iterdir()] == [PREDICTIONS]
