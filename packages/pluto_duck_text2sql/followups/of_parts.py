"""An amount of orders told by the amounts of their lines, where groups or a condition are of what is on these: revenue
by category, and that of electronics only, is what such lines came to, not all of the orders that hold one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.followups.trees import repeats, settled
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Cond,
    Expr,
    Order,
    Product,
    Query,
    Share,
    TableKey,
    columns_in,
)


def grouped_by_parts(query: Query, reader: Reader) -> Query | None:
    """The query with sums of money that its groups repeat as those of the lines; None where these keep none, the query
    itself where nothing is repeated."""
    if not repeats(query, reader):
        return query
    made = _by_lines(query, {each.table for each in columns_in(query.group)}, reader)
    return None if repeats(made, reader) else made


def restricted_by_parts(query: Query, new: Sequence[Cond], reader: Reader) -> Query:
    """The query with sums of money as those of the lines that new conditions hold for."""
    told = {each.table for one in new if isinstance(one, Compare | Among) for each in columns_in(one.left)}
    return _by_lines(query, told, reader) if told else query


def _by_lines(query: Query, told: set[TableKey], reader: Reader) -> Query:
    """The query with each sum of what has many of these told by its lines."""
    select = tuple(_of_lines(each, told, reader) for each in query.select)
    if select == query.select:
        return query
    order = tuple(Order(_of_lines(each.by, told, reader), each.descending, each.settles) for each in query.order)
    return settled(replace(query, select=select, order=order), reader)


def _of_lines(shown: Expr, told: set[TableKey], reader: Reader) -> Expr:
    """A sum, or a share of it, of the lines' amounts; any other figure as it is."""
    if isinstance(shown, Share) and isinstance(shown.of, Agg):
        return replace(shown, of=_of_lines(shown.of, told, reader))
    whole = shown.of if isinstance(shown, Agg) and shown.function == "sum" else None
    if not isinstance(shown, Agg) or not isinstance(whole, Col):
        return shown
    is_of_many = any(reader.joins.belongs(each, whole.table) for each in told)
    part = _part(whole, told, reader) if is_of_many else None
    return replace(shown, of=part) if part else shown


def _part(whole: Col, told: set[TableKey], reader: Reader) -> Expr | None:
    """The amount of the lines of what has an amount: the one of the same name, else what each line came to."""
    money = reader.resolver.money()
    own = [each for each in money if _is_of_line(each, whole, told, reader)] if whole in money else []
    alike = [each for each in own if isinstance(each, Col) and each.name == whole.name]
    return next(iter([*alike, *(each for each in own if isinstance(each, Product)), *own]), None)


def _is_of_line(amount: Expr, whole: Col, told: set[TableKey], reader: Reader) -> bool:
    """Whether an amount is of lines that say how many pieces they are of, each with one of what is told."""
    table = reader.catalog.table(*next(columns_in(amount)).table)
    is_of_whole = table is not None and reader.joins.is_of(table.key, whole.table)
    has_one = table is not None and not any(reader.joins.belongs(each, table.key) for each in told)
    return is_of_whole and has_one and table is not None and reader.resolver.pieces(table) is not None
