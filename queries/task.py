"""The task record: what is asked, how it is answered, and what the answer rests on."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from answers.table import AnswerTable
from queries.plan import Plan

DISCLOSED_SHARE = 4
"""Over an episode under `reach`, search may state one in so many of the guarded cells that the
smallest acceptable answer of the plan would have."""


class Task(BaseModel):
    """A question about a world.

    Attributes:
        sql: the value query in SQLite's dialect: its result is `answer.rows`.
        lineage_sql: the query for the rows that the answer could rest on.
        needed: ids of the guarded facts that the whole answer rests on, conditions included.
        difficulty: the estimate of `queries.effort.difficulty`, from 0 to 1.
        spread: the largest share of the needed facts that stands on one page.
        disclosures: how many facts search may state over an episode under the policy `reach`: a
            quarter of the guarded cells of the smallest answer that the plan could have. It
            depends on the plan alone, so that it tells nothing of the answer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: str
    world_id: str
    question: str
    plan: Plan
    sql: str
    lineage_sql: str
    answer: AnswerTable
    needed: tuple[str, ...]
    pages_needed: int
    difficulty: float
    spread: float
    disclosures: int

    @property
    def family(self) -> str:
        """The plan's family."""
        return self.plan.family

    def export(self) -> dict[str, Any]:
        """The record of the `jsonl` export."""
        return {
            "task_id": self.task_id,
            "world_id": self.world_id,
            "question": self.question,
            "columns": [column.name for column in self.answer.columns],
            "key_columns": list(self.answer.key_columns),
            "rows": [list(row) for row in self.answer.rows],
            "sql": self.sql,
            "family": self.family,
            "difficulty": self.difficulty,
            "comparison": self._comparison(),
        }

    def _comparison(self) -> dict[str, Any]:
        """How cells are compared: a rule for each column, and the other forms of names."""
        rules = {"kind", "guarded", "decimals", "unit"}
        return {
            "columns": [column.model_dump(include=rules) for column in self.answer.columns],
            "aliases": {name: list(forms) for name, forms in self.answer.aliases.items()},
        }
