"""Per family: plans, and exactly what each compiles to, in `fixtures/<family>.txt`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from queries.candidate import Candidate
from queries.families import FAMILIES
from queries.plan import Plan
from queries.scene import Scene

FIXTURES = Path(__file__).with_name("fixtures")
REMAKE = "REMAKE_FIXTURES"
CLAUSE = re.compile(r" (?=(?:FROM|INNER JOIN|LEFT JOIN|WHERE|GROUP BY|ORDER BY|LIMIT) )")


def render_plan(plan: Plan) -> str:
    parts = plan.model_dump(mode="json", exclude_defaults=True).items()
    return "{" + ",\n ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in parts) + "}"


def by_clause(sql: str) -> str:
    """SQL with a line for each clause; subqueries stay within their line."""
    first, *rest = CLAUSE.split(sql)
    lines = [first]
    for part in rest:
        if lines[-1].count("(") == lines[-1].count(")"):
            lines.append(part)
        else:
            lines[-1] += f" {part}"
    return "\n".join(lines)


def render(title: str, candidate: Candidate) -> str:
    sections = {
        "plan": render_plan(candidate.plan),
        "question": candidate.question,
        "value": by_clause(candidate.lineage.value_sql),
        "lineage": by_clause(candidate.lineage.lineage_sql),
        "answer": "\n".join(" | ".join(map(str, row)) for row in candidate.rows),
    }
    return f"=== {title}\n" + "".join(f"--- {k}\n{text}\n" for k, text in sections.items())


@pytest.mark.parametrize("family", FAMILIES)
def test_plans_compile_to_what_the_fixture_file_says(
    family: str, small: Scene, plans: Mapping[str, Mapping[str, Plan]]
) -> None:
    cases = plans[family]
    assert len(cases) >= 3
    assert {plan.family for plan in cases.values()} == {family}
    text = "\n".join(render(title, Candidate(small, plan)) for title, plan in cases.items())
    path = FIXTURES / f"{family}.txt"
    if os.environ.get(REMAKE):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
