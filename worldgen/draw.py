"""Drawing the cells of one column, by its value model."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worldgen import values as models
from worldgen.blueprint import Column
from worldgen.errors import BlueprintError
from worldgen.facts import RowKey, Value
from worldgen.names import person
from worldgen.seeds import generator

Inputs = Mapping[RowKey, Mapping[str, Value]]
"""Per row: what stands at the paths that the model reads."""
Cells = dict[RowKey, Value]


WHOLE = 100
"""What shares sum to, in percent."""


@dataclass(frozen=True)
class _Task:
    """One column to draw: `inputs` also names the rows, `targets` the ids a reference may take."""

    column: Column
    seed: int
    inputs: Inputs
    targets: Sequence[int]
    taken: frozenset[str]


def draw_column(
    column: Column, seed: int, inputs: Inputs, targets: Sequence[int], taken: frozenset[str]
) -> Cells:
    """Draw a cell for every row in `inputs`.

    Args:
        column: the column, with its value model.
        seed: the root of the column's draws; each row draws from a seed of its own below it.
        inputs: per row key, the values at the paths that the model reads.
        targets: for a reference, the ids it may take.
        taken: lower-case words that no invented name may be.
    """
    return _DRAWS[type(column.values)](column.values, _Task(column, seed, inputs, targets, taken))


def _choice(model: models.Choice, task: _Task) -> Cells:
    # In name order, so that a blueprint which a file gives back draws the same world.
    options = sorted(model.options)
    weights = [model.options[option] for option in options]
    return {key: generator(task.seed, *key).choices(options, weights)[0] for key in task.inputs}


def _lognormal(model: models.Lognormal, task: _Task) -> Cells:
    return {
        key: _number(task.column, model, _around_median(model, task.seed, key, seen))
        for key, seen in task.inputs.items()
    }


def _around_median(
    model: models.Lognormal, seed: int, key: RowKey, seen: Mapping[str, Value]
) -> float:
    value = model.median * generator(seed, *key).lognormvariate(0, model.sigma)
    for factor in model.times:
        at = seen[factor.path]
        value *= factor.by.get(str(at), 1.0)
        if factor.power:
            value *= (float(at) / factor.base) ** factor.power
    return value


def _number(column: Column, model: models.Lognormal, value: float) -> int | float:
    steps = round(min(max(value, model.low), model.high) / model.step)
    number = round(steps * model.step, column.decimals)
    return float(number) if column.decimals else int(number)


def _trend(model: models.Trend, task: _Task) -> Cells:
    series: dict[int, list[RowKey]] = defaultdict(list)
    for key in sorted(task.inputs):
        series[key[0]].append(key)
    cells: Cells = {}
    for entity_id, keys in series.items():
        value = _around_median(model.start, task.seed, (entity_id,), task.inputs[keys[0]])
        rng = generator(task.seed, "growth", entity_id)
        rate = model.growth + rng.gauss(0, model.wobble)
        for key in keys:
            cells[key] = _number(task.column, model.start, value)
            rate = (
                model.memory * rate + (1 - model.memory) * model.growth + rng.gauss(0, model.wobble)
            )
            value *= 1 + max(rate, -0.5)
    return cells


def _date_between(model: models.DateBetween, task: _Task) -> Cells:
    span = (model.last - model.first).days
    return {
        key: (model.first + dt.timedelta(generator(task.seed, *key).randint(0, span))).isoformat()
        for key in task.inputs
    }


def _date_after(model: models.DateAfter, task: _Task) -> Cells:
    cells: Cells = {}
    for key, seen in task.inputs.items():
        start = max(dt.date.fromisoformat(str(date)) for date in seen.values())
        first = min(start + dt.timedelta(model.days[0]), model.last)
        last = min(start + dt.timedelta(model.days[1]), model.last)
        days = generator(task.seed, *key).randint(0, (last - first).days)
        cells[key] = (first + dt.timedelta(days)).isoformat()
    return cells


def _groups(inputs: Inputs, path: str | None) -> list[list[RowKey]]:
    groups: dict[Value, list[RowKey]] = defaultdict(list)
    for key, seen in inputs.items():
        groups[seen[path] if path else ""].append(key)
    return list(groups.values())


def _rank(model: models.Rank, task: _Task) -> Cells:
    cells: Cells = {}
    for keys in _groups(task.inputs, model.within):
        ordered = sorted(keys, key=lambda k: (-float(task.inputs[k][model.of]), k))
        cells.update({key: place for place, key in enumerate(ordered, 1)})
    return cells


def _share(model: models.Share, task: _Task) -> Cells:
    """Whole percentages by the largest remainder, at least 1 each."""
    cells: Cells = {}
    for keys in _groups(task.inputs, model.within):
        if len(keys) > WHOLE:
            problem = (
                f"shares of {WHOLE} over {len(keys)} rows; group them by a column with more values"
            )
            raise BlueprintError(task.column.name, problem)
        weights = {key: generator(task.seed, *key).uniform(0.2, 1.0) for key in keys}
        free, total = WHOLE - len(keys), sum(weights.values())
        exact = {key: free * weight / total for key, weight in weights.items()}
        shares = {key: 1 + int(part) for key, part in exact.items()}
        by_remainder = sorted(keys, key=lambda k: (int(exact[k]) - exact[k], k))
        for key in by_remainder[: WHOLE - sum(shares.values())]:
            shares[key] += 1
        cells.update(shares)
    return cells


def _reference(model: models.Reference, task: _Task) -> Cells:
    order = list(task.targets)
    generator(task.seed, "order").shuffle(order)
    weights = [1 / (place + 1) ** model.skew for place in range(len(order))]
    return {key: generator(task.seed, *key).choices(order, weights)[0] for key in task.inputs}


def _person(model: models.Person, task: _Task) -> Cells:
    return {key: person(generator(task.seed, *key), task.taken) for key in task.inputs}


_DRAWS: dict[type, Callable[[Any, _Task], Cells]] = {
    models.Choice: _choice,
    models.Lognormal: _lognormal,
    models.Trend: _trend,
    models.DateBetween: _date_between,
    models.DateAfter: _date_after,
    models.Rank: _rank,
    models.Share: _share,
    models.Reference: _reference,
    models.Person: _person,
}
