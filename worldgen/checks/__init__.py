"""Checks: what a blueprint must hold up to before a world is made of it.

A pipeline of same-shaped functions, one module for each part of a blueprint. Each yields its
problems in words that say where and what to do. The order is data, and it matters: a check may rely
on what those before it have made sure of.
"""

from __future__ import annotations

from worldgen.blueprint import Blueprint
from worldgen.checks import columns, rules, sites, tables, texts, values
from worldgen.checks.common import Check
from worldgen.errors import BlueprintError

CHECKS: tuple[Check, ...] = (
    *tables.CHECKS,
    *columns.CHECKS,
    *values.CHECKS,
    *sites.CHECKS,
    *texts.CHECKS,
    *rules.CHECKS,
)


def check_blueprint(blueprint: Blueprint) -> None:
    """Refuse a blueprint that contradicts itself.

    Raises:
        BlueprintError: the first problem.
    """
    for check in CHECKS:
        for problem in check(blueprint):
            raise BlueprintError(blueprint.id, problem)
