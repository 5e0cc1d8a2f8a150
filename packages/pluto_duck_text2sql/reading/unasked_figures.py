"""Figures that a tree shows, puts together or tells apart by, and its question does not ask for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems
from pluto_duck_text2sql.reading.course_words import RUNNING
from pluto_duck_text2sql.reading.unasked_columns import column_of
from pluto_duck_text2sql.tree import Agg, Col, Expr, Nested, Query, Rows, Running, all_nodes_in, columns_in, is_total

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Pass

_FRACTIONS = ("DOUBLE", "FLOAT", "REAL", "DECIMAL")
_AMOUNTS = frozenset(name_stems("quantity amount price total cost revenue units"))
_COUNTING = frozenset("count howmuch share agg growth cmp_avg total both never popular".split())
_HAVE_BOTH = Pattern(
    r"\b(?:have|has|had|with) (?:an? |no |the )?[^,;?]+ and (?:an? |no |the )?(?!how|what|which)", re.IGNORECASE
)
_PER = Pattern(r"\b(?:per|by|each|every) ")
_MEAN = Pattern(r"\b(?:average|averaged|avg|mean|typical|typically|usual|usually|normally|an?|one)\b")
_REVENUE = frozenset(map(stem, "revenue turnover sales".split()))
_PAID, _WHOLE = (frozenset(map(stem, each.split())) for each in ("paid pay", "total price amount due charge value"))
_TAKEN_OFF = frozenset(map(stem, "tax vat discount rebate cost freight shipping refund fee spent spend budget".split()))
_GIVEN_BACK = frozenset(map(stem, "refund chargeback reimbursement".split()))
_SINGLE = Pattern(
    r"\b(?:biggest|largest|highest|greatest|most expensive|smallest|lowest|longest|best|top|maximum|minimum)"
    r" (?:(?:single|individual|one-off)\b|[^,.;?]*\bin (?:a single|one) \w+\b)",
    re.IGNORECASE,
)
_EXTREME = Pattern(
    r"\b(?:max|min|maximum|minimum|most|least|first|last|up to|end|ends|range|peak|record|top|bottom|best|worst"
    r"|\w+est)\b",
    re.IGNORECASE,
)
_TOTALS = ("sum", "count")


def averaged(roles: Pass, query: Query) -> Iterator[str]:
    """`number of orders per customer` is a number for each, not their mean, where nothing says average."""
    means = [each for each in query.select if isinstance(each, Agg) and each.function == "avg"]
    said = " ".join(token.lower for token in roles.tokens)
    if any(isinstance(each.of, Nested) for each in means) and _PER.search(said) and not _MEAN.search(said):
        yield "average"


def no_revenue(roles: Pass, query: Query) -> Iterator[str]:
    """`revenue` is no tax, discount or cost that is kept beside it, unless that is what is said."""
    said = {token.stem for token in roles.tokens}
    if _REVENUE.isdisjoint(said):
        return
    for each in all_nodes_in(query.select):
        if isinstance(each, Agg) and isinstance(each.of, Col):
            taken = _TAKEN_OFF & set(name_stems(each.of.name))
            if (taken and taken.isdisjoint(said)) or _is_only_paid(each.of, said, roles):
                yield each.of.name


def _is_only_paid(column: Col, said: Collection[str], roles: Pass) -> bool:
    """Whether it is what was paid so far of a total that is kept beside it."""
    table = roles.reader.catalog.table(*column.table)
    is_paid = not _PAID.isdisjoint(name_stems(column.name)) and _PAID.isdisjoint(said)
    numbers = (table.stems(each.name) for each in table.columns if each.kind == "number") if table else ()
    return is_paid and any(not _WHOLE.isdisjoint(stems) and _PAID.isdisjoint(stems) for stems in numbers)


def given_back(roles: Pass, query: Query) -> Iterator[str]:
    """What was sold or spent is not what was given back, unless that is what is said, and not `before refunds`."""
    said = {token.stem for n, token in enumerate(roles.tokens) if not n or roles.tokens[n - 1].lower != "before"}
    for each in all_nodes_in(query.select):
        if isinstance(each, Agg) and isinstance(each.of, Col):
            called = {*name_stems(each.of.name), *table_stems(each.of.table[1])}
            if not _GIVEN_BACK.isdisjoint(called) and said.isdisjoint(called):
                yield each.of.name


def piled_up(roles: Pass, query: Query) -> Iterator[str]:
    """No sum so far stands beside the figures, where nothing speaks of one."""
    is_said = any(cue.kind == "running" for cue in roles.cues) or RUNNING.search(roles.whole)
    if not is_said:
        yield from ("running" for each in all_nodes_in(query) if isinstance(each, Running) and each.last is None)


def counted_apart(roles: Pass, query: Query) -> Iterator[str]:
    """`how many reviews have a comment and a rating of 5` is one number, of those that have both."""
    parts = [each.where for each in query.select if isinstance(each, Agg) and each.function == "count" and each.where]
    asked = [cue for cue in roles.cues if cue.kind in ("count", "share")]
    columns = [frozenset(columns_in(each)) for each in parts]
    if len(parts) > 1 and len(asked) == 1 and columns[0].isdisjoint(columns[1]) and _HAVE_BOTH.search(roles.whole):
        yield "and"


def added_up(roles: Pass, query: Query) -> Iterator[str]:
    """`the biggest single payment` is one of them, not what somebody paid in all, nor how many."""
    if _SINGLE.search(roles.words_at(0, len(roles.tokens))):
        yield from (each.function for each in all_nodes_in(query) if isinstance(each, Agg) and each.function in _TOTALS)


def unasked_extremes(roles: Pass, query: Query) -> Iterator[str]:
    """`each room and the number of grades in it` is no highest grade; of a day it may be when something was done."""
    if not _EXTREME.search(roles.whole or roles.words_at(0, len(roles.tokens))):
        shown = [each for each in query.select if isinstance(each, Agg) and each.function in ("max", "min")]
        kinds = ((each.function, column_of(each.of, roles)) for each in shown)
        yield from (function for function, column in kinds if column and column.kind == "number")


def told_apart_by_figures(roles: Pass, query: Query) -> Iterator[str]:
    """`units sold per product` is no row for each number of units; no more are the different amounts counted."""
    distinct = any("distinct" in cue.data or cue.kind == "distinct" for cue in roles.cues)
    told = [each for each in query.group if each in query.select and not _follows_group(each, roles)]
    counted = [a.of for a in all_nodes_in(query.select) if isinstance(a, Agg) and a.function == "count" and a.distinct]
    for each in (*told, *(() if distinct else counted)):
        if _is_figure(each, roles) and any(map(is_total, query.select)):
            yield each.name


def _is_figure(expression: Expr, roles: Pass) -> bool:
    """Whether a column holds amounts: fractions, or what is called so."""
    column = column_of(expression, roles)
    if column is None or column.kind != "number" or not isinstance(expression, Col):
        return False
    is_fraction = column.type.upper().startswith(_FRACTIONS)
    return is_fraction or not _AMOUNTS.isdisjoint(name_stems(expression.name))


def _follows_group(expression: Expr, roles: Pass) -> bool:
    """Whether `by`, `per` or `each` is said of a column."""
    ends = {cue.end for cue in roles.cues if cue.kind == "group"}
    named = (target for each in roles.mentions if each.start in ends for target in each.targets if target.column)
    return any(Col(each.table.key, each.column.name) == expression for each in named if each.column)


def counted_unasked(roles: Pass, query: Query) -> Iterator[str]:
    """`students who take chess` are listed, not counted; what is said of a time may be either."""
    shown = query.select[0] if len(query.select) == 1 and not query.group else None
    if not isinstance(shown, Agg) or shown.function != "count" or not isinstance(shown.of, Rows):
        return
    if not (roles.periods or roles.grains or any(cue.kind in _COUNTING for cue in roles.cues)):
        yield shown.of.table[1]
