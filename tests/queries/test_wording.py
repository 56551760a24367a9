"""Questions: all that a plan says can be read from its question, and nothing of the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

import pytest

from answers.compare import normalise_text
from queries.accept import reason_against
from queries.candidate import Candidate
from queries.families import FAMILIES
from queries.plan import BASE, Condition, Output, Plan, Source
from queries.scene import Scene
from queries.task import Task
from queries.wording import question
from worldgen.populate import populate
from worldgen.seeds import generator
from worldgen.surface import write

Plans = Mapping[str, Mapping[str, Plan]]


def constants(scene: Scene, plan: Plan) -> Iterator[str]:
    """Every constant of a plan as a question writes it."""
    for condition in plan.conditions:
        if condition.value is not None:
            table = scene.blueprint.table(plan.source(condition.alias).table)
            text = write(table.column(condition.column), condition.value)
            yield re.sub(r"\.0 ", " ", text)
    if plan.absence:
        yield str(plan.absence.value)
    yield from (str(source.year) for source in plan.via("year"))


def test_all_that_a_plan_says_stands_in_its_question(
    tasks: tuple[tuple[Scene, Task], ...], small: Scene, plans: Plans
) -> None:
    made = [(small, plan) for of_family in plans.values() for plan in of_family.values()]
    for scene, plan in [*made, *((scene, task.plan) for scene, task in tasks)]:
        text = question(plan, scene.world)
        for constant in constants(scene, plan):
            assert re.search(rf"(?<![\w$,.]){re.escape(constant)}(?!\w|[.,]\d)", text), (
                constant,
                text,
            )
        for column in Candidate(scene, plan).columns:
            assert text.count(f'"{column.name}"') == 1, (column.name, text)
        if plan.order:
            assert f"list the {plan.order.limit} with the" in text
        labels = [
            scene.blueprint.table(plan.source(c.alias).table).column(c.column).label
            for c in plan.conditions
            if scene.roles.guarded_column(plan.source(c.alias).table, c.column)
        ]
        assert all(label in text for label in labels)
        assert scene.blueprint.table(plan.base).plural in text or plan.aggregated


def test_headings_stand_in_the_order_of_the_columns(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for _, task in tasks:
        quoted = re.findall(r'"([^"]*)"', task.question)
        assert quoted == [column.name for column in task.answer.columns]


def test_units_and_forms_are_said(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for scene, task in tasks:
        kinds = {column.kind for column in task.answer.columns}
        assert ("dates as YYYY-MM-DD" in task.question) == ("date" in kinds)
        assert ("numbers unrounded" in task.question) == ("number" in kinds)
        assert "Give names in full" in task.question
        for column in task.answer.columns:
            assert column.unit is None or column.name.endswith(f"({column.unit})")
        today = scene.blueprint.today
        assert task.question.endswith(f"Everything is as of {today.day} {today:%B %Y}.")


def test_a_question_reads_as_sentences(tasks: tuple[tuple[Scene, Task], ...]) -> None:
    for _, task in tasks:
        assert not re.search(r"\s\s|[{}]|None| ,|\b(\w+) \1\b", strip(task.question)), task.question
        sentences = re.split(r"(?<=[.])\s", task.question)
        assert all(sentence[0].isupper() for sentence in sentences)


def strip(text: str) -> str:
    """A question without its headings, which may repeat a word of the blueprint's labels."""
    return re.sub(r'"[^"]*"', "...", text)


def test_no_key_of_the_answer_stands_in_the_question(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    for scene, task in tasks:
        given = {normalise_text(constant) for constant in constants(scene, task.plan)}
        text = f" {normalise_text(task.question)} "
        for name in chain.from_iterable(task.answer.keys()):
            for form in (str(name), *task.answer.aliases.get(str(name), ())):
                words = normalise_text(form)
                assert f" {words} " not in text or words in given, (form, task.question)


def test_no_guarded_text_of_the_answer_stands_in_the_question(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    """Texts and dates, whose cells can't be told by chance; a count may equal a limit."""
    for scene, task in tasks:
        given = {normalise_text(constant) for constant in constants(scene, task.plan)}
        text = f" {normalise_text(task.question)} "
        for row in task.answer.rows:
            for column, value in zip(task.answer.columns, row, strict=True):
                words = normalise_text(str(value))
                if column.guarded and column.kind != "number" and words not in given:
                    assert f" {words} " not in text, (value, task.question)


def test_numbers_of_the_answer_stand_in_the_question_by_chance_alone(
    tasks: tuple[tuple[Scene, Task], ...],
) -> None:
    seen = shown = 0
    for scene, task in tasks:
        given = {re.sub(r"[^\d.]", "", constant) for constant in constants(scene, task.plan)}
        numbers = {n.replace(",", "") for n in re.findall(r"\d[\d,]*(?:\.\d+)?", task.question)}
        for row in task.answer.rows:
            for column, value in zip(task.answer.columns, row, strict=True):
                if column.guarded and column.kind == "number":
                    seen += 1
                    shown += str(value) in numbers - given
    assert seen > 1000
    assert shown / seen < 0.02


def variants(plan: Plan) -> Iterator[Plan]:
    """Plans that differ from one in a single part."""
    for place, condition in enumerate(plan.conditions):
        for other in changed_conditions(condition):
            conditions = (*plan.conditions[:place], *other, *plan.conditions[place + 1 :])
            yield plan.model_copy(update={"conditions": conditions})
    if plan.absence:
        yield plan.model_copy(
            update={"absence": plan.absence.model_copy(update={"value": "winter"})}
        )
    if plan.order:
        for change in ({"limit": plan.order.limit + 1}, {"descending": not plan.order.descending}):
            yield plan.model_copy(update={"order": plan.order.model_copy(update=change)})
    if len(plan.outputs) > 1:
        yield plan.model_copy(update={"outputs": plan.outputs[:-1]})
        yield plan.model_copy(update={"outputs": plan.outputs[::-1]})


def changed_conditions(condition: Condition) -> Iterator[tuple[Condition, ...]]:
    """Without the condition, with the opposite one, with another constant."""
    if condition.operator != "=":
        flipped = {">": "<", "<": ">"}[condition.operator]
        yield (condition.model_copy(update={"operator": flipped}),)
    if isinstance(condition.value, int | float):
        yield (condition.model_copy(update={"value": condition.value + 1}),)
    elif condition.operator == "=":
        if condition.alias != "far":
            yield ()
        yield (condition.model_copy(update={"value": "elsewhere"}),)
    elif condition.value is not None:
        yield (condition.model_copy(update={"value": "1600-02-01"}),)


def test_plans_that_differ_in_one_part_have_two_questions(small: Scene, plans: Plans) -> None:
    """The parts that SQL shows and words could forget."""
    for cases in plans.values():
        for plan in cases.values():
            for variant in variants(plan):
                assert question(variant, small.world) != question(plan, small.world), variant


def test_a_question_depends_on_no_guarded_fact(scene: Scene) -> None:
    twin = populate(scene.blueprint, scene.world.seed, scene.world.id, redraw=1)
    assert twin.tables != scene.world.tables
    for name, family in FAMILIES.items():
        for number in range(5):
            plan = family(scene, generator(3, name, number))
            if plan:
                assert question(plan, twin) == question(plan, scene.world)


WORDS: dict[str, tuple[str, str]] = {
    "crown workshops insured for more than $50,000": (
        "filtered",
        "Of the workshops working in crown glass, list those whose insured value is more than"
        " $50,000.",
    ),
    "workshops of east bank guilds that opened before 1910": (
        "filtered",
        "Of the workshops in a guild on the east bank, list those whose opening date is before"
        " 1 January 1910.",
    ),
    "the three earliest workshops of all": (
        "top",
        "Of all workshops, list the 3 with the earliest opening date, earliest first.",
    ),
    "workshops of guilds chartered before 1820": (
        "parent",
        "Of all workshops, list those that are in a guild whose charter date is before"
        " 1 January 1820.",
    ),
}


@pytest.mark.parametrize("title", WORDS)
def test_the_sentence_that_asks(title: str, small: Scene, plans: Plans) -> None:
    family, sentence = WORDS[title]
    assert sentence in question(plans[family][title], small.world)


def test_a_question_says_what_becomes_of_rows_without_children(small: Scene) -> None:
    child = Source(alias="child", table="stall", via="child", of=BASE, column="workshop_id")
    count = Output(alias="child", column="", heading="Number of stalls", aggregate="count")
    plan = Plan(
        family="grouped",
        base="workshop",
        sources=(Source(alias=BASE, table="workshop", via="base"), child),
        outputs=(count,),
    )
    candidate = Candidate(small, plan)
    assert (
        ("Coal Lane Works", 0) in candidate.rows
        or "Leave out any workshop without" in candidate.question
        or reason_against(candidate)
    )
