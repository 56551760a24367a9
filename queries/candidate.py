"""A plan that was run: what the acceptance checks look at, and what a task is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from answers.table import AnswerColumn, AnswerTable, CellKind
from queries.effort import difficulty, pages_needed, spread
from queries.lineage import AnswerRow, Lineage
from queries.plan import Plan, column_of
from queries.scene import FEWEST_ROWS, Scene
from queries.sql import key_aliases, key_heading
from queries.task import DISCLOSED_SHARE, Task
from queries.wording import question
from worldgen.facts import Fact


@dataclass(frozen=True)
class Candidate:
    """A plan and its scene, with what running it gives."""

    scene: Scene
    plan: Plan

    @cached_property
    def lineage(self) -> Lineage:
        """The plan's queries."""
        return Lineage(self.plan, self.scene.blueprint, self.scene.roles)

    @cached_property
    def rows(self) -> list[AnswerRow]:
        """The rows of the answer."""
        return self.lineage.answer(self.scene.connection)

    @cached_property
    def needed(self) -> list[Fact]:
        """The guarded facts that the answer rests on."""
        return self.lineage.needed(self.scene.connection)

    @cached_property
    def pages(self) -> tuple[str, ...]:
        """Pages that together state the needed facts."""
        return pages_needed(self.scene.web, self.needed)

    @cached_property
    def spread(self) -> float:
        """The largest share of the needed facts on one page."""
        return spread(self.scene.web, self.needed)

    @cached_property
    def question(self) -> str:
        """The question in words."""
        return question(self.plan, self.scene.world)

    @cached_property
    def columns(self) -> tuple[AnswerColumn, ...]:
        """The columns of the answer."""
        keys = [
            AnswerColumn(
                name=key_heading(self.scene.blueprint, self.plan.source(alias).table),
                kind="name",
                key=True,
            )
            for alias in key_aliases(self.plan)
        ]
        return (*keys, *map(self._column, range(len(self.plan.outputs))))

    def _column(self, number: int) -> AnswerColumn:
        output = self.plan.outputs[number]
        column = column_of(
            self.scene.blueprint, self.plan.source(output.alias).table, output.column
        )
        guarded = self.lineage.is_guarded(output)
        if column is None or output.aggregate == "count":
            return AnswerColumn(name=output.heading, kind="number", guarded=guarded)
        kinds: dict[str, CellKind] = {
            "date": "date",
            "category": "category",
            "ref": "name",
            "person": "name",
        }
        kind = kinds.get(column.kind, "number")
        return AnswerColumn(
            name=output.heading,
            kind=kind,
            guarded=guarded,
            decimals=column.decimals,
            unit=column.unit,
        )

    def answer(self) -> AnswerTable:
        """The answer table, with the lineage of each cell."""
        cells = self.lineage.cells(self.scene.connection)
        lineage = tuple(tuple(tuple(map(str, facts)) for facts in row) for row in cells)
        named = {str(value) for row in self.rows for value in row if isinstance(value, str)}
        world = self.scene.world
        aliases = {
            name: world.short_names[(table, i)]
            for table, i, name in world.entities()
            if name in named and (table, i) in world.short_names
        }
        return AnswerTable(
            columns=self.columns, rows=tuple(self.rows), lineage=lineage, aliases=aliases
        )

    def task(self, task_id: str) -> Task:
        """The task that the plan makes."""
        guarded = sum(column.guarded for column in self.columns)
        return Task(
            task_id=task_id,
            world_id=self.scene.world.id,
            question=self.question,
            plan=self.plan,
            sql=self.lineage.value_sql,
            lineage_sql=self.lineage.lineage_sql,
            answer=self.answer(),
            needed=tuple(map(str, self.needed)),
            pages_needed=len(self.pages),
            difficulty=difficulty(self.plan, len(self.pages)),
            spread=round(self.spread, 4),
            disclosures=max(1, FEWEST_ROWS * guarded // DISCLOSED_SHARE),
        )
