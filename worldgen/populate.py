"""Populating: from a blueprint and a seed to the rows of a world.

Every cell is drawn by a generator whose seed names the cell, so cells don't shift when others
change. `redraw` numbers the alternatives: alternative 0 is the world itself; another alternative
draws its guarded columns and links anew and shares keys, locators and roles with it. It obeys the
rules as well, since the same models draw it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from worldgen.blueprint import Blueprint, Column, Table
from worldgen.draw import draw_column
from worldgen.facts import RowKey, Value
from worldgen.names import given_name, invented_word, reserved_words
from worldgen.roles import Roles, assign_roles
from worldgen.seeds import child_seed, generator
from worldgen.world import World

MutableRows = dict[RowKey, dict[str, Value]]


@dataclass
class Draft:
    """The tables so far, and what the draws of a world share."""

    blueprint: Blueprint
    seed: int
    roles: Roles
    redraw: int
    tables: dict[str, MutableRows] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    short_names: dict[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)

    def column_seed(self, table: Table, column: str) -> int:
        """The root of a column's draws: another one where the column is redrawn."""
        return self._seed(
            self.roles.guarded_column(table.name, column), "cells", table.name, column
        )

    def link_seed(self, table: Table) -> int:
        """The root of the draws of which rows a link table has."""
        return self._seed(self.roles.guarded_rows(table.name), "links", table.name)

    def _seed(self, guarded: bool, *path: object) -> int:
        return child_seed(
            self.seed, *path, *(("redraw", self.redraw) if guarded and self.redraw else ())
        )

    def look_up(self, table: Table, row: dict[str, Value], path: str) -> Value:
        """The value at a path that starts in `row`."""
        head, _, tail = path.partition(".")
        if not tail:
            return row[head]
        target = self.blueprint.table(table.column(head).to or "")
        return self.look_up(target, self.tables[target.name][(int(row[head]),)], tail)


def populate(blueprint: Blueprint, seed: int, world_id: str, redraw: int = 0) -> World:
    """Draw a world's rows; the same arguments give the same world everywhere.

    Raises:
        GenerationError: a column's model can't be drawn.
    """
    draft = Draft(blueprint, seed, assign_roles(blueprint, seed), redraw)
    draft.taken |= reserved_words(blueprint)
    name = invented_word(generator(seed, "world name"), draft.taken)
    draft.taken.add(name.lower())
    for table in blueprint.tables:
        if table.kind == "entity":
            draft.tables[table.name] = _name_entities(draft, table)
    for table in blueprint.tables:
        rows = draft.tables.setdefault(table.name, {})
        if table.kind == "link":
            rows.update(_link(draft, table))
        if table.kind == "yearly":
            rows.update(_every_year(draft, table))
        _fill(draft, table, rows)
    return World(world_id, name, blueprint, seed, draft.roles, draft.tables, draft.short_names)


def _name_entities(draft: Draft, table: Table) -> MutableRows:
    count = generator(draft.seed, "rows", table.name).randint(*table.rows)
    if table.names and table.names.listed:
        names = generator(draft.seed, "listed names", table.name).sample(table.names.listed, count)
    else:
        names = [_invent_name(draft, table, i) for i in range(1, count + 1)]
    return {(i,): {"id": i, "name": name} for i, name in enumerate(names, 1)}


def _invent_name(draft: Draft, table: Table, entity_id: int) -> str:
    assert table.names is not None  # noqa: S101 - the blueprint's check has made sure
    rng = generator(draft.seed, "names", table.name, entity_id)
    root = invented_word(rng, draft.taken)
    draft.taken.add(root.lower())
    parts = {"root": root, "first": given_name(rng, draft.taken)}
    if table.names.short:
        draft.short_names[(table.name, entity_id)] = (table.names.short.format(**parts),)
    return rng.choice(table.names.patterns).format(**parts)


def _link(draft: Draft, table: Table) -> MutableRows:
    """Pairs: each home entity gets some far ones, popular ones more often."""
    home, far = table.home_side, table.far_side
    seed = draft.link_seed(table)
    far_ids = [key[0] for key in draft.tables[far.to or ""]]
    weight = {i: generator(seed, "popularity", i).uniform(0.4, 1.6) for i in far_ids}
    keys: list[RowKey] = []
    for (home_id,) in draft.tables[home.to or ""]:
        rng = generator(seed, home_id)
        count = min(rng.randint(*table.per_home), len(far_ids))
        chosen = sorted(far_ids, key=lambda i: rng.random() ** (1 / weight[i]), reverse=True)[
            :count
        ]
        order = (home.name, far.name)
        keys += [
            tuple({home.name: home_id, far.name: i}[c] for c in table.key_columns if c in order)
            for i in chosen
        ]
    return {key: dict(zip(table.key_columns, key, strict=True)) for key in sorted(keys)}


def _every_year(draft: Draft, table: Table) -> MutableRows:
    first, last = table.years
    ids = [key[0] for key in draft.tables[table.refs[0].to or ""]]
    keys = [(i, year) for i in ids for year in range(first, last + 1)]
    return {key: dict(zip(table.key_columns, key, strict=True)) for key in keys}


def _fill(draft: Draft, table: Table, rows: MutableRows) -> None:
    for column in table.columns:
        if column.name not in table.key_columns:
            _fill_column(draft, table, column, rows)


def _fill_column(draft: Draft, table: Table, column: Column, rows: MutableRows) -> None:
    seed = draft.column_seed(table, column.name)
    targets = [key[0] for key in draft.tables[column.to]] if column.to else []
    lookups = {
        key: {p: draft.look_up(table, row, p) for p in column.values.reads()}
        for key, row in rows.items()
    }
    values = draw_column(column, seed, lookups, targets, frozenset(draft.taken))
    for key, row in rows.items():
        row[column.name] = values[key]
