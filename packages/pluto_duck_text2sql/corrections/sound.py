"""Trees as their figures must be to mean anything: a discount is a part of a price, time runs from the earlier date.

Called by `corrections` for every tree, whoever wrote it. Both are told by what the columns hold: no fraction is above
1, and what begins is not after what ends in all of the data.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.date_names import is_meant
from pluto_duck_text2sql.data.levels import is_level
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Days,
    Expr,
    Minus,
    Nested,
    Product,
    Query,
    Ratio,
    Rows,
    TableKey,
    mapped,
)
from pluto_duck_text2sql.trees.durations import Durations

_MEANS = ("avg", "sum", "median", "quantile")
_OF_DATES = Pattern(r"\b(?:date|day of|when)\b", re.IGNORECASE)
_TOTALS = Pattern(r"\b(?:total|sum|sums|totals|points)\b", re.IGNORECASE)
GIVEN = frozenset(map(stem, "score rating stars grade mark satisfaction csat nps".split()))
"""What people give."""
_MARKS = GIVEN | frozenset(map(stem, "percent pct gpa temperature speed age".split()))
"""What nobody adds up."""
_ADDED_UP = frozenset(map(stem, ("score", "mark", "percent", "pct", "speed")))
"""What somebody may add up, where no mean is asked."""
_MEAN = Pattern(r"\b(?:average|avg|mean|rated|reviewed)\b", re.IGNORECASE)
_OF_ONE = _MARKS | frozenset(map(stem, "salary wage pay price height weight".split()))
_ALL = frozenset(map(stem, "total sum amount".split()))
"""What is told of each one, and what of all."""
_DISCOUNT = stem("discount")
_CALLED_KEYS = frozenset(map(stem, "id key code number no num nr".split()))


def sound(query: Query, catalog: Catalog) -> Query:
    """The tree with each product less what can be taken off it, each span from its earlier date, means as means."""
    made: Query = mapped(query, partial(_sound, catalog=catalog), (Product, Days, Ratio))
    return made


def without_mean_moments(query: Query, question: str, catalog: Catalog, durations: Durations) -> Query:
    """The tree with each mean of moments as that of the time until then: nobody asks for the mean of `answered_at`."""
    if _OF_DATES.search(question):
        return query

    def until(node: Any) -> Any:
        if not isinstance(node, Agg) or node.function not in _MEANS or not isinstance(node.of, Col):
            return node
        stored, table = catalog.column(*node.of.table, node.of.name), catalog.table(*node.of.table)
        begun = durations.begun(table, node.of) if stored and stored.is_time and table else None
        return replace(node, of=Days(begun, node.of)) if begun else node

    made: Query = mapped(query, until, (Agg,))
    return made


def of_marks(query: Query, question: str) -> Query:
    """`average score per lesson`: the mean score of each lesson, where a tree has the mean of each one's sum."""
    shown = query.select[0] if len(query.select) == 1 and not query.group and not query.then else None
    of = shown.of if isinstance(shown, Agg) and shown.function == "avg" else None
    inner = of.query if isinstance(of, Nested) else None
    figure = inner.select[0] if inner and len(inner.select) == 1 and inner.group else None
    if inner is None or not isinstance(figure, Agg) or figure.function != "sum" or not isinstance(figure.of, Col):
        return query
    if _TOTALS.search(question) or _MARKS.isdisjoint(name_stems(figure.of.name)):
        return query
    return replace(inner, select=(*inner.group, replace(figure, function="avg")))


def without_summed_marks(query: Query, question: str) -> Query:
    """The tree with the mean of each mark that it adds up: nobody adds up stars, nor scores where a mean is asked."""
    if _TOTALS.search(question):
        return query
    never = _MARKS if _MEAN.search(question) else _MARKS - _ADDED_UP

    def mean(shown: Expr) -> Expr:
        if not isinstance(shown, Agg) or shown.function != "sum" or not isinstance(shown.of, Col):
            return shown
        is_mark = not never.isdisjoint(name_stems(shown.of.name)[-1:]) or is_level(shown.of.name)
        return replace(shown, function="avg") if is_mark else shown

    select = tuple(mean(each) for each in query.select)
    order = tuple(replace(each, by=mean(each.by)) for each in query.order)
    return replace(query, select=select, order=order) if (select, order) != (query.select, query.order) else query


def of_typical_ones(query: Query, question: str) -> Query:
    """`the pay gap between men and women`: between their mean salaries, not what all of the one and the other earn."""
    if _TOTALS.search(question):
        return query

    def typical(node: Any) -> Any:
        ends = (node.left, node.right) if isinstance(node, Minus) else ()
        totals = [each for each in ends if isinstance(each, Agg) and each.where and _is_sum_of_ones(each)]
        return Minus(*(replace(each, function="avg") for each in totals)) if len(totals) == 2 else node

    made: Query = mapped(query, typical, (Minus,))
    return made


def _is_sum_of_ones(total: Agg) -> bool:
    stems = name_stems(total.of.name) if isinstance(total.of, Col) and total.function == "sum" else ()
    return not _OF_ONE.isdisjoint(stems) and _ALL.isdisjoint(stems)


def _sound(node: Any, catalog: Catalog) -> Any:
    if isinstance(node, Ratio):
        return _mean(node, catalog)
    if isinstance(node, Product) and node.discount and not _is_fraction(node.discount, catalog):
        table = catalog.table(*node.discount.table)
        is_amount = table is not None and node.off is None and _is_amount_off(node.discount, table)
        return replace(node, discount=None, off=node.discount if is_amount else node.off)
    return from_earlier(node, catalog) if isinstance(node, Days) else node


def from_earlier(days: Days, catalog: Catalog) -> Days:
    """A span of a row from the date that is the earlier one in the data."""
    are_columns = isinstance(days.start, Col) and isinstance(days.end, Col)
    is_turned = are_columns and _is_later(days.start, days.end, catalog)  # type: ignore[arg-type]
    return replace(days, start=days.end, end=days.start) if is_turned else days


def _mean(ratio: Ratio, catalog: Catalog) -> Expr:
    """How many different amounts there are by how many rows tells nothing: the mean amount of a row is meant."""
    top, bottom = ratio.top, ratio.bottom
    if not isinstance(top, Agg) or not isinstance(bottom, Agg) or ratio.scale != 1 or top.where != bottom.where:
        return ratio
    if {top.function, bottom.function} != {"count"} or not top.distinct:
        return ratio
    if not isinstance(top.of, Col) or not isinstance(bottom.of, Rows):
        return ratio
    return Agg("avg", top.of, where=top.where) if _is_amount_of(top.of, bottom.of.table, catalog) else ratio


def _is_amount_of(column: Col, rows: TableKey, catalog: Catalog) -> bool:
    """Whether it holds numbers of those rows that are no keys."""
    table, stored = catalog.table(*rows), catalog.column(*column.table, column.name)
    if table is None or stored is None or stored.kind != "number" or column.table != rows:
        return False
    keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    return column.name not in keys and _CALLED_KEYS.isdisjoint(name_stems(column.name))


def _is_fraction(column: Col, catalog: Catalog) -> bool:
    """Whether it holds numbers not above 1, or nothing is known of them."""
    stored = catalog.column(*column.table, column.name)
    if stored is None or stored.kind != "number":
        return stored is None
    return stored.maximum is None or float(stored.maximum) <= 1


def _is_amount_off(column: Col, table: Table) -> bool:
    stored = table.column(column.name)
    return stored is not None and stored.kind == "number" and _DISCOUNT in table.stems(column.name)


def _is_later(start: Col, end: Col, catalog: Catalog) -> bool:
    """Whether of two dates of a row the one begins and ends after the other in the data; what has not come about of all
    rows, as the other has, may end before it."""
    one, other = (catalog.column(*each.table, each.name) for each in (start, end))
    table = catalog.table(*start.table)
    if start.table != end.table or one is None or other is None or not (one.is_time and other.is_time):
        return False
    if table is None or any(is_meant(table.stems(each.name)) for each in (start, end)):
        return False  # what is early or late is told by a date that was only meant, on either side of what happened
    bounds = (one.minimum, one.maximum, other.minimum, other.maximum)
    if None in bounds:
        return False
    first, last, before, until = (str(each)[:10] for each in bounds)
    is_to_come = bool(one.null_fraction) and not other.null_fraction
    return before < first and (until < last or is_to_come)
