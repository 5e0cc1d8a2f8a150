"""The names of a result's columns: each its own, by what tells it from the others of the same measure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import (
    Age,
    Agg,
    Ago,
    Bands,
    Bucket,
    Clock,
    Col,
    Days,
    Expr,
    First,
    Growth,
    Meaning,
    Minus,
    Nested,
    Number,
    Own,
    Plus,
    Product,
    Ratio,
    Rows,
    Running,
    Share,
    Steps,
    Times,
    columns_in,
)
from pluto_duck_text2sql.trees.restrictions import restriction
from pluto_duck_text2sql.trees.units import DAYS_OF

T = TypeVar("T")
_DECADE = 10
_COST = stem("cost")
_SPANS = {days: unit for unit, days in DAYS_OF.items()}


def without_repeats(parts: Sequence[T]) -> list[T]:
    """The parts in order, each once."""
    return [each for n, each in enumerate(parts) if each not in parts[:n]]


def names_of(select: Sequence[Expr]) -> dict[Expr, str]:
    """A name for each column that has to be named: what is computed, and columns of one name from two tables."""
    shown: list[Expr] = [each for each in without_repeats(select) if not isinstance(each, Rows)]
    plain = [_plain(each) for each in shown]
    names: dict[Expr, str] = {each: alias_of(each) for each in shown}
    for name in dict.fromkeys(each.casefold() for each in plain):
        alike = [each for each, own in zip(shown, plain, strict=True) if own.casefold() == name]
        if len(alike) > 1:
            names |= dict(zip(alike, _told_apart(alike), strict=True))
    return names


def _plain(expression: Expr) -> str:
    return expression.name if isinstance(expression, Col) else alias_of(expression)


def _told_apart(alike: list[Expr]) -> list[str]:
    """Different names of columns that would have the same."""
    ways: tuple[Callable[[Expr, list[Expr]], str], ...] = (_by_restriction, _by_parts, _by_table)
    for way in ways:
        names = [way(each, alike) for each in alike]
        if len({name.casefold() for name in names}) == len(names):
            return names
    plain = [_by_restriction(each, alike) for each in alike]
    return [f"{name}_{n}" if n > 1 else name for n, name in enumerate(plain, 1)]


def _by_restriction(expression: Expr, alike: list[Expr]) -> str:
    """`sum_total_2025`: by the conditions that not all of them have."""
    name = _plain(expression)
    if not isinstance(expression, Agg):
        return name
    others = [each.where for each in alike if isinstance(each, Agg)]
    own = [each for each in expression.where if not all(each in where for where in others)]
    return "_".join([name, *filter(None, (_slug(restriction(each)) for each in own))])


def _by_parts(expression: Expr, alike: list[Expr]) -> str:
    """`share_of_sum_total`, `sum_total_per_orders_count`."""
    match expression:
        case Ratio(top, bottom):
            return f"{_plain(top)}_per_{_plain(bottom)}"
        case Share(of) | Growth(of) | Running(of):
            return f"{_plain(expression)}_of_{_plain(of)}"
    return _by_restriction(expression, alike)


def _by_table(expression: Expr, alike: list[Expr]) -> str:
    """`customers_name`: by the table it comes from."""
    table = next((each.table[1] for each in columns_in(expression)), "")
    return f"{table}_{_by_restriction(expression, alike)}" if table else _by_restriction(expression, alike)


def _slug(text: str) -> str:
    return re.sub(r"\W+", "_", text.casefold()).strip("_")[:40].strip("_")


def alias_of(expression: Expr) -> str:
    """A name for a computed column; plain columns keep their own."""
    match expression:
        case Col() | Rows():
            return ""
        case Agg("count", of):
            return f"{of.table[1]}_count" if isinstance(of, Rows) else f"{_tail(of)}_count"
        case Agg(function, of):
            return f"{f'p{100 * expression.at:g}' if function == 'quantile' else function}_{_tail(of)}"
        case Age():
            return "age"
        case Ago():
            return "days"
        case Days(_, _, unit):
            return f"{unit}s"
        case Meaning(of):
            return of.name
        case Clock():
            return "time"
        case Product() | Times():
            return "amount"
        case Plus():
            return "total"
        case First(of, _, last):
            return f"{'last' if last else 'first'}_{of.name}"
        case Bucket(grain):
            return grain.removesuffix("_name")
        case Bands(of):
            return f"{alias_of(of) or _tail(of)}_range"
        case Steps(of, width):
            return "decade" if width == _DECADE else f"{_tail(of)}_from"
        case Share():
            return "share"
        case Growth():
            return "difference" if expression.is_difference else "growth"
        case Running(_, _, last):
            return "moving_average" if expression.averages else "rolling_total" if last else "running_total"
        case Own(of, by, _, Col(name=here)):
            return f"{here}_{_tail(of.of)}" if of.function == "max" else f"{by.name}_{alias_of(of)}"
        case Ratio(top, Number(value)) if value in _SPANS and "days" in alias_of(top):
            return alias_of(top).replace("days", _SPANS[value])
        case Ratio(top, Number()):
            return alias_of(top) or _tail(top)
        case Ratio(Minus(_, first), base) if first == base:
            return "change"
        case Ratio():
            return "ratio"
    return "difference"


def _tail(expression: Expr) -> str:
    if isinstance(expression, Nested):
        return alias_of(expression.query.select[0]) or _tail(expression.query.select[0])
    if isinstance(expression, Bucket) and isinstance(expression.of, Col):
        return f"{expression.of.name}_{expression.grain}"
    if isinstance(expression, Days | Age):
        return alias_of(expression)
    if isinstance(expression, Plus | Minus | Times):
        return alias_of(expression)
    if isinstance(expression, Product):
        return "cost" if _COST in name_stems(expression.price.name) else "revenue"
    return expression.name if isinstance(expression, Col) else "value"
