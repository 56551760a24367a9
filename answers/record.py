"""A task as one JSON record, as the export writes it, or another tool: the answer table from it.

A record says what is compared (`columns`, `key_columns`, `rows`), and in `comparison` how. Without
that, each column's rule is inferred from its values.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from answers.headings import split_heading
from answers.table import AnswerColumn, AnswerTable, CellKind
from answers.units import parse_unit, unit_names
from worldgen.facts import Value

_DAY_LENGTH = 10
_MOST_DECIMALS = 30
_INFINITE = (float("inf"), float("-inf"))


def _cell(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value in _INFINITE:
        message = "a cell is a text or a number"
        raise ValueError(message)
    return value


Cell = Annotated[Value, BeforeValidator(_cell)]


class Rule(BaseModel):
    """How the cells of a column are compared: what `AnswerColumn` says beside name and key."""

    model_config = ConfigDict(frozen=True)

    kind: CellKind
    guarded: bool = False
    decimals: int = Field(default=0, ge=0, le=_MOST_DECIMALS)
    unit: str | None = None


class Comparison(BaseModel):
    """How answers are compared.

    Attributes:
        columns: a rule for each column.
        aliases: other surface forms of names.
    """

    model_config = ConfigDict(frozen=True)

    columns: tuple[Rule, ...]
    aliases: dict[str, tuple[str, ...]] = {}


class TaskRecord(BaseModel):
    """One line of an export. Fields that scoring has no use for are ignored."""

    model_config = ConfigDict(frozen=True)

    task_id: str
    question: str = ""
    columns: tuple[str, ...]
    key_columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    comparison: Comparison | None = None
    world_id: str = ""
    domain: str = ""
    family: str = ""
    difficulty: str | float | None = None

    def answer(self) -> AnswerTable:
        """The answer table.

        Raises:
            ValueError: the record contradicts itself; the message says in one line how.
        """
        for name in self.key_columns:
            if name not in self.columns:
                message = f"the key column {name!r} is none of the columns"
                raise ValueError(message)
        columns = tuple(
            AnswerColumn(name=name, key=name in self.key_columns, **dict(rule))
            for name, rule in zip(self.columns, self.rules(), strict=True)
        )
        aliases = self.comparison.aliases if self.comparison else {}
        return AnswerTable(columns=columns, rows=self.rows, aliases=aliases)

    def rules(self) -> Sequence[Rule]:
        """A rule for each column: those that are given, or those that the values suggest.

        Raises:
            ValueError: there are not as many as columns.
        """
        if self.comparison is None:
            return [self._inferred(place) for place in range(len(self.columns))]
        if len(self.comparison.columns) != len(self.columns):
            message = "comparison: there are not as many rules as columns"
            raise ValueError(message)
        return self.comparison.columns

    def _inferred(self, place: int) -> Rule:
        """The rule that a column's values suggest; what stands outside the key is guarded."""
        name = self.columns[place]
        values = [row[place] for row in self.rows if place < len(row)]
        guarded = name not in self.key_columns
        if values and all(map(_is_day, values)):
            return Rule(kind="date", guarded=guarded)
        if values and not any(isinstance(value, str) for value in values):
            decimals = min(max(map(_decimals, values)), _MOST_DECIMALS)
            return Rule(kind="number", guarded=guarded, decimals=decimals, unit=_unit(name))
        return Rule(kind="name", guarded=guarded)


def _is_day(value: Value) -> bool:
    """Whether a value is a date as `YYYY-MM-DD`."""
    if not isinstance(value, str) or len(value) != _DAY_LENGTH:
        return False
    try:
        return dt.date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _decimals(value: Value) -> int:
    """How many digits a number shows after its point."""
    exponent = Decimal(str(value)).as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0


def _unit(heading: str) -> str | None:
    """The unit in a heading's parentheses: `m` in `Depth (m)`, none in `Fee (2029)`."""
    inside = split_heading(heading)[1]
    unit = parse_unit(inside)
    known = unit.scale != 1 or any(map(unit_names, unit.names))
    return inside if known else None
