from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answers.score import score
from answers.trials import Gold
from answers.widesearch_layout import read_layout, task_file

EVALUATION: dict[str, Any] = {
    "unique_columns": ["city"],
    "required": ["city", "area(km2)", "founded"],
    "eval_pipeline": {
        "city": {"preprocess": ["norm_str"], "metric": ["exact_match"]},
        "area(km2)": {
            "preprocess": ["extract_number"],
            "metric": ["number_near"],
            "criterion": 0.05,
        },
        "founded": {"preprocess": ["norm_date"], "metric": ["date_near"], "criterion": 31},
    },
}
TASK = {"instance_id": "ws_1", "query": "Cities?", "evaluation": EVALUATION, "language": "en"}
CSV = "Founded,City,Area (km2),Note\n2029-01-02,Velmora,112.5,x\n2030-03-04,Ossary,310,\n"


def folder(tmp_path: Path, csv: str = CSV, **changes: object) -> Path:
    record = {**TASK, **changes}
    (tmp_path / "widesearch.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    (tmp_path / "widesearch_gold").mkdir(exist_ok=True)
    (tmp_path / "widesearch_gold" / "ws_1.csv").write_text(csv, encoding="utf-8")
    return tmp_path


def read(path: Path) -> Gold:
    file = task_file(path)
    assert file
    ((where, gold),) = read_layout(file)
    assert where.endswith("widesearch.jsonl, line 1")
    return gold


def test_tasks_and_gold_tables_are_read(tmp_path: Path) -> None:
    gold = read(folder(tmp_path))
    assert (gold.task_id, gold.question, gold.tags) == ("ws_1", "Cities?", {"language": "en"})
    assert gold.pipeline
    assert (gold.pipeline.gold_csv, gold.pipeline.evaluation) == (CSV, EVALUATION)
    columns = [(c.name, c.kind, c.key, c.guarded, c.decimals) for c in gold.answer.columns]
    assert columns == [
        ("City", "name", True, False, 0),
        ("Area (km2)", "number", False, False, 1),
        ("Founded", "date", False, False, 0),
    ]
    assert gold.answer.rows == (("Velmora", 112.5, "2029-01-02"), ("Ossary", 310, "2030-03-04"))
    reply = "|City|Area|Founded|\n|-|-|-|\n|Ossary|310|4 March 2030|\n|Velmora|112.5|2029-01-02|"
    assert score(gold.answer, reply).success


def test_the_evaluation_can_be_a_text_and_the_file_can_be_named(tmp_path: Path) -> None:
    found = folder(tmp_path, evaluation=json.dumps(EVALUATION))
    assert read(found) == read(found / "widesearch.jsonl")


def test_rows_of_one_key_are_taken_once_and_cells_may_lack(tmp_path: Path) -> None:
    csv = "City,Area (km2),Founded\nOssary,about 3,2029\nOssary,4,2030\n\nKell\n"
    gold = read(folder(tmp_path, csv))
    assert gold.answer.rows == (("Ossary", "about 3", "2029"), ("Kell", "", ""))
    assert [column.kind for column in gold.answer.columns] == ["name", "name", "name"]


@pytest.mark.parametrize("keys", [[], ["nation"]])
def test_without_a_usable_key_the_whole_row_is_one(tmp_path: Path, keys: list[str]) -> None:
    gold = read(folder(tmp_path, evaluation={**EVALUATION, "unique_columns": keys}))
    assert all(column.key for column in gold.answer.columns)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"instance_id": "../ws_1"}, "line 1: there is no gold table ../ws_1.csv"),
        ({"instance_id": 7}, "line 1: instance_id: Input should be a valid string"),
        ({"evaluation": []}, "line 1: evaluation: Input should be a valid dictionary"),
        ({"evaluation": "{"}, "line 1: Expecting property name"),
        ({"evaluation": {"required": ["city"]}}, "line 1: unique_columns: Field required"),
        (
            {"evaluation": {**EVALUATION, "required": ["mayor"]}},
            "line 1: the gold table lacks the column 'mayor'",
        ),
        ({"csv": ""}, "line 1: the gold table can't be read"),
    ],
)
def test_what_cannot_be_used_is_named(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    file = task_file(folder(tmp_path, **changes))
    assert file
    with pytest.raises(ValueError, match="line 1") as raised:
        list(read_layout(file))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_other_folders_and_files_are_not_in_this_layout(tmp_path: Path) -> None:
    assert task_file(tmp_path) is None
    assert task_file(tmp_path / "nowhere") is None
    for name, text in (
        ("a.jsonl", '{"instance_id": "a", "response": "x"}\n'),
        ("b.jsonl", "no JSON\n[]\n"),
        ("c.jsonl", ""),
    ):
        (tmp_path / name).write_text(text)
        assert task_file(tmp_path / name) is None
    assert task_file(tmp_path) is None
