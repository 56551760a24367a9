"""The plots of a report: where their dots, whiskers and words stand.

A plot is plain geometry in a box `WIDTH` units wide; the template draws it as SVG in the colours
of the page, so that it follows a dark page, and writes its words as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from answers.groups import Group, TaskResult, difficulty
from answers.intervals import Interval
from answers.marked import printable

WIDTH = 420
"""Narrow, so that its words can still be read on the screen of a telephone."""

_LEFT, _RIGHT, _TOP = 52, 14, 12
_PLOT_HEIGHT, _BELOW = 220, 46
_ROW, _NAMES = 34, 136
_MOST_TASKS, _MOST_ROWS, _LONGEST_NAME = 1_000, 40, 18
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_SERIES = {"item_f1": "all cells", "guarded_f1": "guarded cells"}


class Dot(NamedTuple):
    """A point."""

    x: float
    y: float


class Estimate(NamedTuple):
    """A mean with its whisker, which runs from one end to the other."""

    series: str
    at: Dot
    start: Dot
    end: Dot


class Label(NamedTuple):
    """A word and where it stands."""

    at: Dot
    text: str


class Plot(NamedTuple):
    """A plot.

    Attributes:
        kind: what it is, for ids and styles.
        described: what it shows, in words.
        frame: left, top, right and bottom of the area of the data.
        series: the names of what is drawn, by their style.
    """

    kind: str
    title: str
    described: str
    height: float
    frame: tuple[float, float, float, float]
    x_ticks: list[Label]
    y_ticks: list[Label]
    x_title: Label
    y_title: Label | None
    dots: list[Dot]
    estimates: list[Estimate]
    series: dict[str, str]


def difficulty_plot(
    tasks: Sequence[TaskResult], bands: Sequence[Group], *, guarded: bool
) -> Plot | None:
    """Item F1 against difficulty: a dot a task, and the mean of each band with its interval.

    None if no task says in numbers how difficult it is.
    """
    placed = [(difficulty(task.tags.get("difficulty", "")), task) for task in tasks]
    known = [(value, task.mean.item_f1) for value, task in placed if value is not None]
    if not known:
        return None
    bottom = _TOP + _PLOT_HEIGHT
    shown = [(at, one) for one in bands if (at := _middle(one.tags["difficulty"])) is not None]
    described = [
        f"{printable(one.tags['difficulty'])}: {_said(one, guarded=guarded)}" for _, one in shown
    ]
    return Plot(
        kind="difficulty",
        title="F1 against difficulty",
        described=f"Means by band of difficulty. {'; '.join(described)}.",
        height=bottom + _BELOW,
        frame=(_LEFT, _TOP, WIDTH - _RIGHT, bottom),
        x_ticks=[Label(Dot(_across(tick), bottom + 17), f"{tick:g}") for tick in _TICKS],
        y_ticks=[Label(Dot(_LEFT - 8, _up(tick)), f"{tick:g}") for tick in _TICKS],
        x_title=Label(Dot((_LEFT + WIDTH - _RIGHT) / 2, bottom + 38), "difficulty of the task"),
        y_title=Label(Dot(14, _TOP + _PLOT_HEIGHT / 2), "F1"),
        dots=[Dot(_across(at), _up(value)) for at, value in known[:_MOST_TASKS]],
        estimates=[
            _upright(at, one, name) for at, one in shown for name in _names(guarded=guarded)
        ],
        series=_named(guarded=guarded),
    )


def family_plot(families: Sequence[Group], *, guarded: bool) -> Plot | None:
    """F1 by family, a line each; None if no task has one, or there are more than can be shown."""
    names = [printable(one.tags["family"]) or "(none)" for one in families]
    if len(names) > _MOST_ROWS or set(names) <= {"(none)"}:
        return None
    bottom = _TOP + _ROW * len(families)
    described = [
        f"{name}: {_said(one, guarded=guarded)}" for name, one in zip(names, families, strict=True)
    ]
    return Plot(
        kind="family",
        title="F1 by family",
        described=f"Means by family. {'; '.join(described)}.",
        height=bottom + _BELOW,
        frame=(_NAMES, _TOP, WIDTH - _RIGHT, bottom),
        x_ticks=[Label(Dot(_along(tick), bottom + 17), f"{tick:g}") for tick in _TICKS],
        y_ticks=[
            Label(Dot(_NAMES - 8, _line(place)), _short(name)) for place, name in enumerate(names)
        ],
        x_title=Label(Dot((_NAMES + WIDTH - _RIGHT) / 2, bottom + 38), "F1"),
        y_title=None,
        dots=[],
        estimates=[
            _lying(place, one, name)
            for place, one in enumerate(families)
            for name in _names(guarded=guarded)
        ],
        series=_named(guarded=guarded),
    )


def _names(*, guarded: bool) -> tuple[str, ...]:
    return ("item_f1", "guarded_f1") if guarded else ("item_f1",)


def _named(*, guarded: bool) -> dict[str, str]:
    return {name: _SERIES[name] for name in _names(guarded=guarded)}


def _said(found: Group, *, guarded: bool) -> str:
    """The numbers of a group, in words."""
    parts = []
    for name, label in _named(guarded=guarded).items():
        low, high = _interval(found, name)
        value = getattr(found.mean, name)
        around = f" ({low:.3f} to {high:.3f})" if low < high else ""
        parts.append(f"{label} {value:.3f}{around}")
    return ", ".join(parts)


def _interval(found: Group, name: str) -> Interval:
    value = getattr(found.mean, name)
    return found.interval(name) or (value, value)


def _middle(text: str) -> float | None:
    """The middle of a band such as `0.2-0.4`; None if it is none."""
    ends = [difficulty(end) for end in text.split("-")]
    known = [end for end in ends if end is not None]
    return sum(known) / 2 if len(known) == len(ends) == 2 else None


def _upright(at: float, found: Group, name: str) -> Estimate:
    # Two means of one band stand side by side.
    x = _across(at) + (5 if name == "guarded_f1" else -5)
    low, high = _interval(found, name)
    value = getattr(found.mean, name)
    return Estimate(name, Dot(x, _up(value)), Dot(x, _up(low)), Dot(x, _up(high)))


def _lying(place: int, found: Group, name: str) -> Estimate:
    y = _line(place) + (6 if name == "guarded_f1" else -6)
    low, high = _interval(found, name)
    value = getattr(found.mean, name)
    return Estimate(name, Dot(_along(value), y), Dot(_along(low), y), Dot(_along(high), y))


def _line(place: int) -> float:
    return _TOP + _ROW * (place + 0.5)


def _across(value: float) -> float:
    return _scaled(value, _LEFT, WIDTH - _RIGHT)


def _along(value: float) -> float:
    return _scaled(value, _NAMES, WIDTH - _RIGHT)


def _up(value: float) -> float:
    return _scaled(value, _TOP + _PLOT_HEIGHT, _TOP)


def _scaled(value: float, start: float, end: float) -> float:
    # The public scorer's F1 can exceed 1: such a value stands at the edge.
    return round(start + (end - start) * min(max(value, 0.0), 1.0), 1)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
