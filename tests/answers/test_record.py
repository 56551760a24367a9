from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from answers.record import TaskRecord
from answers.table import AnswerColumn, AnswerTable


def record(**fields: Any) -> dict[str, Any]:
    return {
        "task_id": "a",
        "columns": ["Port", "Depth (m)"],
        "key_columns": ["Port"],
        "rows": [["Ossary", 7.2], ["Kell", 12]],
        **fields,
    }


def answer(**fields: Any) -> AnswerTable:
    return TaskRecord.model_validate(record(**fields)).answer()


def test_a_comparison_is_taken_as_it_stands() -> None:
    depth: dict[str, Any] = {"kind": "number", "guarded": False, "decimals": 3, "unit": None}
    comparison = {
        "columns": [{"kind": "category", "guarded": True, "decimals": 0, "unit": None}, depth],
        "aliases": {"Ossary": ["Oss"]},
    }
    assert answer(comparison=comparison) == AnswerTable(
        columns=(
            AnswerColumn(name="Port", kind="category", key=True, guarded=True),
            AnswerColumn(name="Depth (m)", kind="number", decimals=3),
        ),
        rows=(("Ossary", 7.2), ("Kell", 12)),
        aliases={"Ossary": ("Oss",)},
    )


@pytest.mark.parametrize(
    ("heading", "values", "kind", "decimals", "unit"),
    [
        ("Depth (m)", [7.2, 12], "number", 1, "m"),
        ("Depth [metres]", [7, 12], "number", 0, "metres"),
        ("Fee (million USD per night)", [0.25, 1e-7], "number", 7, "million USD per night"),
        ("Speed (km/h)", [7.0, 1e22], "number", 1, "km/h"),
        ("Visitors (thousands)", [1, 2], "number", 0, "thousands"),
        ("Fee (2029)", [1, 2], "number", 0, None),
        ("Fee", [-1.5, 2], "number", 1, None),
        ("Tiny", [1e-300, 2], "number", 30, None),
        ("Opened (m)", ["2029-03-14", "2030-01-02"], "date", 0, None),
        ("Opened", ["2029-03-14", "2030-02-30"], "name", 0, None),
        ("Opened", ["2029-03-14", "20300102"], "name", 0, None),
        ("Opened", ["2029-03-14", "2030-W01-1"], "name", 0, None),
        ("Mixed", ["2029-03-14", 7], "name", 0, None),
        ("Mixed (m)", ["deep", 7.25], "name", 0, None),
        ("Operator", ["Marrick", "Tarn"], "name", 0, None),
    ],
)
def test_without_one_the_rule_is_inferred(
    heading: str, values: list[Any], kind: str, decimals: int, unit: str | None
) -> None:
    rows = [["Ossary", values[0]], ["Kell", values[1]]]
    port, column = answer(columns=["Port", heading], rows=rows).columns
    assert port == AnswerColumn(name="Port", kind="name", key=True)
    assert column == AnswerColumn.model_validate(
        {"name": heading, "kind": kind, "guarded": True, "decimals": decimals, "unit": unit}
    )


def test_an_answer_without_rows_is_compared_as_text() -> None:
    assert [column.kind for column in answer(rows=[]).columns] == ["name", "name"]


@pytest.mark.parametrize(
    ("fields", "where", "message"),
    [
        ({"rows": [["Ossary", None]]}, ("rows", 0, 1), "a cell is a text or a number"),
        ({"rows": [["Ossary", True]]}, ("rows", 0, 1), "a cell is a text or a number"),
        ({"rows": [["Ossary", float("inf")]]}, ("rows", 0, 1), "a cell is a text or a number"),
        ({"rows": [["Ossary", [1]]]}, ("rows", 0, 1), "a cell is a text or a number"),
        ({"rows": [["Ossary"]]}, (), "row 1 has 1 cells for 2 columns"),
        ({"rows": [["Ossary", 1], ["Ossary", 2]]}, (), "two rows of the answer have the same key"),
        ({"task_id": 7}, ("task_id",), "valid string"),
        ({"comparison": {}}, ("comparison", "columns"), "required"),
    ],
)
def test_a_broken_record_says_where(
    fields: dict[str, Any], where: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(ValidationError, match=message) as raised:
        answer(**fields)
    assert raised.value.errors()[0]["loc"] == where


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"key_columns": ["Ship"]}, "the key column 'Ship' is none of the columns"),
        ({"comparison": {"columns": [{"kind": "name"}]}}, "there are not as many rules as columns"),
    ],
)
def test_a_record_that_contradicts_itself(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        answer(**fields)
