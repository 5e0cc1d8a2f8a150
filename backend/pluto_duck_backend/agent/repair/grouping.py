"""Groups that other databases would make up themselves: a GROUP BY left out or too short, an aggregate in WHERE."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.repair.blocks import Block


def repair_groups(block: Block) -> list[Finding]:
    """Completes the groups of one SELECT."""
    return [*_aggregates_in_where(block), *_missing_groups(block)]


def _aggregates_in_where(block: Block) -> Iterator[Finding]:
    where = block.select.args.get("where")
    if not where or not _aggregates(where.this):
        return
    parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    moved = [each for each in parts if _aggregates(each)]
    kept = [each for each in parts if not _aggregates(each)]
    block.select.set("where", exp.Where(this=exp.and_(*kept)) if kept else None)
    block.select.having(*moved, copy=False)
    said = " AND ".join(each.sql("duckdb") for each in moved)
    yield Finding("aggregate_in_where", "repaired", f"{said} is of groups; it was moved from WHERE to HAVING.")


def _missing_groups(block: Block) -> Iterator[Finding]:
    select, group = block.select, block.select.args.get("group")
    if (group and (group.args.get("all") or not group.expressions)) or not (group or _is_aggregated(select)):
        return
    grouped = list(group.expressions) if group else []
    loose = [each for each in _loose(select) if not _is_grouped(each, grouped, select)]
    if not loose:
        return
    if not group:
        select.group_by(*[each.copy() for each in dict.fromkeys(loose)], copy=False)
        shown = ", ".join(each.sql("duckdb") for each in dict.fromkeys(loose))
        yield Finding("group_by", "repaired", f"GROUP BY {shown} was missing.", f"Grouped by {shown}.")
        return
    for column in loose:
        yield from _completed(column, grouped, block)


def _completed(column: exp.Column, grouped: list[exp.Expr], block: Block) -> Iterator[Finding]:
    shown = column.sql("duckdb")
    if _depends(column, grouped, block):
        block.select.group_by(column.copy(), copy=False)
        yield Finding("group_by", "repaired", f"{shown} was missing in GROUP BY.")
        return
    column.replace(exp.AnyValue(this=column.copy()))
    fact = f"{shown} is neither grouped nor aggregated; one value of each group was taken."
    yield Finding("group_by", "repaired", fact, f"Of {shown} one value of each group is shown.")


def _depends(column: exp.Column, grouped: list[exp.Expr], block: Block) -> bool:
    """Whether a group has one row of the column's table: its key, or a column without repeats, is grouped by."""
    source = block.source_of(column)
    if source is None or source.table is None:
        return False
    by = {each.name.casefold() for each in grouped if isinstance(each, exp.Column) and block.source_of(each) is source}
    key = {name.casefold() for name in source.table.primary_key}
    found = [source.table.column(name) for name in by]
    unique = any(each and source.table.row_count and each.n_distinct == source.table.row_count for each in found)
    return bool(by) and ((bool(key) and key <= by) or unique)


def _is_aggregated(select: exp.Select) -> bool:
    parts = [*select.expressions, *([select.args["having"]] if select.args.get("having") else [])]
    return any(_aggregates(each) for each in parts)


def _aggregates(node: exp.Expr) -> bool:
    """Whether it aggregates rows of its own SELECT, not in a window."""
    own = node.walk(prune=lambda each: isinstance(each, exp.Query | exp.Window))
    return any(isinstance(each, exp.AggFunc) for each in own)


def _loose(select: exp.Select) -> list[exp.Column]:
    """The columns that stand outside of aggregates, in what is shown, in HAVING and in ORDER BY."""
    order = select.args.get("order")
    having = select.args.get("having")
    places = [*select.expressions, *([having.this] if having else []), *(order.expressions if order else [])]
    shown = {each.alias.casefold() for each in select.expressions if each.alias}
    own = (each for place in places for each in _outside(place))
    return [each for each in own if each.table or each.name.casefold() not in shown]


def _outside(place: exp.Expr) -> Iterator[exp.Column]:
    inner = (exp.Query, exp.AggFunc, exp.Window)
    for each in place.walk(prune=lambda node: isinstance(node, inner)):
        if isinstance(each, exp.Column) and not isinstance(each.this, exp.Star):
            yield each


def _is_grouped(column: exp.Column, grouped: list[exp.Expr], select: exp.Select) -> bool:
    """By itself, within a grouped expression, by the position or the alias of what shows it."""
    return any(_covers(each, column, select) for each in grouped)


def _covers(grouped: exp.Expr, column: exp.Column, select: exp.Select) -> bool:
    if isinstance(grouped, exp.Literal) and not grouped.is_string:
        place = int(grouped.name) - 1
        shown = select.expressions[place] if 0 <= place < len(select.expressions) else None
        return shown is not None and column in list(shown.find_all(exp.Column))
    if isinstance(grouped, exp.Column) and not grouped.table:
        named = next((each for each in select.expressions if each.alias.casefold() == grouped.name.casefold()), None)
        if named is not None and column in list(named.find_all(exp.Column)):
            return True
    same = any(_same(each, column) for each in grouped.find_all(exp.Column))
    return same and (isinstance(grouped, exp.Column) or _stands_in(column, grouped))


def _same(one: exp.Column, other: exp.Column) -> bool:
    tables = {one.table.casefold(), other.table.casefold()} - {""}
    return one.name.casefold() == other.name.casefold() and len(tables) < 2


def _stands_in(column: exp.Column, expression: exp.Expr) -> bool:
    """Whether the column stands within the very expression that is grouped by."""
    node: exp.Expr | None = column
    while node is not None:
        if node == expression:
            return True
        node = node.parent
    return False
