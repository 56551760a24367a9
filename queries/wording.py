"""Wording: a plan as a question that a person can answer from the web alone.

Every table, column, constant, order and unit of the plan stands in the text under a name that
means one thing in the blueprint, so two plans of a world have two questions.
"""

from __future__ import annotations

from queries.plan import BASE, Condition, Plan, column_of
from queries.sql import key_aliases, key_heading, split
from worldgen.blueprint import Blueprint, Column
from worldgen.facts import Value
from worldgen.roles import Roles
from worldgen.surface import write, write_date
from worldgen.world import World


def question(plan: Plan, world: World) -> str:
    """The question: the setting, what is asked for, and the form of the answer."""
    setting = world.blueprint.setting.format(world=world.name)
    worder = _Worder(plan, world.blueprint, world.roles)
    return " ".join((setting, *worder.ask(), worder.form(), worder.units()))


def extremes(column: Column) -> tuple[str, str]:
    """What the most and the least of a column are called."""
    if column.kind == "date":
        return "latest", "earliest"
    return (
        ("greatest", "smallest") if column.kind in ("measure", "count") else ("highest", "lowest")
    )


class _Worder:
    """The words for one plan."""

    def __init__(self, plan: Plan, blueprint: Blueprint, roles: Roles) -> None:
        self.plan, self.blueprint = plan, blueprint
        self.open, self.guarded = split(plan, roles)
        self.table = blueprint.table(plan.base)

    def ask(self) -> list[str]:
        """The sentences that say what is asked for."""
        scope = self.scope()
        if self.plan.aggregated:
            return self._ask_children(scope)
        if self.plan.pairs:
            return self._ask_pairs(scope)
        if self.plan.order and self.plan.order.limit:
            return [f"Of {scope}, list the {self.plan.order.limit} with {self._extreme()}."]
        return [f"Of {scope}, list those {self._which()}."]

    def _which(self) -> str:
        absence = self.plan.absence
        if absence:
            link = self.blueprint.table(absence.link)
            return link.has_none.format(
                value=self._group(link.far_side.to or "", absence.column, absence.value)
            )
        return " and ".join(self._guarded_condition(condition) for condition in self.guarded)

    def _ask_pairs(self, scope: str) -> list[str]:
        (source,) = self.plan.via("link")
        link = self.blueprint.table(source.table)
        (far,) = [c for c in self.open if c.alias == "far"]
        assert far.value is not None  # noqa: S101 - a scope's condition has a value
        group = self._group(link.far_side.to or "", far.column, far.value)
        far_label = self.blueprint.table(link.far_side.to or "").label
        return [
            f"Of {scope}, take those {link.has.format(value=group)}.",
            f"List every such pair of {self.table.label} and {far_label}.",
        ]

    def _ask_children(self, scope: str) -> list[str]:
        (source,) = self.plan.via("child")
        child = self.blueprint.table(source.table)
        one = f"For each {self.table.label}" if scope.startswith("all ") else f"For each of {scope}"
        if child.kind == "link":
            rest = f"Leave out any {self.table.label} without one."
            return [f"{one}, take all its {child.plural}.", rest]
        where = (child.column(source.column).where or "of {value}").format(value="it")
        rows = f"all {child.plural} {where}"
        rest = f"Leave out any {self.table.label} without such {child.plural}."
        if not self.guarded:
            return [f"{one}, take {rows}.", rest]
        which = " and ".join(self._guarded_condition(condition) for condition in self.guarded)
        return [f"{one}, take, of {rows}, only those {which}.", rest]

    def _group(self, table: str, column: str, value: Value) -> str:
        far = self.blueprint.table(table)
        return f"{far.plural} {(far.column(column).where or '').format(value=value)}"

    def scope(self) -> str:
        """The rows that the question is about, as a plural."""
        own = [c for c in self.open if c.alias == BASE]
        # What is said of the rows themselves stands nearest to their name.
        own.sort(key=lambda c: self._column(c).kind == "ref")
        phrases = [self._where(c, str(c.value)) for c in own]
        phrases += [self._nested(c) for c in self.open if c.alias not in (BASE, "far", "child")]
        scope = " ".join((self.table.plural, *phrases))
        return f"the {scope}" if phrases else f"all {scope}"

    def _where(self, condition: Condition, value: str) -> str:
        column = self._column(condition)
        return (column.where or "").format(value=value)

    def _nested(self, condition: Condition) -> str:
        """A condition on a parent: `in a team based in Orrenby`."""
        source = self.plan.source(condition.alias)
        parent = self.blueprint.table(source.table)
        phrase = f"{parent.one} {self._where(condition, str(condition.value))}"
        return (self.table.column(source.column).where or "").format(value=phrase)

    def _guarded_condition(self, condition: Condition) -> str:
        """A condition on a guarded column, as a clause after `those`."""
        source, column = self.plan.source(condition.alias), self._column(condition)
        if source.via == "parent":
            parent = self.blueprint.table(source.table)
            phrase = f"{parent.one} whose {self._compare(condition, column)}"
            return "that are " + (self.table.column(source.column).where or "").format(value=phrase)
        return f"whose {self._compare(condition, column)}"

    def _compare(self, condition: Condition, column: Column) -> str:
        source = self.plan.source(condition.alias)
        if condition.other:
            before = self.plan.source(condition.other)
            word = "higher" if condition.operator == ">" else "lower"
            return f"{column.label} was {word} in {source.year} than in {before.year}"
        assert condition.value is not None  # noqa: S101 - a condition without `other` has a value
        value = write(column, condition.value).replace(".0 ", " ")
        when = f" in {source.year} was" if source.via == "year" else " is"
        if column.kind == "date":
            return (
                f"{column.label}{when} {'after' if condition.operator == '>' else 'before'} {value}"
            )
        words = {"=": "", ">": "more than ", "<": "less than "}
        return f"{column.label}{when} {words[condition.operator]}{value}"

    def _extreme(self) -> str:
        order = self.plan.order
        assert order is not None  # noqa: S101 - the caller has asked
        output = self.plan.outputs[order.output]
        column = column_of(self.blueprint, self.plan.source(output.alias).table, output.column)
        assert column is not None  # noqa: S101 - rows are ordered by a declared column
        word = extremes(column)[0 if order.descending else 1]
        return f"the {word} {column.label}, {word} first"

    def _column(self, condition: Condition) -> Column:
        return self.blueprint.table(self.plan.source(condition.alias).table).column(
            condition.column
        )

    def form(self) -> str:
        """The columns of the answer, and what one of its rows is."""
        keys = [
            key_heading(self.blueprint, self.plan.source(alias).table)
            for alias in key_aliases(self.plan)
        ]
        headings = ", ".join(
            f'"{heading}"' for heading in (*keys, *(o.heading for o in self.plan.outputs))
        )
        row = " and ".join(key.lower() for key in keys)
        each = f"pair of {row}" if len(keys) > 1 else row
        return (
            f"Answer with one Markdown table, one row for each {each}, with the columns {headings}."
        )

    def units(self) -> str:
        """How values are to be written, and as of when."""
        kinds = set()
        for output in self.plan.outputs:
            column = column_of(self.blueprint, self.plan.source(output.alias).table, output.column)
            kinds.add(column.kind if column else "count")
        parts = ["Give names in full"]
        if kinds & {"money", "measure", "count", "rank"}:
            parts.append("numbers unrounded")
        if "date" in kinds:
            parts.append("dates as YYYY-MM-DD")
        text = " and ".join(parts) if len(parts) < 3 else f"{parts[0]}, {parts[1]}, and {parts[2]}"
        return f"{text}. Everything is as of {write_date(self.blueprint.today.isoformat())}."
