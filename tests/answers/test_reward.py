from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import answers
from answers.markdown import to_markdown
from answers.reward import BOUND, compute_score, read_gold, reward, trl_reward, trl_rewards
from answers.table import AnswerColumn, AnswerTable

GOLD = AnswerTable(
    columns=(
        AnswerColumn(name="Port", kind="name", key=True),
        AnswerColumn(name="Depth (m)", kind="number", decimals=1, unit="m", guarded=True),
    ),
    rows=(("Ossary", 7.2), ("Kell Brae", 12.0)),
)
RECORD: dict[str, Any] = {
    "task_id": "a",
    "columns": ["Port", "Depth (m)"],
    "key_columns": ["Port"],
    "rows": [["Ossary", 7.2], ["Kell Brae", 12.0]],
    "comparison": {
        "columns": [
            {"kind": "name", "guarded": False, "decimals": 0, "unit": None},
            {"kind": "number", "guarded": True, "decimals": 1, "unit": "m"},
        ],
        "aliases": {},
    },
}
NAMES = ["Port", "Depth (m)"]
RIGHT = to_markdown(NAMES, GOLD.rows)
HALF = to_markdown(NAMES, [("Ossary", 7.2), ("Kell Brae", 13.0)])


def test_it_is_a_weighted_mean() -> None:
    assert reward(GOLD, RIGHT) == 1.0
    assert reward(GOLD, HALF) == pytest.approx(0.6 * 3 / 4 + 0.3 * 1 / 2 + 0.1)
    assert reward(GOLD, HALF, item=1, row=0, format=0) == pytest.approx(3 / 4)
    assert reward(GOLD, HALF, item=2, row=2, format=0) == pytest.approx(5 / 8)
    assert reward(GOLD, None) == reward(GOLD, "") == reward(GOLD, "nothing found") == 0.0


@pytest.mark.parametrize(
    "text",
    [
        to_markdown([*NAMES, "Source"], [(*row, "x") for row in GOLD.rows]),
        to_markdown(["Port"], [row[:1] for row in GOLD.rows]),
        RIGHT.replace("7.2 |", "7.2 | more |"),
        "no table",
    ],
    ids=["a column more", "a column less", "a long row", "no table"],
)
def test_the_format_wants_exactly_the_columns(text: str) -> None:
    assert reward(GOLD, text, item=0, row=0, format=1) == 0.0
    assert reward(GOLD, RIGHT, item=0, row=0, format=1) == 1.0


def test_length_costs_nothing_up_to_the_bound_and_its_share_at_twice_that() -> None:
    assert reward(GOLD, RIGHT.ljust(BOUND)) == 1.0
    assert reward(GOLD, RIGHT.ljust(150), bound=100) == pytest.approx(0.75)
    assert reward(GOLD, RIGHT.ljust(200), bound=100) == pytest.approx(0.5)
    assert reward(GOLD, RIGHT.ljust(900), bound=100, length=1) == 0.0
    assert reward(GOLD, RIGHT.ljust(900), bound=100, length=0) == 1.0


@pytest.mark.parametrize(
    "weights",
    [{"item": -1}, {"item": 0, "row": 0, "format": 0}, {"length": 2}, {"bound": 0}],
)
def test_weights_have_to_make_sense(weights: Any) -> None:
    with pytest.raises(ValueError, match="weights are 0 or more"):
        reward(GOLD, RIGHT, **weights)


@pytest.mark.parametrize(
    "gold",
    [GOLD, RECORD, json.dumps(RECORD), GOLD.model_dump(), GOLD.model_dump_json()],
    ids=["table", "record", "record as JSON", "table as object", "table as JSON"],
)
def test_gold_comes_in_any_form(gold: Any) -> None:
    assert read_gold(gold) == GOLD
    assert compute_score("worlds", RIGHT, gold) == 1.0
    assert compute_score("worlds", HALF, gold, {"index": 1}, item=1, row=0, format=0) == 0.75
    assert trl_reward([RIGHT, "nothing"], gold=[gold, gold]) == [1.0, 0.0]


@pytest.mark.parametrize("gold", ["", "[]", "{}", '{"columns":["a"]}', "no JSON", "7"])
def test_gold_that_is_none_is_an_error(gold: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of whatever kind, JSON's or a record's
        compute_score("worlds", RIGHT, gold)


def test_completions_are_texts_or_messages() -> None:
    said = {"role": "assistant", "content": RIGHT}
    parts = {"role": "assistant", "content": [{"type": "text", "text": RIGHT}]}
    tool = {"role": "tool", "content": RIGHT}
    calls = {"role": "assistant", "content": None}
    completions: list[Any] = [RIGHT, [said], [calls, tool, said], [parts], said]
    assert trl_reward(completions, gold=[GOLD] * 5, prompts=["?"] * 5) == [1.0] * 5
    empty: list[Any] = [[tool], [said, calls], [], None, 7]
    assert trl_reward(empty, gold=[GOLD] * 5) == [0.0] * 5


def test_another_column_and_other_weights() -> None:
    function = trl_rewards("answer", item=1, row=0, format=0)
    assert function.__name__ == "table_reward"
    assert function(completions=[HALF], answer=[GOLD], gold=["no gold"]) == [0.75]
    with pytest.raises(KeyError):
        trl_reward([HALF], answer=[GOLD])


def test_the_package_has_them_under_their_names() -> None:
    assert answers.reward(GOLD, RIGHT) == answers.compute_score("worlds", RIGHT, GOLD) == 1.0
    assert answers.trl_reward([RIGHT], gold=[GOLD]) == [1.0]


@given(
    st.text(),
    st.floats(0, 1e6),
    st.floats(0, 1e6),
    st.floats(0.01, 1e6),
    st.floats(0, 1),
    st.integers(1, 50),
)
def test_it_lies_between_0_and_1(
    text: str, item: float, row: float, format: float, length: float, bound: int
) -> None:
    for reply in (text, RIGHT + text, HALF + text):
        found = reward(GOLD, reply, item=item, row=row, format=format, length=length, bound=bound)
        assert 0.0 <= found <= 1.0
