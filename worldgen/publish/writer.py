"""Writing statements: a reader that remembers every fact it handed out, and a pen that uses it.

Publishing reads the tables through `Reader` alone. So what a statement depends on is recorded, not
declared: whatever was read and isn't the surface form of a claim counts as read by the statement.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping

from worldgen.blueprint import Column, Superlative, Table
from worldgen.errors import GenerationError
from worldgen.facts import Fact, RowKey, Value, cell, complete_list, row
from worldgen.pages import Claim, Layout, Statement
from worldgen.surface import PLACEHOLDERS, write
from worldgen.world import World

Filling = str | tuple[Column, str, RowKey]
"""What stands in a template's braces: text, or a cell as its column, table and row key."""


class Reader:
    """Reads a world's guarded facts and remembers which."""

    def __init__(self, world: World) -> None:
        """Read `world`."""
        self._world = world
        self._read: list[Fact] = []

    def take(self) -> tuple[Fact, ...]:
        """The facts read since the last call, each once."""
        taken = tuple(dict.fromkeys(self._read))
        self._read.clear()
        return taken

    def cell(self, table: str, key: RowKey, column: str) -> Value:
        """What stands in a cell."""
        self._read.append(cell(table, key, column))
        return self._world.tables[table][key][column]

    def rows(self, link: Table, home_id: int) -> Iterator[RowKey]:
        """The keys of the link rows of an entity at the home side.

        Whatever is written after a key was handed out depends on the existence of that row.
        """
        place = link.key_columns.index(link.home_side.name)
        for key in self._world.tables[link.name]:
            if key[place] == home_id:
                self._read.append(row(link.name, key))
                yield key

    def count(self, link: Table, home_id: int) -> int:
        """How many link rows an entity has at the home side."""
        self._read.append(complete_list(link.name, link.home_side.name, home_id))
        place = link.key_columns.index(link.home_side.name)
        return sum(key[place] == home_id for key in self._world.tables[link.name])

    def highest(self, kind: Superlative, group_id: int) -> int | None:
        """The id of the group's row with the highest value, or None where it is no single one."""
        ids = [
            i
            for i in self._world.ids(kind.table)
            if self.open(kind.table, (i,), kind.by) == group_id
        ]
        values = {i: self.cell(kind.table, (i,), kind.column) for i in ids}
        best = max(values.values(), key=float)
        winners = [i for i, value in values.items() if value == best]
        return winners[0] if len(winners) == 1 else None

    def open(self, table: str, key: RowKey, column: str) -> Value:
        """What stands in a cell of an open column; nothing needs to be remembered.

        Raises:
            GenerationError: the column is guarded.
        """
        if self._world.roles.guarded_column(table, column):
            problem = f"publishing read the guarded column {table}.{column} as if it were open"
            raise GenerationError(self._world.blueprint.id, self._world.seed, problem)
        return self._world.tables[table][key][column]

    def name(self, table: str, entity_id: int) -> str:
        """The name of an entity, which is open."""
        return self._world.name_of(table, entity_id)

    def surface(self, column: Column, value: Value, form: int) -> str:
        """A value as a page writes it; references by the name of what they point to."""
        return write(column, self.name(column.to, int(value)) if column.to else value, form)


class Pen:
    """Writes one statement."""

    def __init__(self, reader: Reader, form: int = 0) -> None:
        """Write with what `reader` reads, in surface form number `form`."""
        self._reader, self._form = reader, form
        self._parts: list[str] = []
        self._claims: list[Claim] = []
        self._whole: list[tuple[Fact, tuple[Fact, ...]]] = []
        self._loose: list[Fact] = []

    def text(self, text: str) -> Pen:
        """Write plain text."""
        self._parts.append(text)
        return self

    def exists(self, table: str, key: RowKey) -> Pen:
        """Claim with the whole statement that a link row exists."""
        self._whole.append((row(table, key), self._reader.take()))
        return self

    def state(self, column: Column, table: str, key: RowKey) -> Pen:
        """Write a cell's value, as a claim."""
        self._loose += self._reader.take()
        value = self._reader.cell(table, key, column.name)
        surface = self._reader.surface(column, value, self._form)
        return self.claim(cell(table, key, column.name), value, surface, PLACEHOLDERS[column.kind])

    def named(self, table: str, entity_id: int) -> Pen:
        """Write an entity's name, as a claim."""
        name = self._reader.name(table, entity_id)
        return self.claim(cell(table, (entity_id,), "name"), name, name, PLACEHOLDERS["name"])

    def claim(self, fact: Fact, value: Value, surface: str, placeholder: str) -> Pen:
        """Write `surface` as a claim that depends on what was read since the last one."""
        start = sum(map(len, self._parts))
        depends_on = self._reader.take()
        self._claims.append(
            Claim(fact, value, start, start + len(surface), placeholder, depends_on)
        )
        self._parts.append(surface)
        return self

    def fill(self, template: str, values: Mapping[str, Filling]) -> Pen:
        """Write a template, cells as claims."""
        for literal, name, _, _ in string.Formatter().parse(template):
            self.text(literal)
            if name:
                value = values[name]
                self.text(value) if isinstance(value, str) else self.state(*value)
        return self

    def done(self, layout: Layout = "sentence", href: str | None = None) -> Statement:
        """The statement, with all that was read for it."""
        text = "".join(self._parts)
        self._loose += self._reader.take()
        whole = [Claim(fact, 1, 0, len(text), "", read) for fact, read in self._whole]
        loose = tuple(dict.fromkeys(self._loose))
        return Statement(text, layout, (*whole, *self._claims), loose, href)
