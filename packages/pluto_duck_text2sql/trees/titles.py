"""A short name for what a query shows, made from its tree: "Sum of orders.revenue by month"."""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_text2sql.tree import (
    Age,
    Agg,
    Ago,
    Arithmetic,
    Bands,
    Bucket,
    Clock,
    Col,
    Compare,
    Days,
    During,
    Expr,
    First,
    Fold,
    Growth,
    Later,
    Meaning,
    Minus,
    Nested,
    Number,
    Own,
    Plus,
    Product,
    Query,
    Ratio,
    Rows,
    Running,
    Share,
    Steps,
    Times,
    nodes_in,
)
from pluto_duck_text2sql.trees.phrases import counted_from, factors
from pluto_duck_text2sql.trees.restrictions import restrictions

_FUNCTIONS = {
    "sum": "sum of",
    "avg": "average",
    "min": "lowest",
    "max": "highest",
    "median": "median",
    "stddev": "standard deviation of",
    "count": "number of",
}


def title(query: Query) -> str:
    """What the query shows, in words."""
    keys = [each for each in query.select if isinstance(each, Col | Bucket | Bands | Steps) or _is_name_above(each)]
    values = [each for each in query.select if each not in keys]
    if not values:
        text = ", ".join(words(each) for each in keys)
        return _capital(f"{text} of {_whose(query, keys)}" if keys else query.anchor[1])
    values += [each for other in query.beside for each in other.select if not isinstance(each, Col | Bucket)]
    text = ", ".join(words(each) for each in values)
    return _capital(text + (" by " + ", ".join(words(each) for each in keys) if keys else ""))


def cut(query: Query) -> str:
    """How many rows are kept of all: `10`, `10 %`."""
    return f"{query.limit}{' %' if query.percent else ''}"


def _is_name_above(shown: Expr) -> bool:
    """Whether it is what the row is called that a row points at."""
    return (
        isinstance(shown, Own) and shown.here is not None and isinstance(shown.of, Agg) and shown.of.function == "max"
    )


def _whose(query: Query, keys: Sequence[Expr]) -> str:
    """The table that is listed, or those that the columns are of where none is of that one."""
    tables = dict.fromkeys(part.table for key in keys for part in nodes_in(key) if isinstance(part, Col))
    return query.anchor[1] if query.anchor in tables or not tables else " and ".join(table[1] for table in tables)


def assumptions(query: Query) -> list[str]:
    """What the query assumes of the question: the days that its relative periods count from."""
    parts = list(nodes_in(query))
    days = [each.anchored for each in parts if isinstance(each, During | Compare) and each.anchored]
    inner = [each for part in parts for each in vars(part).values() if isinstance(each, Query)]
    inner += [*([query.then[1]] if query.then else []), *query.beside]
    found = [*(counted_from(day) for day in days), *(each for below in inner for each in assumptions(below))]
    return list(dict.fromkeys(found))


def words(expression: Expr) -> str:
    """One expression in words."""
    match expression:
        case Col(_, name):
            return name
        case Meaning(of):
            return of.name
        case Rows(table):
            return table[1]
        case Bucket(grain, of):
            return grain.replace("_", " ") + (f" of {words(of)}" if isinstance(of, First) else "")
        case Bands(of):
            return f"range of {words(of)}"
        case Steps(of, width):
            return f"{words(of)} by {width}"
        case First(of, by, last):
            return f"{'last' if last else 'first'} {of.name} of {by.name}"
        case Later(of, count, unit):
            return f"{words(of)} and {count} {unit}{'s' if count != 1 else ''}"
        case Age(of, on):
            return f"age by {words(of)} on {words(on) if isinstance(on, Col) else on.isoformat()}"
        case Days(start, end, unit):
            return f"{unit}s from {words(start)} to {words(end)}"
        case Ago(of, day):
            return f"days from {words(of)} to {day.isoformat()}"
        case Clock(of):
            return f"time of day of {words(of)}"
        case Product():
            return factors(expression)
        case Number(value):
            return f"{value:g}"
        case Own(Agg(_, Col() as named), here=Col() as here) if _is_name_above(expression):
            return f"{named.name} of {here.name}"
        case Own(of, by):
            return f"{words(of)} of the same {by.name}"
        case Fold(query=query):
            return words(query.select[0])
        case Nested(query):
            keys = ", ".join(words(each) for each in query.group)
            return words(query.select[0]) + (f" by {keys}" if keys else "")
        case Agg():
            return _aggregate(expression)
        case Ratio() | Plus() | Minus() | Times():
            return _arithmetic(expression)
        case Share() | Growth() | Running():
            return _window(expression)


def _aggregate(agg: Agg) -> str:
    said = restrictions(agg.where)
    some = f" ({said})" if said else ""
    if agg.function == "count":
        return f"number of {'different ' if agg.distinct else ''}{words(agg.of)}{some}"
    function = f"{100 * agg.at:g}% quantile of" if agg.function == "quantile" else _FUNCTIONS[agg.function]
    return f"{function} {words(agg.of)}{some}"


def _arithmetic(expression: Ratio | Arithmetic) -> str:
    match expression:
        case Plus(left, right):
            return f"{words(left)} + {words(right)}"
        case Times(left, right):
            factors = (f"({words(each)})" if isinstance(each, Plus | Minus) else words(each) for each in (left, right))
            return " × ".join(factors)
        case Minus(Number(), right):
            return f"{words(expression.left)} − {words(right)}"
        case Minus(left, right):
            return f"{words(left)} less {words(right)}"
        case Ratio(Minus(second, first), base) if first == base:
            return f"change from {words(first)} to {words(second)}"
        case Ratio(Agg(where=where) as top, Agg(where=())) if where:
            return f"share of {words(top)}"
        case Ratio(top, Number(value)):
            return f"{words(top)} ÷ {value:g}"
        case Ratio(top, bottom):
            return f"{words(top)} per {words(bottom)}"


def _window(expression: Share | Growth | Running) -> str:
    match expression:
        case Share(of):
            within = f" within each {' and '.join(map(words, expression.by))}" if expression.by else ""
            return f"share of {words(of)}{within}"
        case Growth(of, _, lag):
            named = "difference" if expression.is_difference else "growth"
            return f"{named} of {words(of)}{' on a year before' if lag > 1 else ''}"
        case Running(of, _, last):
            kind = "moving average" if expression.averages else "rolling total" if last else "running total"
            return f"{kind} of {words(of)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
