from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from queries.accept import CHECKS, no_tie_at_cut
from queries.candidate import Candidate
from queries.families import FAMILIES
from queries.families.common import MOST_CANDIDATES
from queries.families.grouped import MOST_CHILDREN
from queries.families.top import LONGEST
from queries.plan import Plan
from queries.propose import Rejection, propose_tasks
from queries.scene import FEWEST_ROWS, Scene
from queries.task import Task
from queries.wording import question
from worldgen.blueprint import Blueprint
from worldgen.canonical import digest
from worldgen.facts import Value
from worldgen.library import domain
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.roles import Roles, assign_roles
from worldgen.seeds import generator
from worldgen.tables import connect

Asked = tuple[Scene, tuple[Task | Rejection, ...]]
PER_WORLD = 300


def plans_of(scene: Scene, family: str, draws: int) -> Iterator[Plan]:
    for number in range(draws):
        if plan := FAMILIES[family](scene, generator(7, family, number)):
            yield plan


def test_proposing_is_repeatable(asked: tuple[Asked, ...]) -> None:
    for scene, found in asked[:2]:
        world = populate(domain(scene.blueprint.id), scene.world.seed, scene.world.id)
        again = Scene(world, publish(world), connect(world))
        assert tuple(propose_tasks(again, 2)) == found[: len(list(propose_tasks(scene, 2)))]
        again.connection.close()


def test_more_rounds_keep_the_tasks_of_fewer(scene: Scene) -> None:
    few, many = (list(propose_tasks(scene, rounds)) for rounds in (2, 6))
    assert many[: len(few)] == few
    assert len(many) > len(few)
    assert not list(propose_tasks(scene, 0))


def test_every_family_gives_tasks(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for blueprint in {scene.blueprint.id for scene, _ in tasks}:
        families = {task.family for scene, task in tasks if scene.blueprint.id == blueprint}
        assert families == set(FAMILIES), blueprint


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_proposes_plans_of_its_own_name(family: str, small: Scene) -> None:
    found = list(plans_of(small, family, 20))
    assert found
    assert {plan.family for plan in found} == {family}


def test_most_sampled_plans_are_accepted(asked: tuple[Asked, ...]) -> None:
    assert len(asked) >= 10
    shares = []
    for _, found in asked:
        accepted = sum(isinstance(x, Task) for x in found)
        shares.append(accepted / len(found))
    assert min(shares) >= 0.4


def test_a_rejection_names_its_reason(asked: tuple[Asked, ...]) -> None:
    known = {"question_repeated", *(check.__name__ for check in CHECKS)}
    reasons = Counter(x.reason for _, found in asked for x in found if isinstance(x, Rejection))
    assert reasons
    assert set(reasons) <= known


def test_a_repeated_question_is_refused(asked: tuple[Asked, ...]) -> None:
    repeated = [
        (scene, found, x)
        for scene, found in asked
        for x in found
        if isinstance(x, Rejection) and x.reason == "question_repeated"
    ]
    assert repeated
    for scene, found, rejection in repeated:
        asked_before = {x.question for x in found if isinstance(x, Task)}
        assert question(rejection.plan, scene.world) in asked_before


def test_no_two_tasks_are_alike(asked: tuple[Asked, ...]) -> None:
    every_id = [x.task_id for _, found in asked for x in found if isinstance(x, Task)]
    assert len(set(every_id)) == len(every_id)
    for scene, found in asked:
        tasks = [x for x in found if isinstance(x, Task)]
        assert len({task.question for task in tasks}) == len(tasks)
        for task in tasks:
            assert task.task_id == f"{scene.world.id}-{digest(task.question, 4)}"


def test_two_plans_of_a_world_have_two_questions(asked: tuple[Asked, ...]) -> None:
    for scene, found in asked:
        plans = [x.plan for x in found]
        draws = PER_WORLD // len(FAMILIES) + 1
        for family in FAMILIES:
            plans += plans_of(scene, family, draws)
        assert len(plans) >= PER_WORLD * 0.6
        by_question: dict[str, Plan] = {}
        for plan in plans:
            words = " ".join(question(plan, scene.world).casefold().split())
            assert by_question.setdefault(words, plan) == plan, words


def test_a_threshold_holds_as_it_is_worded(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    """Rows that equal the constant are out, and the words say so: more than, before."""
    operators = set()
    for scene, task in tasks:
        for condition in task.plan.conditions:
            source = task.plan.source(condition.alias)
            if condition.operator == "=" or condition.value is None:
                continue
            column = scene.blueprint.table(source.table).column(condition.column)
            date = column.kind == "date"
            words = {">": "after" if date else "more than", "<": "before" if date else "less than"}
            operators.add((condition.operator, date))
            assert task.question.count(f" {words[condition.operator]} ") == 1, task.question
            other = words["<" if condition.operator == ">" else ">"]
            assert f" {other} " not in task.question
            for value in stated(task, condition.column, source.alias):
                assert compare(condition.operator, value, condition.value), task.question
    assert len(operators) == 4


def compare(operator: str, value: Value, constant: Value) -> bool:
    low, high = (constant, value) if operator == ">" else (value, constant)
    if isinstance(low, str) or isinstance(high, str):
        return str(low) < str(high)
    return low < high


def stated(task: Task, column: str, alias: str) -> list[Value]:
    """The answer's cells of the column that a condition is about, if the answer has it."""
    width = len(task.answer.key_columns)
    for place, output in enumerate(task.plan.outputs):
        if (output.column, output.alias) == (column, alias):
            return [row[width + place] for row in task.answer.rows]
    return []


def test_no_group_question_reads_more_children_than_the_most(
    small: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("queries.families.grouped.MOST_CHILDREN", 7)
    counts = set()
    for plan in plans_of(small, "grouped", 60):
        footings = Candidate(small, plan).lineage.footings(small.connection)
        counts.add(sum(f.keys["child"] is not None for f in footings))
    assert counts
    assert max(counts) <= 7


def test_no_list_is_cut_at_a_tie(small: Scene) -> None:
    """Kiln lengths and staffs of the small world tie, and a draw avoids what a check refuses."""
    limits = set()
    for plan in plans_of(small, "top", 60):
        assert plan.order
        limits.add(plan.order.limit)
        assert no_tie_at_cut(Candidate(small, plan)), plan
    assert limits == set(range(FEWEST_ROWS, LONGEST + 1))


def test_a_change_is_told_from_the_earlier_year_to_the_later(scene: Scene, small: Scene) -> None:
    for here in (scene, small):
        plans = list(plans_of(here, "change", 20))
        assert plans
        for plan in plans:
            before, after = plan.via("year")
            assert (before.alias, after.alias) == ("before", "after")
            assert before.year < after.year
            first, second = plan.outputs
            assert (first.alias, second.alias) == ("before", "after")


def test_questions_ask_for_no_drudgery(asked: tuple[Asked, ...]) -> None:
    for scene, found in asked:
        for x in found:
            footings = Candidate(scene, x.plan).lineage.footings(scene.connection)
            assert len({footing.keys["b"] for footing in footings}) <= MOST_CANDIDATES
            if x.plan.aggregated:
                assert sum(f.keys["child"] is not None for f in footings) <= MOST_CHILDREN


def test_outputs_are_guarded_and_named_once(asked: tuple[Asked, ...]) -> None:
    for scene, found in asked:
        for x in found:
            columns = Candidate(scene, x.plan).columns
            assert len({column.name for column in columns}) == len(columns)
            assert any(column.guarded for column in columns)
            assert 1 <= len(x.plan.outputs) <= 3


def test_no_output_repeats_what_the_question_says(asked: tuple[Asked, ...]) -> None:
    for _, found in asked:
        for x in found:
            given = {(c.alias, c.column) for c in x.plan.conditions if c.operator == "="}
            assert not given & {(output.alias, output.column) for output in x.plan.outputs}


def without(scene: Scene, *names: str) -> Scene:
    """The scene under a blueprint that lacks some tables."""
    record = scene.blueprint.model_dump(mode="json")
    record["tables"] = [table for table in record["tables"] if table["name"] not in names]
    for site in record["sites"]:
        site["pages"] = [page for page in site["pages"] if page["table"] not in names]
    return under(scene, record)


def with_column(scene: Scene, table: str, name: str, **attributes: object) -> Scene:
    """The scene under a blueprint in which one column has other attributes."""
    record = scene.blueprint.model_dump(mode="json")
    for column in next(t for t in record["tables"] if t["name"] == table)["columns"]:
        if column["name"] == name:
            column.update(attributes)
    return under(scene, record)


def under(scene: Scene, record: dict[str, Any]) -> Scene:
    blueprint = Blueprint.model_validate(record)
    world = replace(scene.world, blueprint=blueprint, roles=assign_roles(blueprint, 0))
    return replace(scene, world=world)


@pytest.mark.parametrize(
    ("table", "silent"),
    [("stall", {"linked", "absent"}), ("glass_return", {"yearly", "change"})],
)
def test_a_family_is_silent_where_a_world_has_nothing_to_ask_about(
    small: Scene, table: str, silent: set[str]
) -> None:
    scene = without(small, table)
    asking = {family for family in FAMILIES if list(plans_of(scene, family, 20))}
    assert asking == set(FAMILIES) - silent
    assert {x.plan.family for x in propose_tasks(scene, 9)} == asking


def test_a_family_is_silent_where_nothing_is_guarded(small: Scene) -> None:
    open_columns = dict.fromkeys(small.roles.columns, "locator")
    roles = Roles.model_validate({"columns": open_columns, "rows": {"stall": "locator"}})
    scene = replace(small, world=replace(small.world, roles=roles))
    for family in ("filtered", "top", "parent", "linked", "absent", "grouped"):
        assert not list(plans_of(scene, family, 9))


@pytest.mark.parametrize("family", ["yearly", "change"])
def test_a_yearly_family_is_silent_where_no_yearly_column_is_guarded(
    small: Scene, family: str
) -> None:
    panes = with_column(small, "glass_return", "panes", roles=["locator"])
    assert not list(
        plans_of(with_column(panes, "glass_return", "waste_kg", roles=["locator"]), family, 9)
    )


def test_no_output_of_a_yearly_plan_repeats_the_category_that_the_question_names(
    small: Scene,
) -> None:
    values = {"model": "choice", "options": {"few": 1, "many": 1}}
    scene = with_column(small, "glass_return", "panes", kind="category", values=values, adds=False)
    rows = {
        key: {**row, "panes": "many" if float(row["panes"]) > 1600 else "few"}
        for key, row in small.world.tables["glass_return"].items()
    }
    tables = {**small.world.tables, "glass_return": rows}
    scene = replace(scene, world=replace(scene.world, tables=tables))
    for plan in plans_of(scene, "yearly", 40):
        given = {(c.alias, c.column) for c in plan.conditions if c.operator == "="}
        assert not given & {(output.alias, output.column) for output in plan.outputs}


def test_a_scope_is_worded_or_not_drawn(small: Scene) -> None:
    scene = with_column(small, "workshop", "guild_id", where=None)
    for plan in plans_of(scene, "filtered", 40):
        for condition in plan.conditions:
            if condition.operator == "=":
                assert str(condition.value) in question(plan, scene.world)
