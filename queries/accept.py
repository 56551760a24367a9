"""Acceptance: the checks that a plan must pass to become a task, each naming why it does not."""

from __future__ import annotations

from collections.abc import Callable

from answers.compare import normalise_text
from queries.candidate import Candidate
from queries.lineage import Lineage
from queries.plan import Plan
from queries.scene import FEWEST_ROWS, MOST_ROWS
from queries.sql import key_aliases

MOST_SPREAD = 0.34
"""No page may state more than this share of a task's needed facts."""
FEWEST_LETTERS = 4
"""Shorter values stand inside names by chance."""

Check = Callable[[Candidate], bool]


def rows_within_bounds(candidate: Candidate) -> bool:
    """The answer has enough rows, and not too many."""
    return FEWEST_ROWS <= len(candidate.rows) <= MOST_ROWS


def key_unique(candidate: Candidate) -> bool:
    """No two rows of the answer have the same key."""
    width = len(key_aliases(candidate.plan))
    keys = [row[:width] for row in candidate.rows]
    return len(set(keys)) == len(keys)


def no_tie_at_cut(candidate: Candidate) -> bool:
    """The last row that is kept and the first that is cut differ in the column of the order."""
    order = candidate.plan.order
    if order is None or not order.limit:
        return True
    longer = _variant(
        candidate,
        candidate.plan.model_copy(update={"order": order.model_copy(update={"limit": 0})}),
    )
    place = len(key_aliases(candidate.plan)) + order.output
    return (
        len(longer) > order.limit and longer[order.limit - 1][place] != longer[order.limit][place]
    )


def every_part_matters(candidate: Candidate) -> bool:
    """Without any one of its conditions, its absence or its cut, the plan has another answer."""
    plan = candidate.plan
    variants = [plan.without(condition) for condition in plan.conditions]
    if plan.absence:
        variants.append(plan.model_copy(update={"absence": None}))
    if plan.order and plan.order.limit:
        variants.append(
            plan.model_copy(update={"order": plan.order.model_copy(update={"limit": 0})})
        )
    return all(_variant(candidate, variant) != candidate.rows for variant in variants)


def grouping_matters(candidate: Candidate) -> bool:
    """Where cells are aggregated, some group has several rows and not all groups look alike."""
    if not candidate.plan.aggregated:
        return True
    footings = candidate.lineage.footings(candidate.scene.connection)
    names = [footing.names for footing in footings if footing.selected]
    return len(names) > len(set(names)) and len({row[1:] for row in candidate.rows}) > 1


def cells_guarded(candidate: Candidate) -> bool:
    """Every cell outside the key comes from guarded columns."""
    return all(column.guarded for column in candidate.columns if not column.key)


def name_tells_nothing(candidate: Candidate) -> bool:
    """No guarded text can be read off the name of its row."""
    width = len(key_aliases(candidate.plan))
    for row in candidate.rows:
        names = [f" {normalise_text(str(name))} " for name in row[:width]]
        for value in row[width:]:
            text = normalise_text(str(value))
            if (
                isinstance(value, str)
                and len(text) >= FEWEST_LETTERS
                and any(f" {text} " in n for n in names)
            ):
                return False
    return True


def facts_published(candidate: Candidate) -> bool:
    """Every needed fact stands on some page."""
    return all(candidate.scene.web.stating(candidate.needed).values())


def spread_holds(candidate: Candidate) -> bool:
    """No page states too large a share of the needed facts."""
    return candidate.spread <= MOST_SPREAD


CHECKS: tuple[Check, ...] = (
    rows_within_bounds,
    key_unique,
    no_tie_at_cut,
    every_part_matters,
    grouping_matters,
    cells_guarded,
    name_tells_nothing,
    facts_published,
    spread_holds,
)
"""The order of the checks: the first that fails names the reason."""


def reason_against(candidate: Candidate) -> str | None:
    """Why a plan is no task, as the name of the check that it fails; None if it passes all."""
    for check in CHECKS:
        if not check(candidate):
            return check.__name__
    return None


def _variant(candidate: Candidate, plan: Plan) -> list[tuple[object, ...]]:
    lineage = Lineage(plan, candidate.scene.blueprint, candidate.scene.roles)
    return list(lineage.answer(candidate.scene.connection))
