"""Whole replies, one a line in `strict_cases.txt`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from answers.markdown import to_markdown
from answers.score import score
from answers.table import AnswerColumn, AnswerTable

CASES = Path(__file__).with_name("strict_cases.txt")


def key(name: str, kind: str = "name") -> AnswerColumn:
    return AnswerColumn.model_validate({"name": name, "kind": kind, "key": True})


def column(name: str, kind: str, decimals: int = 0, unit: str | None = None) -> AnswerColumn:
    return AnswerColumn.model_validate(
        {"name": name, "kind": kind, "decimals": decimals, "unit": unit, "guarded": True}
    )


GOLD = {
    "ports": AnswerTable(
        columns=(
            key("Port"),
            column("Operator", "name"),
            column("Depth (m)", "number", 1, "m"),
            column("Opened", "date"),
        ),
        rows=(
            ("Ossary", "Marrick Ferries", 7.2, "2029-03-14"),
            ("Kell Brae", "Tarn Lines", 12.0, "2030-01-02"),
            ("Velmora", "Ash/Elm Line", 4.5, "2028-11-30"),
        ),
        aliases={"Marrick Ferries": ("Marrick",), "Kell Brae": ("Kell",)},
    ),
    "fees": AnswerTable(
        columns=(
            key("Port"),
            column("Dues (USD)", "number", 0, "USD"),
            column("Share (%)", "number", 1, "%"),
        ),
        rows=(("Ossary", 1234567, 12.5), ("Kell Brae", 48200, 7.0)),
    ),
    "codes": AnswerTable(
        columns=(key("Code"), column("Open", "category"), column("Grade", "category")),
        rows=(("007", "yes", "A-"), ("012", "no", "N/A")),
    ),
    "clubs": AnswerTable(
        columns=(key("Club"), key("Season", "number"), column("Wins", "number")),
        rows=(("Ash", 2028, 3), ("Elm", 2029, 7)),
    ),
    "sites": AnswerTable(
        columns=(key("Site"), column("Rank", "number"), column("Drift", "number", 3)),
        rows=(("Ossary", 1234, 1.234), ("Kell Brae", -5, -0.5)),
    ),
    "months": AnswerTable(
        columns=(key("Port"), column("Opened", "date"), column("Closes", "date")),
        rows=(("Ossary", "2029-03", "2031"), ("Kell Brae", "2030-01", "2032")),
    ),
    "piers": AnswerTable(
        columns=(key("Pier"), column("Depth", "number")),
        rows=(("Longpier 12", 5), ("Longpier 13", 7), ("Northan", 8), ("Northal", 9)),
    ),
    "pipes": AnswerTable(
        columns=(key("Port"), column("Line", "name")), rows=(("Ossary", "Ash|Elm"),)
    ),
    "empty": AnswerTable(columns=(key("Port"), column("Depth", "number")), rows=()),
}


class Case(NamedTuple):
    gold: AnswerTable
    reply: str
    right: str


def read_cases() -> list[object]:
    cases: list[object] = []
    for number, line in enumerate(CASES.read_text(encoding="utf-8").split("\n"), 1):
        if line and not line.startswith("#"):
            name, reply, right, reason = line.split(" ~ ")
            case = Case(GOLD[name], written(GOLD[name], reply), right)
            cases.append(pytest.param(case, id=f"line {number}: {reason}"))
    return cases


def written(gold: AnswerTable, reply: str) -> str:
    """The reply that a case means."""
    marks = {r"\\": "\0", r"\n": "\n", r"\t": "\t", r"\0": "\x01", "\0": "\\"}
    for mark, meant in marks.items():
        reply = reply.replace(mark, meant)
    head, rule, *rows = to_markdown([column.name for column in gold.columns], gold.rows).split("\n")
    reply = reply.replace("{H}", f"{head}\n{rule}\n")
    for letter, row in zip("ABC", rows, strict=False):
        reply = reply.replace(f"{{{letter}}}", f"{row}\n")
    return reply


def f1(right: int, said: int, wanted: int) -> float:
    return 2 * right / (said + wanted) if said + wanted else 1.0


@pytest.mark.parametrize("case", read_cases())
def test_case(case: Case) -> None:
    result = score(case.gold, case.reply)
    if case.right == "no table":
        assert result.problem
        assert result.item_f1 == result.row_f1 == 0.0
        return
    cells, said, rows = map(int, case.right.split())
    width, wanted = len(case.gold.columns), len(case.gold.rows)
    assert result.problem is None
    assert result.said_rows == said
    assert result.item_f1 == pytest.approx(f1(cells, said * width, wanted * width))
    assert result.row_f1 == pytest.approx(f1(rows, said, wanted))
    assert result.success is (rows == said == wanted)


def test_there_are_many_cases_and_none_twice() -> None:
    lines = [line for line in CASES.read_text(encoding="utf-8").split("\n") if " ~ " in line]
    assert len(lines) >= 150
    assert len(set(lines)) == len(lines)
