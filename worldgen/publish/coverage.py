"""Coverage: which kind of page states which columns, drawn per world.

Each column has one kind of page that always states it; others repeat it with some chance. A link
table's rows are listed by one kind of page of its home side.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldgen import blueprint as bp
from worldgen.publish.press import Press

REPEAT = 0.3
"""The chance that a further kind of page states a column too."""


@dataclass(frozen=True)
class Stated:
    """What one kind of page states: columns of its table, and link tables that it lists."""

    columns: tuple[bp.Column, ...]
    links: tuple[bp.Table, ...]


def coverage(press: Press, site: bp.Site, kind: bp.PageKind) -> Stated:
    """What a kind of page of a site states in this world."""
    table = press.blueprint.table(kind.table)
    columns = tuple(c for c in table.details if _states(press, table, c, (site, kind)))
    links = tuple(
        link
        for link in press.blueprint.links()
        if link.home_side.to == table.name
        and _home(press, f"rows of {link.name}", table, None) == (site, kind)
    )
    return Stated(columns, links)


def _states(
    press: Press, table: bp.Table, column: bp.Column, here: tuple[bp.Site, bp.PageKind]
) -> bool:
    if not _can_state(here[1], column):
        return False
    chance = press.rng("coverage", table.name, column.name, here[0].id, here[1].path).random()
    return _home(press, column.name, table, column) == here or chance < REPEAT


def _home(
    press: Press, what: str, table: bp.Table, column: bp.Column | None
) -> tuple[bp.Site, bp.PageKind] | None:
    able = [
        at for at in press.page_kinds(table.name) if column is None or _can_state(at[1], column)
    ]
    return press.rng("home page", table.name, what).choice(able) if able else None


def _can_state(kind: bp.PageKind, column: bp.Column) -> bool:
    return kind.style == "facts" or bool(column.say)
