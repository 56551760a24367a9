from __future__ import annotations

import json

from answers.explained import explained
from answers.markdown import to_markdown
from answers.table import AnswerColumn, AnswerTable
from answers.trials import Gold, Trial

TABLE = AnswerTable(
    columns=(
        AnswerColumn(name="Port", kind="name", key=True),
        AnswerColumn(name="Depth (m)", kind="number", guarded=True, decimals=1, unit="m"),
    ),
    rows=(("Ossary", 7.2), ("Kell", 12.0), ("Elm", 3.0)),
)
GOLD = Gold("a", "Which ports?", TABLE)


def test_every_column_row_and_cell_is_told() -> None:
    text = to_markdown(
        ["Depth", "Port", "Page"],
        [(13, "Kell", "p"), (1, "Oak", "q"), (7.2, "Ossary", "r"), (8, "Ossary", "s")],
    )
    found = explained(GOLD, Trial("a", text, 4), 2)
    assert json.loads(json.dumps(found)) == found
    assert (found["task_id"], found["line"], found["trial"]) == ("a", 4, 2)
    assert found["problem"] is None
    assert found["columns"] == [
        {"column": "Port", "key": True, "guarded": False, "said_as": "Port"},
        {"column": "Depth (m)", "key": False, "guarded": True, "said_as": "Depth"},
    ]
    assert found["extra_columns"] == ["Page"]
    assert found["missing_rows"] == [{"row": 3, "cells": ["Elm", 3.0]}]
    assert found["invented_rows"] == [2, 4]
    rows = found["rows"]
    assert [(row["row"], row["taken_for"], row["matched_row"]) for row in rows] == [
        (1, "joined", 2),
        (2, "surplus", None),
        (3, "joined", 1),
        (4, "surplus", 1),
    ]
    assert rows[0]["cells"][0] == {
        "column": "Depth (m)",
        "said": "13",
        "wanted": 12.0,
        "mark": "wrong",
        "why": "wrong: wanted is 12.0",
    }
    assert [cell["mark"] for cell in rows[2]["cells"]] == ["right", "right", "ignored"]
    assert rows[1]["why"] == "no row that was wanted has this key"
    assert rows[3]["why"] == "a second row for this key"


def test_without_a_table_all_rows_are_missing_and_it_says_why() -> None:
    found = explained(GOLD, Trial("a", "nothing"), 1)
    assert found["problem"] == "the reply holds no table"
    assert len(found["missing_rows"]) == 3
    assert found["rows"] == found["invented_rows"] == found["extra_columns"] == []
    assert [column["said_as"] for column in found["columns"]] == [None, None]
    failed = explained(GOLD, Trial("a", None, failure="out of time"), 1)
    assert failed["problem"] == "the agent failed: out of time"


def test_a_key_that_is_nearly_right_is_told() -> None:
    text = to_markdown(["Port", "Depth"], [("Osary", 7.2)])
    (row,) = explained(GOLD, Trial("a", text), 1)["rows"]
    assert (row["taken_for"], row["matched_row"]) == ("joined", 1)
    assert row["why"] == "its key is nearly that of a row that was wanted"
