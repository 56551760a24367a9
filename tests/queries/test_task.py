from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from pydantic import ValidationError

from answers.markdown import to_markdown
from answers.record import TaskRecord
from answers.score import score
from answers.table import AnswerColumn
from queries.candidate import Candidate
from queries.plan import Condition, Output, Plan
from queries.scene import Scene
from queries.task import Task
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.tables import connect

Plans = Mapping[str, Mapping[str, Plan]]
EXPORTED = {
    *("task_id", "world_id", "question", "columns", "key_columns", "rows", "sql"),
    *("family", "difficulty", "comparison"),
}


def test_a_task_is_the_same_after_a_trip_through_json(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    for _, task in tasks:
        again = Task.model_validate_json(task.model_dump_json())
        assert again == task
        assert again.model_dump_json() == task.model_dump_json()
        types = [[type(cell) for cell in row] for row in task.answer.rows]
        assert [[type(cell) for cell in row] for row in again.answer.rows] == types
        assert [type(c.value) for c in again.plan.conditions] == [
            type(c.value) for c in task.plan.conditions
        ]


def test_a_task_refuses_fields_that_it_does_not_know(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    record = tasks[0][1].model_dump(mode="json")
    with pytest.raises(ValidationError):
        Task.model_validate({**record, "hint": "look on page 3"})


def test_an_export_has_its_fields_and_no_others(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for scene, task in tasks:
        record = task.export()
        assert set(record) == EXPORTED
        assert json.loads(json.dumps(record)) == record
        assert record["world_id"] == scene.world.id
        assert record["family"] == task.plan.family
        assert record["rows"] == [list(row) for row in task.answer.rows]
        assert record["key_columns"] == record["columns"][: len(record["key_columns"])]
        assert all(len(row) == len(record["columns"]) for row in record["rows"])
        assert TaskRecord.model_validate(record).answer() == task.answer.model_copy(
            update={"lineage": ()}
        )


def test_disclosures_are_a_quarter_of_the_guarded_cells_at_most(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    for _, task in tasks:
        guarded = sum(column.guarded for column in task.answer.columns)
        assert guarded == len(task.plan.outputs)
        cells = guarded * len(task.answer.rows)
        assert 1 <= task.disclosures <= max(1, cells // 4)


def test_disclosures_say_nothing_of_the_answer(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    """The same plan on the same world with all that is guarded drawn anew."""
    twins: dict[str, Scene] = {}
    other_answers = 0
    for scene, task in tasks[::5]:
        world = scene.world
        if world.id not in twins:
            twin = populate(world.blueprint, world.seed, world.id, redraw=1)
            twins[world.id] = Scene(twin, publish(twin), connect(twin))
        again = Candidate(twins[world.id], task.plan).task(task.task_id)
        other_answers += len(again.answer.rows) != len(task.answer.rows)
        assert again.disclosures == task.disclosures
        assert again.question == task.question
        assert again.sql == task.sql
        assert again.lineage_sql == task.lineage_sql
    for scene in twins.values():
        scene.connection.close()
    assert other_answers > 5


def test_fewer_rows_than_a_quarter_still_disclose_one(small: Scene, plans: Plans) -> None:
    one_row = plans["absent"]["crown workshops at no autumn fair"]
    task = Candidate(small, one_row).task("t")
    assert [len(task.answer.rows), task.disclosures] == [1, 2]
    single = one_row.model_copy(update={"outputs": one_row.outputs[:1]})
    assert Candidate(small, single).task("t").disclosures == 1


def test_the_answer_itself_scores_one(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for _, task in tasks[::3]:
        text = to_markdown([column.name for column in task.answer.columns], task.answer.rows)
        assert score(task.answer, text).success, task.question


COLUMNS: dict[tuple[str, str], list[AnswerColumn]] = {
    ("filtered", "workshops of east bank guilds that opened before 1910"): [
        AnswerColumn(name="Workshop", kind="name", key=True),
        AnswerColumn(name="Opening date", kind="date", guarded=True),
        AnswerColumn(name="Number of staff", kind="number", guarded=True),
        AnswerColumn(name="Favourite fair", kind="name", guarded=True),
    ],
    ("top", "the five crown workshops with the highest insured value"): [
        AnswerColumn(name="Workshop", kind="name", key=True),
        AnswerColumn(name="Insured value (USD)", kind="number", guarded=True, unit="USD"),
        AnswerColumn(name="Master glazier", kind="name", guarded=True),
    ],
    ("linked", "workshops of west bank guilds at autumn fairs"): [
        AnswerColumn(name="Workshop", kind="name", key=True),
        AnswerColumn(name="Fair", kind="name", key=True),
        AnswerColumn(name="Yearly fee (USD)", kind="number", guarded=True, unit="USD"),
        AnswerColumn(name="Stall width (m)", kind="number", guarded=True, unit="m", decimals=1),
    ],
    ("absent", "crown workshops at no autumn fair"): [
        AnswerColumn(name="Workshop", kind="name", key=True),
        AnswerColumn(name="Number of staff", kind="number", guarded=True),
        AnswerColumn(name="Furnace type", kind="category", guarded=True),
    ],
    ("grouped", "all guilds, kilns summed and latest opening"): [
        AnswerColumn(name="Guild", kind="name", key=True),
        AnswerColumn(
            name="Total kiln length (m)", kind="number", guarded=True, unit="m", decimals=1
        ),
        AnswerColumn(name="Latest opening date", kind="date", guarded=True),
    ],
    ("grouped", "stalls of the crown workshops"): [
        AnswerColumn(name="Workshop", kind="name", key=True),
        AnswerColumn(name="Number of stalls", kind="number", guarded=True),
        AnswerColumn(name="Total yearly fee (USD)", kind="number", guarded=True, unit="USD"),
        AnswerColumn(name="Earliest date of the lease", kind="date", guarded=True),
    ],
}


@pytest.mark.parametrize(("family", "title"), COLUMNS)
def test_columns_and_how_they_compare(family: str, title: str, small: Scene, plans: Plans) -> None:
    assert list(Candidate(small, plans[family][title]).columns) == COLUMNS[family, title]


def test_aliases_are_the_short_names_of_what_the_answer_names(small: Scene, plans: Plans) -> None:
    top = plans["top"]["the three earliest workshops of all"]
    assert Candidate(small, top).answer().aliases == {"Penrow Works": ("Penrow",)}
    kilns = plans["grouped"]["all guilds, kilns summed and latest opening"]
    assert Candidate(small, kilns).answer().aliases == {"Aldra Guild": ("Aldra",)}
    coal = plans["filtered"]["workshops with a coal furnace"]
    assert Candidate(small, coal).answer().aliases == {}


def test_parts_of_a_plan(small: Scene, plans: Plans) -> None:
    linked = plans["linked"]["workshops of west bank guilds at autumn fairs"]
    assert linked.tables() == ("workshop", "guild", "stall", "fair")
    assert plans["absent"]["workshops at no spring fair"].tables() == ("workshop", "stall")
    change = plans["change"]["workshops with more waste"]
    assert change.tables() == ("workshop", "glass_return")
    assert [s.alias for s in change.via("year")] == ["before", "after"]
    assert not change.aggregated
    stalls = plans["grouped"]["stalls of the crown workshops"]
    assert stalls.aggregated
    (crown,) = stalls.conditions
    assert stalls.without(crown).conditions == ()
    other = Condition(alias="b", column="glass", operator="=", value="flint")
    assert stalls.without(other) == stalls
    assert stalls.source("child").table == "stall"
    with pytest.raises(ValidationError):
        Output.model_validate({"alias": "b", "column": "c", "heading": "C", "aggregate": "mean"})
