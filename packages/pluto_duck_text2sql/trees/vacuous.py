"""Conditions and figures that can say nothing: true or false of every row, or computed from what is no amount.

Called by `pool` for each tree before it is written. `is_vacuous`: the tree is no reading, whatever the question;
`idle_parts`: it may be one, but any that does without it is likelier. Pure.
"""

from __future__ import annotations

import datetime as dt
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.identifiers import is_identifier
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.same_times import are_one_time
from pluto_duck_text2sql.data.statements import statement_of
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    Days,
    During,
    Either,
    Every,
    Expr,
    Inside,
    Later,
    Minus,
    Missing,
    Order,
    Product,
    Query,
    Ratio,
    Related,
    Rows,
    SetOperator,
    TableKey,
    all_nodes_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.contradictory import contradicts, needs_two_of_one, needs_what_is_not
from pluto_duck_text2sql.trees.resolve import Resolver
from pluto_duck_text2sql.trees.years import holds_years

_RANGES: dict[str, tuple[float, float]] = {
    "weekday": (1, 7),
    "month_of_year": (1, 12),
    "quarter_of_year": (1, 4),
    "hour_of_day": (0, 23),
}
"""The least and the greatest value that a part of a cycle has."""
_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_BALANCE = stem("balance")
_COMPUTED = ("sum", "avg", "median", "stddev", "quantile")


def is_vacuous(query: Query, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether a tree holds what can say nothing: a thing set against itself, a bound that all or no values meet, a sum
    of years or hourly rates, a sum or mean of keys."""
    with_itself = query.then is not None and _covers(_alone(query.then[1]), _alone(query), query.then[0])
    every = [each for each in all_nodes_in(query) if isinstance(each, Query)]
    of_one_each = any(
        _counts_one_each(each, one, catalog, joins)
        for one in (query, *every)
        for each in (*one.select, *(order.by for order in one.order))
    )
    return (
        with_itself
        or of_one_each
        or _mixes_rows(query)
        or any(_ends_before_it_begins(each.where) or _computes_of_none(each) for each in (query, *every))
        or any(_spans_to_none(each) or _counts_amounts(each) or _is_two(each) for each in (query, *every))
        or any(_says_nothing(each, catalog, joins) for each in all_nodes_in(query))
    )


def _ends_before_it_begins(where: Sequence[Cond]) -> bool:
    """Whether a date is to be before a day, and on it or later: no row is."""
    bounds = [each for each in where if isinstance(each, Compare) and isinstance(each.right, dt.date)]
    befores = [each for each in bounds if each.operator == "<"]
    sinces = [each for each in bounds if each.operator in (">", ">=")]
    is_never = any(one.left == other.left and other.right >= one.right for one in befores for other in sinces)
    return is_never or any(isinstance(each, During) and each.end <= each.start for each in where)


def _computes_of_none(query: Query) -> bool:
    """Whether a figure is of days that lie outside those which all rows are of."""
    kept = [each for each in query.where if isinstance(each, During)]
    figures = (each for each in nodes_in(query.select) if isinstance(each, Agg))
    own = (each for figure in figures for each in figure.where if isinstance(each, During))
    return any(
        each.left == other.left and (each.end <= other.start or other.end <= each.start)
        for each in own
        for other in kept
    )


def _mixes_rows(query: Query) -> bool:
    """Whether it shows something of one row beside what is counted or added up of all, a time beside groups of another,
    or counts one value of what its groups are by, or adds that up."""
    totals = [each for each in query.select if is_total(each)]
    rows = [each for each in query.select if isinstance(each, Col | Bucket)]
    of_all = any(isinstance(each, Agg) and each.function in ("count", "sum") for each in totals)
    if rows and of_all and not query.group and not query.per:
        return True
    if query.group and any(isinstance(each, Bucket) and each not in query.group for each in rows):
        return True
    ranks = (each.by for each in query.order)
    figures = (each for of in (*totals, *ranks) for each in nodes_in(of) if isinstance(each, Agg))
    return any(_computes_own_group(each, query) for each in figures)


def _is_two(query: Query) -> bool:
    """Whether a column is to be two things at once: a segment that is hotels and hospitals."""
    equal = [each for each in query.where if isinstance(each, Compare) and each.operator == "="]
    held = {(each.left, each.right) for each in equal if isinstance(each.left, Col) and isinstance(each.right, str)}
    return len({left for left, _ in held}) < len(held)


def _spans_to_none(query: Query) -> bool:
    """Whether it computes the days from or to a date that its rows lack."""
    lacking = {each.left for each in query.where if isinstance(each, Missing) and not each.negated}
    spans = [each for each in nodes_in((query.select, query.having, query.where)) if isinstance(each, Days)]
    return any(each.start in lacking or each.end in lacking for each in spans)


def _counts_amounts(query: Query) -> bool:
    """Whether a number of rows is compared with the mean of an amount."""
    return any(
        _is_count(each.left) and _is_mean_of_column(each.right) for each in query.having if isinstance(each, Compare)
    )


def _is_count(figure: object) -> bool:
    return isinstance(figure, Agg) and figure.function == "count"


def _is_mean_of_column(value: object) -> bool:
    figure = value.select[0] if isinstance(value, Query) and len(value.select) == 1 else value
    return isinstance(figure, Agg) and figure.function in ("avg", "median") and isinstance(figure.of, Col)


def _counts_one_each(total: Expr, query: Query, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether it counts the rows of a table in groups of which each has one: diagnoses by their own id, orders by that
    which their lines keep."""
    of = total.of if isinstance(total, Agg) and total.function == "count" else None
    table = catalog.table(*of.table) if isinstance(of, Rows) else None
    own = {Col(table.key, each) for each in table.primary_key} if table else set()
    return bool(own) and own <= {joins.pointed(each) if isinstance(each, Col) else each for each in query.group}


def _computes_own_group(total: Agg, query: Query) -> bool:
    """Whether it counts one value of what its groups are by, or how many of these there are, or adds that up, or the
    number of each year that they are by."""
    is_one = total.function == "count" and total.distinct
    if total.of in query.group and (is_one or total.function in _COMPUTED):
        return True
    if total.function in _COMPUTED and any(_are_years_of(total, each) for each in query.group):
        return True
    left = [each.left for each in total.where if isinstance(each, Compare) and each.operator == "="]
    return any(each in query.group for each in left)


def _are_years_of(total: Agg, key: Expr) -> bool:
    """Whether groups are by the year of what is computed."""
    return isinstance(key, Bucket) and key.grain == "year" and key.of == total.of


def _alone(query: Query) -> Query:
    """Without what is put with it; that its own table is joined as well says nothing."""
    return replace(query, then=None, also=tuple(each for each in query.also if each != query.anchor))


def _covers(other: Query, query: Query, operator: SetOperator) -> bool:
    """Whether one of two queries finds all rows of the other, so that both together, or what both find, are one: those
    of one credit with those of one credit and four hours; what is taken from more may be told apart so."""
    if other == query:
        return True
    is_alike = operator != "except" and replace(other, where=query.where) == query
    return is_alike and (set(other.where) <= set(query.where) or set(query.where) <= set(other.where))


def _denies_one_or_other(parts: Sequence[Cond]) -> bool:
    """Whether something is other than one value or other than another, which all of it is."""
    sides = [frozenset(each.all_of) if isinstance(each, Every) else frozenset((each,)) for each in parts]
    return any(
        len(one - other) == 1 == len(other - one) and _are_both_denied(*(one - other), *(other - one))
        for one, other in combinations(sides, 2)
    )


def _are_both_denied(one: Cond, other: Cond) -> bool:
    if not isinstance(one, Compare) or not isinstance(other, Compare):
        return False
    return one.left == other.left and one.operator == "!=" == other.operator


def _is_of_itself(left: Col, inner: Query) -> bool:
    """Whether a column is looked for among all of its own values."""
    is_plain = not (inner.where or inner.having or inner.group or inner.limit or inner.then)
    return inner.anchor == left.table and inner.select == (left,) and is_plain


def _says_nothing(node: Any, catalog: Catalog, joins: JoinGraph) -> bool:
    match node:
        case Days(one, other) | Compare(one, _, other) if are_one_time(one, other, catalog):
            return True
        case Compare(left, _, Later(of)) if left == of:
            return True
        case Compare(Col() as left, "=" | "!=", str(text)) if text in _FLAGS and _is_of_others(left, text, catalog):
            return True
        case Compare(Col() as left, "<" | "<=" | ">" | ">=", int() | float()) if joins.pointed(left) != left:
            return True
        case Compare(Col() as left, "<" | "<=", right) if _is_number(right):
            return _is_far_beyond(right, _column(left, catalog))
        case Compare(left, sign, right):
            return left == right or _is_beyond(left, sign, right)
        case Ratio(Agg("count", Rows(rows), where=parts)) if any(
            _is_so_of_all(each, rows, catalog, joins) for each in parts
        ):
            return True
        case Ratio(Agg("count", Col() as of, False, ()), Agg("count", Rows())) if _is_so_of_all(
            Missing(of, negated=True), of.table, catalog, joins
        ):
            return True
        case Product(Col() as one, Col() as other) if _multiplies_nothing(one, other, catalog, joins):
            return True
        case Days(one, other) | Minus(one, other) | Ratio(one, other) | Product(one, other):
            return one == other or _counts_the_same(one, other, joins)
        case Query(select=shown, where=where, order=order) if any(
            _is_all(each, where) for each in nodes_in((shown, order))
        ):
            return True
        case Agg(function, Col() as of):
            adds_up = function == "sum" and (
                holds_years(of, catalog) or _is_balance(of, catalog) or _is_rate_of_time(of)
            )
            return (
                adds_up
                or (function in ("min", "max") and _is_kind(of, catalog))
                or (function in _COMPUTED and _identifies(of, catalog, joins))
            )
        case Either(any_of=parts) | Every(all_of=parts) if len(set(parts)) < len(parts):
            return True
        case Either(any_of=parts) if _denies_one_or_other(parts):
            return True
        case Query() if _is_of_one_name(node, catalog):
            return True
        case Inside(Col() as left, Query() as inner) if _is_of_itself(left, inner):
            return True
        case Query(group=(Col() as amount,), order=order, limit=int()) if _ranks_amounts(amount, order, catalog):
            return True
        case Query(per=(Col() as row,)) if _is_of_one_row(row, node, catalog, joins):
            return True
        case Query(anchor=anchor, where=where) if needs_two_of_one(anchor, where, joins):
            return True
        case Query(anchor=anchor, where=where) if needs_what_is_not(anchor, where, joins):
            return True
        case Query(select=shown, where=where):
            return any(contradicts(each.where, where) for each in nodes_in(shown) if isinstance(each, Agg))
    return False


_FAR = 100
_FLAGS = ("true", "false")
_NAME_AND_KEY = 2


def _is_far_beyond(bound: float, column: Column | None) -> bool:
    """Whether all that is stored lies that far below a bound: no house has 300,000 bedrooms, it costs so much."""
    most = column.maximum if column and column.kind == "number" else None
    return isinstance(most, int | float) and bound > _FAR * max(float(most), 1.0)


def _is_balance(of: Col, catalog: Catalog) -> bool:
    """Whether it is the balance of a statement after each row, which nobody adds up."""
    table = catalog.table(*of.table) if name_stems(of.name)[-1:] == (_BALANCE,) else None
    statement = statement_of(table) if table else None
    return statement is not None and statement.balance == of


def _is_rate_of_time(of: Col) -> bool:
    """Whether it is a rate for an hour or a day, which says nothing added up."""
    *before, last = name_stems(of.name) or ("",)
    return last == _RATE and not _TIMES.isdisjoint(before)


def _is_kind(of: Col, catalog: Catalog) -> bool:
    """Whether it holds a few texts that sort rows, of which none is the most: satisfied and dissatisfied."""
    column, table = catalog.column(*of.table, of.name), catalog.table(*of.table)
    is_text = column is not None and column.kind == "text" and not (column.of_numbers or column.of_dates)
    many = (column.n_distinct or 0) if column and is_text else 0
    return 0 < many <= _FEW_KINDS and many * _FEW_KINDS < ((table.row_count or 0) if table else 0)


_FEW_KINDS = 8
_RATE, _TIMES = stem("rate"), frozenset(map(stem, "hourly hour daily day".split()))
_PAID = frozenset(map(stem, "paid deposit".split()))
_TAKEN_OFF = frozenset(map(stem, "discount rebate refund tax vat tip".split()))


def _multiplies_nothing(one: Col, other: Col, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether a key is a factor, or what was paid or taken off, or a total is taken several times: `total_price` by
    how many children came."""
    both = (one, other)
    if any(_identifies(each, catalog, joins) or not _PAID.isdisjoint(name_stems(each.name)) for each in both):
        return True
    if any(not _TAKEN_OFF.isdisjoint(name_stems(each.name)) and _passes_one(each, catalog) for each in both):
        return True
    return _passes_one(other, catalog) and stem("total") in name_stems(one.name)


def _passes_one(of: Col, catalog: Catalog) -> bool:
    """Whether some of its numbers are more than one, so that it is no fraction."""
    stored = catalog.column(*of.table, of.name)
    return stored is not None and stored.kind == "number" and stored.maximum is not None and stored.maximum > 1


def _counts_the_same(one: Any, other: Any, joins: JoinGraph) -> bool:
    """Whether both count the same rows, here and where they are pointed from: orders by those that have lines."""
    counted = [_counted(each, joins) for each in (one, other)]
    return counted[0] is not None and counted[0] == counted[1] and one.where == other.where


def _counted(node: Any, joins: JoinGraph) -> TableKey | None:
    """The table whose rows are counted, each once."""
    if not isinstance(node, Agg) or node.function != "count":
        return None
    if isinstance(node.of, Col):
        return joins.pointed(node.of).table if node.distinct else None
    return node.of.table if isinstance(node.of, Rows) else None


def _is_all(node: Any, every: Sequence[Cond]) -> bool:
    """Whether a part is of rows that are all there are: of the no-shows those that did not show."""
    if not isinstance(node, Ratio) or not isinstance(node.top, Agg) or not isinstance(node.bottom, Agg):
        return False
    is_part = replace(node.top, where=node.bottom.where) == node.bottom
    return is_part and bool(node.top.where) and set(node.top.where) <= {*every, *node.bottom.where}


def _is_so_of_all(part: Cond, rows: TableKey, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether all rows of a table have what a part of them is to have, or none: the order of each return, a flag."""
    if isinstance(part, Missing) and isinstance(part.left, Col):
        column = _column(part.left, catalog)
        is_read_as_it_is = column is not None and not (column.of_numbers or column.of_dates or column.no_times)
        return column is not None and column.null_fraction == 0 and is_read_as_it_is
    if not isinstance(part, Related) or part.where or part.negated or part.count:
        return False
    steps = joins.path(rows, part.table) or ()
    pointers = [Col(step.source, name) for step in steps for name, _ in step.pairs]
    known = all(_always_points(each, catalog) for each in pointers)
    return bool(steps) and known and not any(step.multiplies for step in steps)


def _always_points(pointer: Col, catalog: Catalog) -> bool:
    """Whether each row holds a pointer; the rows' own key is none, others point at it from some rows or from none."""
    table, column = catalog.table(*pointer.table), _column(pointer, catalog)
    is_own = table is not None and table.primary_key == (pointer.name,)
    return column is not None and column.null_fraction == 0 and not is_own


def _ranks_amounts(amount: Col, order: Sequence[Order], catalog: Catalog) -> bool:
    """Whether amounts of money are ranked by how many there are of something else: the revenue with the most cities."""
    column = _column(amount, catalog)
    counts = (each.by for each in order[:1] if isinstance(each.by, Agg) and each.by.function == "count")
    of_others = any(each.distinct and isinstance(each.of, Col) and each.of.table != amount.table for each in counts)
    is_amount = column is not None and column.type.upper().startswith(("DECIMAL", "DOUBLE", "FLOAT"))
    return of_others and is_amount and (column.n_distinct or 0 if column else 0) > _FEW_KINDS


def _is_of_others(left: Col, flag: str, catalog: Catalog) -> bool:
    """Whether texts of which none says true or false are held to be a flag."""
    column = _column(left, catalog)
    return column is not None and column.kind == "text" and not _is_stored(left, flag, catalog)


def _is_of_one_name(query: Query, catalog: Catalog) -> bool:
    """Whether it counts the rows of one name in a lookup of names, or shows the name: of kinds there is one each."""
    table = catalog.table(*query.anchor)
    if table is None or len(table.columns) > _NAME_AND_KEY or query.then:
        return False
    left = (each.left for each in query.where if isinstance(each, Compare) and each.operator == "=")
    names = {each for each in left if isinstance(each, Col) and each.table == table.key}
    fixed = {each for each in names if (_column(each, catalog) or table.columns[0]).n_distinct == table.row_count}
    counts = (each for shown in query.select for each in nodes_in(shown) if isinstance(each, Agg))
    is_counted = any(each.function == "count" and each.of == Rows(table.key) for each in counts)
    return bool(fixed) and (is_counted or (not query.group and fixed.issuperset(query.select)))


def _is_of_one_row(row: Col, query: Query, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether the best is wanted of what there is one of: `the best channel of each order`."""
    table = catalog.table(*row.table)
    others = [each for each in query.group if each != row]
    homes = {each.table for each in others if isinstance(each, Col)}
    if table is None or not others or not all(isinstance(each, Col) for each in others):
        return False
    is_row = [row] == Resolver(catalog, joins).label(table) or _identifies(row, catalog, joins)
    steps = joins.tree(row.table, homes) if is_row else None
    return steps is not None and not any(step.multiplies for step in steps)


def _is_beyond(left: Any, sign: str, right: Any) -> bool:
    """Whether every value that `left` can have, or none, compares so: `weekday <= 25`, `count >= 0`."""
    span = _range(left)
    if span is None or isinstance(right, bool) or not isinstance(right, int | float):
        return False
    if sign in ("=", "!="):
        return not span[0] <= right <= span[1]
    holds = _HOLDS.get(sign)
    return holds is not None and holds(span[0], right) == holds(span[1], right)


def _range(left: Any) -> tuple[float, float] | None:
    if isinstance(left, Bucket):
        return _RANGES.get(left.grain)
    return (0, math.inf) if isinstance(left, Agg) and left.function == "count" else None


def _identifies(of: Col, catalog: Catalog, joins: JoinGraph) -> bool:
    """Whether a column only tells rows apart: the whole key of its table, what points to another's, or what is called
    so."""
    table, column = catalog.table(*of.table), catalog.column(*of.table, of.name)
    if table and column and is_identifier(table, column):
        return True
    own = [each.casefold() for each in table.primary_key] if table else []
    return own == [of.name.casefold()] or joins.pointed(of) != of


def idle_parts(query: Query, catalog: Catalog) -> int:
    """How many parts of a tree most likely say nothing in this data: conditions that no row can meet, and groups by
    what the conditions fix to one value."""
    bounds = {str(each.right) for each in all_nodes_in(query) if isinstance(each, Compare) and _is_number(each.right)}
    every = [query, *([query.then[1]] if query.then else [])]
    conditions = [condition for each in every for condition in each.where]
    fixed = sum(1 for each in every for _ in _fixed_groups(each))
    return fixed + sum(_looks_in_vain(each, catalog, bounds) for each in conditions)


def _is_number(right: Any) -> bool:
    return isinstance(right, int | float) and not isinstance(right, bool)


def _looks_in_vain(condition: Any, catalog: Catalog, bounds: set[str]) -> bool:
    """Whether it looks for what is missing in a column that has a value in every row, or among words for a number that
    is a bound already."""
    match condition:
        case Missing(left, False):
            column = _column(left, catalog)
            return column is not None and column.null_fraction == 0
        case Compare(Col() as left, "=", str(text)) if text in bounds:
            column = _column(left, catalog)
            is_of_words = column is not None and column.kind == "text" and not (column.of_numbers or column.is_time)
            return is_of_words and not _is_stored(left, text, catalog)
    return False


def _is_stored(column: Col, text: str, catalog: Catalog) -> bool:
    found = catalog.values.lookup(text, 200)
    return any(((each.schema, each.table), each.column) == (column.table, column.name) for each in found)


def _column(of: Any, catalog: Catalog) -> Column | None:
    return catalog.column(*of.table, of.name) if isinstance(of, Col) else None


def _fixed_groups(query: Query) -> Iterator[Col]:
    """Where all groups are of one value: `by city` of those in Oslo."""
    fixed = {each.left for each in query.where if isinstance(each, Compare) and each.operator == "="}
    if query.group and fixed.issuperset(query.group):
        yield from (each for each in query.group if isinstance(each, Col))
