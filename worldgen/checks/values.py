"""Checks of value models: that they fit their columns, can be drawn, and read what they may."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator

from worldgen import values as models
from worldgen.blueprint import FRESH_DAYS, Blueprint, ColumnKind, Table
from worldgen.checks.common import Check, Place, places, unknown, unknown_column

FITTING: dict[ColumnKind, tuple[str, ...]] = {
    "ref": ("reference",),
    "category": ("choice",),
    "money": ("lognormal", "trend", "share"),
    "date": ("date_between", "date_after"),
    "measure": ("lognormal", "trend", "share"),
    "count": ("lognormal", "trend", "share"),
    "rank": ("rank",),
    "person": ("person",),
}
"""Per kind of column, the models that can draw its cells."""


def models_fit_kinds(blueprint: Blueprint) -> Iterator[str]:
    """A column's model draws what the column holds; trends run over years."""
    for place in places(blueprint):
        model, kind = place.column.values.model, place.column.kind
        if model not in FITTING[kind]:
            yield (
                f"{place}: the model {model!r} draws no cells of kind {kind!r}; "
                f"use {' or '.join(FITTING[kind])}"
            )
        if model == "trend" and place.table.kind != "yearly":
            yield f"{place}: a trend runs over the years of a yearly table; use lognormal here"


def choices_have_options(blueprint: Blueprint) -> Iterator[str]:
    """There is something to choose, by weights above 0."""
    for place in places(blueprint):
        model = place.column.values
        if isinstance(model, models.Choice) and not model.options:
            yield f"{place} has no options to choose from; list some with their weights"
        if isinstance(model, models.Choice):
            for option, weight in model.options.items():
                if weight <= 0:
                    yield f"{place}: the weight of {option!r} is {weight}; it must be above 0"


def numbers_have_ranges(blueprint: Blueprint) -> Iterator[str]:
    """A number's bounds are in order, with the median between them."""
    for place, model in _numbers(blueprint):
        if not 0 <= model.low <= model.high:
            yield (
                f"{place}: low = {model.low:g}, high = {model.high:g} is no range; "
                "give 0 or more as low, and high not below it"
            )
        if not max(model.low, 0) <= model.median <= model.high or model.median <= 0:
            yield (
                f"{place}: the median {model.median:g} must be above 0 and lie "
                f"between low = {model.low:g} and high = {model.high:g}"
            )


def numbers_have_steps(blueprint: Blueprint) -> Iterator[str]:
    """Bounds are multiples of the step, or rounding would leave them; decimals can write it."""
    for place, model in _numbers(blueprint):
        if model.step <= 0:
            yield f"{place}: step = {model.step:g} must be above 0"
            continue
        for bound in (model.low, model.high):
            steps = bound / model.step
            if not math.isclose(steps, round(steps), rel_tol=1e-9, abs_tol=1e-9):
                yield (
                    f"{place}: the bound {bound:g} is no multiple of step = {model.step:g}; "
                    "change one of them"
                )
        if not math.isclose(round(model.step, place.column.decimals), model.step, rel_tol=1e-9):
            yield (
                f"{place}: step = {model.step:g} needs more than {place.column.decimals} decimals; "
                "set decimals or a coarser step"
            )


def dates_have_ranges(blueprint: Blueprint) -> Iterator[str]:
    """Spans of days are in order, and there is something to follow."""
    for place in places(blueprint):
        model = place.column.values
        if isinstance(model, models.DateBetween) and model.first > model.last:
            yield f"{place}: first = {model.first} is later than last = {model.last}; swap them"
        if isinstance(model, models.DateAfter):
            if not model.after:
                yield f"{place} follows no date; name one in `after`, or use date_between"
            if not 0 <= model.days[0] <= model.days[1]:
                yield (
                    f"{place}: days = {list(model.days)} is no range; "
                    "give the fewest first, 0 or more"
                )


def dates_are_past(blueprint: Blueprint) -> Iterator[str]:
    """No date is later than the oldest page."""
    oldest_page = blueprint.today - dt.timedelta(FRESH_DAYS)
    for place in places(blueprint):
        last = _last_day(place)
        if last and last > oldest_page:
            yield (
                f"{place} can hold dates later than {oldest_page}, "
                "when the oldest page was written; set `last` to that day or earlier"
            )


def paths_exist(blueprint: Blueprint) -> Iterator[str]:
    """What a model reads exists and is drawn before."""
    for place in places(blueprint):
        for path in place.column.values.reads():
            if problem := _lost(blueprint, place, path):
                yield f"{place} reads {path!r}: {problem}"


def sources_fit(blueprint: Blueprint) -> Iterator[str]:
    """Models read numbers where they calculate, dates where they follow."""
    for place in places(blueprint):
        model = place.column.values
        if (
            isinstance(model, models.Rank)
            and not blueprint.target(place.table, model.of)[1].numeric
        ):
            yield f"{place} ranks by {model.of!r}, which is no number; rank by a number"
        if isinstance(model, models.DateAfter):
            for path in model.after:
                yield from _badly_followed(blueprint, place, path, model.last)
        for factor in _factors(place):
            yield from _badly_multiplied(blueprint, place, factor)


def open_columns_read_open_ones(blueprint: Blueprint) -> Iterator[str]:
    """A column that can be open reads none that can be guarded, on no step of a path."""
    for place in places(blueprint):
        if place.roles == ("guarded",):
            continue
        for path in place.column.values.reads():
            for step in _steps(blueprint, place.table, path):
                if "guarded" in step.roles:
                    yield (
                        f"{place} can be open but reads {path!r}, and {step} can be guarded; "
                        "change the roles of one"
                    )


def _numbers(blueprint: Blueprint) -> Iterator[tuple[Place, models.Lognormal]]:
    for place in places(blueprint):
        model = place.column.values
        start = model.start if isinstance(model, models.Trend) else model
        if isinstance(start, models.Lognormal):
            yield place, start


def _factors(place: Place) -> tuple[models.Factor, ...]:
    model = place.column.values
    start = model.start if isinstance(model, models.Trend) else model
    return start.times if isinstance(start, models.Lognormal) else ()


def _last_day(place: Place) -> dt.date | None:
    model = place.column.values
    return model.last if isinstance(model, models.DateBetween | models.DateAfter) else None


def _lost(blueprint: Blueprint, place: Place, path: str) -> str | None:
    """Why a path leads nowhere, or None."""
    table = place.table
    head, *rest = path.split(".")
    names = [column.name for column in table.columns]
    if head in names[names.index(place.column.name) :]:
        return f"{head!r} is not drawn before it; move it above"
    for name in rest:
        if problem := unknown_column(table, head):
            return problem
        column = table.column(head)
        if column.kind != "ref":
            return f"{table.name}.{head} is no reference, so nothing stands behind it"
        table, head = blueprint.table(column.to or ""), name
    return unknown_column(table, head)


def _steps(blueprint: Blueprint, table: Table, path: str) -> Iterator[Place]:
    """The columns that a path goes through, and the one at its end."""
    for name in path.split("."):
        step = Place(table, table.column(name))
        yield step
        if step.column.to:
            table = blueprint.table(step.column.to)


def _badly_followed(blueprint: Blueprint, place: Place, path: str, last: dt.date) -> Iterator[str]:
    end = Place(*blueprint.target(place.table, path))
    if end.column.kind != "date":
        yield f"{place} follows {path!r}, which is no date; follow dates"
    elif (latest := _last_day(end)) and latest > last:
        yield (
            f"{place} ends on {last} but follows {end}, which can be as late as {latest}; "
            "set a later `last`"
        )


def _badly_multiplied(blueprint: Blueprint, place: Place, factor: models.Factor) -> Iterator[str]:
    _, end = blueprint.target(place.table, factor.path)
    if not factor.by and not factor.power:
        yield f"{place}: the factor {factor.path!r} does nothing; give it `by` or `power`"
    if factor.power and (not end.numeric or factor.base <= 0):
        yield (
            f"{place}: the factor {factor.path!r} needs a number at its path "
            "and a base above 0; for a category use `by`"
        )
    if isinstance(end.values, models.Choice):
        for option in factor.by:
            if option not in end.values.options:
                yield f"{place}: {unknown(option, f'option of {end.name}', end.values.options)}"


CHECKS: tuple[Check, ...] = (
    models_fit_kinds,
    choices_have_options,
    numbers_have_ranges,
    numbers_have_steps,
    dates_have_ranges,
    dates_are_past,
    paths_exist,
    sources_fit,
    open_columns_read_open_ones,
)
