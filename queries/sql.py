"""Plans as SQL: the value query, whose result is the answer, and the lineage query.

Both are sqlglot trees. The lineage query has a row for each combination of rows that the answer
could rest on by open conditions alone, with the ids of its sources and whether the guarded
conditions hold; `queries.lineage` turns its rows into facts.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlglot.expressions as exp

from queries.plan import BASE, Condition, Plan, Source, column_of
from worldgen.blueprint import Blueprint
from worldgen.facts import Value
from worldgen.roles import Roles

SELECTED = "selected"
"""The column of the lineage query that says whether the guarded conditions hold."""


def value_query(plan: Plan, blueprint: Blueprint) -> exp.Select:
    """The query whose result is the answer: keys, then outputs, in the order asked for."""
    query = exp.select(*_keys(plan, blueprint), *_outputs(plan, blueprint)).from_(
        _table(plan.sources[0])
    )
    for source in plan.sources[1:]:
        query = query.join(_table(source), on=_on(source, blueprint, plan), join_type="inner")
    query = _join_names(query, plan, blueprint)
    query = query.where(*_where(plan, blueprint, plan.conditions))
    if plan.aggregated:
        query = query.group_by(_column(BASE, "id"), _column(BASE, "name"))
    query = query.order_by(*_order(plan))
    return query.limit(plan.order.limit) if plan.order and plan.order.limit else query


def lineage_query(plan: Plan, blueprint: Blueprint, roles: Roles) -> exp.Select:
    """The query for the rows that the answer could rest on, and whether it does."""
    open_, guarded = split(plan, roles)
    query = exp.select(*_ids(plan, blueprint)).from_(_table(plan.sources[0]))
    for source in plan.sources[1:]:
        query = query.join(
            _table(source), on=_lineage_on(source, blueprint, plan, roles, open_), join_type="left"
        )
    holds: list[exp.Expr] = [_condition(c, blueprint, plan) for c in guarded]
    holds += [
        exp.Not(
            this=exp.Is(
                this=_column(s.alias, blueprint.table(s.table).key_columns[0]),
                expression=exp.null(),
            )
        )
        for s in plan.via("link", "child")
    ]
    if plan.absence:
        holds.append(_absent(plan, blueprint))
    query = query.select(exp.alias_(exp.and_(*holds) if holds else exp.true(), SELECTED))
    kept = [c for c in open_ if plan.source(c.alias).via not in ("far", "child")]
    # By every id, so that the order never depends on how a database runs the query.
    places = range(1, len(_ids(plan, blueprint)) + 1)
    query = query.where(*_where(plan, blueprint, kept, absence=False))
    return query.order_by(*(exp.Literal.number(place) for place in places))


def split(plan: Plan, roles: Roles) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    """The open conditions of a plan, and the guarded ones."""
    guarded = tuple(
        c for c in plan.conditions if roles.guarded_column(plan.source(c.alias).table, c.column)
    )
    return tuple(c for c in plan.conditions if c not in guarded), guarded


def _table(source: Source) -> exp.Table:
    table = _bare_table(source.table)
    table.set("alias", exp.TableAlias(this=exp.to_identifier(source.alias, quoted=True)))
    return table


def _bare_table(name: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(name, quoted=True))


def _column(alias: str, name: str) -> exp.Column:
    return exp.column(name, table=alias, quoted=True)


def _literal(value: Value) -> exp.Expr:
    return exp.Literal.string(value) if isinstance(value, str) else exp.Literal.number(str(value))


def _keys(plan: Plan, blueprint: Blueprint) -> list[exp.Expr]:
    return [
        exp.alias_(
            _column(alias, "name"), key_heading(blueprint, plan.source(alias).table), quoted=True
        )
        for alias in key_aliases(plan)
    ]


def key_aliases(plan: Plan) -> tuple[str, ...]:
    """The sources whose names together name a row of the answer."""
    return (BASE, *(far.alias for far in plan.via("far"))) if plan.pairs else (BASE,)


def key_heading(blueprint: Blueprint, table: str) -> str:
    """The heading of the column that names rows of a table."""
    label = blueprint.table(table).label
    return label[:1].upper() + label[1:]


def _outputs(plan: Plan, blueprint: Blueprint) -> list[exp.Expr]:
    found = []
    for output in plan.outputs:
        cell: exp.Expr = _column(output.alias, output.column)
        column = column_of(blueprint, plan.source(output.alias).table, output.column)
        if output.aggregate == "count":
            cell = exp.Count(this=exp.Star())
        elif output.aggregate:
            kind = {"sum": exp.Sum, "max": exp.Max, "min": exp.Min}[output.aggregate]
            cell = kind(this=cell)
            if column and column.decimals and output.aggregate == "sum":
                cell = exp.func("ROUND", cell, exp.Literal.number(column.decimals))
        elif column and column.to:
            cell = _column(_name_alias(output.alias, output.column), "name")
        found.append(exp.alias_(cell, output.heading, quoted=True))
    return found


def _name_alias(alias: str, column: str) -> str:
    return f"{alias}_{column}"


def _join_names(query: exp.Select, plan: Plan, blueprint: Blueprint) -> exp.Select:
    """Join what referencing outputs point to, to show its name."""
    for output in plan.outputs:
        column = column_of(blueprint, plan.source(output.alias).table, output.column)
        if column and column.to and not output.aggregate:
            alias = _name_alias(output.alias, output.column)
            target = Source(
                alias=alias, table=column.to, via="parent", of=output.alias, column=output.column
            )
            query = query.join(_table(target), on=_on(target, blueprint, plan), join_type="left")
    return query


def _on(source: Source, blueprint: Blueprint, plan: Plan) -> exp.Expr:
    """What joins a source to the one that it is reached from."""
    table = blueprint.table(source.table)
    if source.via == "parent":
        return _column(source.of, source.column).eq(_column(source.alias, "id"))
    if source.via == "far":
        link = blueprint.table(plan.source(source.of).table)
        return _column(source.of, link.far_side.name).eq(_column(source.alias, "id"))
    if source.via == "link":
        return _column(source.alias, table.home_side.name).eq(_column(source.of, "id"))
    if source.via == "year":
        same = _column(source.alias, table.refs[0].name).eq(_column(source.of, "id"))
        return exp.and_(same, _column(source.alias, "year").eq(exp.Literal.number(source.year)))
    return _column(source.alias, source.column).eq(_column(source.of, "id"))


def _lineage_on(
    source: Source, blueprint: Blueprint, plan: Plan, roles: Roles, open_: Iterable[Condition]
) -> exp.Expr:
    """As `_on`, with the open conditions on far and child rows, reached by outer joins."""
    on = _on(source, blueprint, plan)
    if source.via == "link":
        for far in plan.via("far"):
            wanted = [_condition(c, blueprint, plan) for c in open_ if c.alias == far.alias]
            ids = exp.select(_column(far.alias, "id")).from_(_table(far)).where(*wanted)
            reached = _column(source.alias, blueprint.table(source.table).far_side.name)
            on = exp.and_(on, reached.isin(query=ids))
    if source.via == "child":
        on = exp.and_(
            on, *(_condition(c, blueprint, plan) for c in open_ if c.alias == source.alias)
        )
    return on


def _where(
    plan: Plan, blueprint: Blueprint, conditions: Iterable[Condition], absence: bool = True
) -> list[exp.Expr]:
    found = [_condition(condition, blueprint, plan) for condition in conditions]
    return [*found, _absent(plan, blueprint)] if absence and plan.absence else found


def _condition(condition: Condition, blueprint: Blueprint, plan: Plan) -> exp.Expr:
    left = _column(condition.alias, condition.column)
    right = (
        _column(condition.other, condition.column)
        if condition.other
        else _constant(condition, blueprint, plan)
    )
    kinds: dict[str, type[exp.Binary]] = {"=": exp.EQ, ">": exp.GT, "<": exp.LT}
    return kinds[condition.operator](this=left, expression=right)


def _constant(condition: Condition, blueprint: Blueprint, plan: Plan) -> exp.Expr:
    """The constant, or for a reference the id of what the name names."""
    assert condition.value is not None  # noqa: S101 - a condition without `other` has a value
    return _named(blueprint, plan.source(condition.alias).table, condition.column, condition.value)


def _named(blueprint: Blueprint, table: str, name: str, value: Value) -> exp.Expr:
    column = column_of(blueprint, table, name)
    if column is None or column.to is None:
        return _literal(value)
    query = exp.select(exp.column("id", quoted=True)).from_(_bare_table(column.to))
    return query.where(exp.column("name", quoted=True).eq(_literal(value))).subquery()


def _absent(plan: Plan, blueprint: Blueprint) -> exp.Expr:
    absence = plan.absence
    assert absence is not None  # noqa: S101 - the callers have asked
    link = blueprint.table(absence.link)
    far = link.far_side
    value = _named(blueprint, far.to or "", absence.column, absence.value)
    rows = (
        exp.select(exp.Literal.number(1))
        .from_(_table(Source(alias="l", table=link.name, via="link")))
        .join(
            _table(Source(alias="f", table=far.to or "", via="far")),
            on=_column("l", far.name).eq(_column("f", "id")),
            join_type="inner",
        )
        .where(
            _column("l", link.home_side.name).eq(_column(BASE, "id")),
            _column("f", absence.column).eq(value),
        )
    )
    return exp.Not(this=exp.Exists(this=rows))


def _ids(plan: Plan, blueprint: Blueprint) -> list[exp.Expr]:
    wanted = [
        (s.alias, name) for s in plan.sources for name in blueprint.table(s.table).key_columns
    ]
    wanted += [(alias, "name") for alias in key_aliases(plan)]
    return [
        exp.alias_(_column(alias, name), f"{alias}.{name}", quoted=True) for alias, name in wanted
    ]


def _order(plan: Plan) -> list[exp.Ordered]:
    order = [_ordered(_column(alias, "name"), descending=False) for alias in key_aliases(plan)]
    if plan.order:
        heading = exp.column(plan.outputs[plan.order.output].heading, quoted=True)
        order.insert(0, _ordered(heading, plan.order.descending))
    return order


def _ordered(this: exp.Expr, descending: bool) -> exp.Ordered:
    """An order that leaves NULL where SQLite puts it: first when ascending."""
    return exp.Ordered(this=this, desc=descending, nulls_first=not descending)


def text(query: exp.Select) -> str:
    """The query in SQLite's dialect, on one line."""
    return query.sql(dialect="sqlite")
