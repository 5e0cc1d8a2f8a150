"""A change, or a moving average, at the start of a period: it needs what came before the period, which is not shown.

`growth by month in 2024` compares January with December 2023, unless the question looks at 2024 only. The tree keeps
its period as a condition; what is computed along time says that it looks back (`is_wide`), and the printed query then
reads the rows before too and leaves their buckets out afterwards.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.times.calendar_days import MONTH, YEAR, floor
from pluto_duck_text2sql.tree import (
    Bucket,
    Col,
    Compare,
    Cond,
    During,
    Either,
    Every,
    Growth,
    Query,
    Running,
    mapped,
    nodes_in,
)

_PERIOD = rf"(?:{YEAR}|(?:{MONTH}|year|quarter|month|week|day)s?)(?:'s)?"
_WITHIN = Pattern(
    rf"\b(?:{_PERIOD}(?: \w+)? (?:only|alone)|(?:only|just|solely)(?: (?:at|in|the|for|of|within|those))* {_PERIOD}"
    r"|nothing|empty|blank|undefined|none|no (?:value|change|growth|figure|(?:month|quarter|year|week) before)"
    r"|(?<!more or )(?<!more and )fewer(?! that))\b",
    re.IGNORECASE,
)
_UNITS = frozenset(("day", "week", "month", "quarter", "year"))


def looking_back(query: Query, question: str) -> Query:
    """The tree whose changes and moving averages look beyond its period, unless the question forbids it."""
    return query if _WITHIN.search(question) else mapped(query, _wide, (Growth, Running))


def _wide(node: Any) -> Any:
    looks = isinstance(node, Growth) or (isinstance(node, Running) and node.last)
    return replace(node, is_wide=True) if looks and not node.is_wide else node


def split_period(query: Query) -> tuple[Query, tuple[Cond, ...]]:
    """`(the query over all rows up to its period's end, the conditions on the buckets that are shown)`.

    The same query and no conditions where nothing in it looks back, or its period cuts a bucket in two.
    """
    time = next((each.over for each in nodes_in(query.select) if _looks_back(each)), None)
    if not isinstance(time, Bucket) or time.grain not in _UNITS or query.per:
        return query, ()
    where: list[Cond] = []
    shown: list[Cond] = []
    for each in map(_in_one, query.where):
        start = _start(each, time)
        if start is None:
            where.append(each)
            continue
        where += [Compare(time.of, "<", each.end)] if isinstance(each, During) else []
        shown.append(Compare(time, ">=", start.year if time.grain == "year" else start))
    return (replace(query, where=tuple(where)), tuple(shown)) if shown else (query, ())


def _in_one(condition: Cond) -> Cond:
    """Periods that follow each other as one: in 2023 or in 2024; two days as what is between them."""
    if isinstance(condition, Every):
        return _between(condition)
    periods = condition.any_of if isinstance(condition, Either) else ()
    some = sorted((each for each in periods if isinstance(each, During)), key=lambda each: each.start)
    meets = all(one.left == other.left and one.end == other.start for one, other in pairwise(some))
    return replace(some[0], end=some[-1].end) if some and len(some) == len(periods) and meets else condition


def _between(both: Every) -> Cond:
    """The period from one day to before another of the same date; itself where it is none."""
    bounds = {each.operator: each for each in both.all_of if isinstance(each, Compare)}
    first, last = bounds.get(">="), bounds.get("<")
    if first is None or last is None or len(both.all_of) > len((first, last)) or first.left != last.left:
        return both
    is_dated = isinstance(first.left, Col) and all(isinstance(each.right, dt.date) for each in (first, last))
    return During(first.left, first.right, last.right) if is_dated and isinstance(first.left, Col) else both


def _looks_back(node: Any) -> bool:
    return isinstance(node, Growth | Running) and node.is_wide


def _start(condition: Cond, time: Bucket) -> dt.date | None:
    """The first day of a period of the bucket's date that begins with a bucket."""
    if not isinstance(time.of, Col) or not isinstance(condition, During | Compare) or condition.left != time.of:
        return None
    is_open = isinstance(condition, Compare) and condition.operator == ">=" and isinstance(condition.right, dt.date)
    start = condition.start if isinstance(condition, During) else condition.right if is_open else None
    return start if start is not None and floor(start, time.grain) == start else None
