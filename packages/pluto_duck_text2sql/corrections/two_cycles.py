"""Two parts of the time by which rows are counted: `rides by weekday and hour`, `revenue per month and weekday`.

Called by `corrections` for every tree. One part of a time leaves the other's word without a mark, so that a tree with
one of the two looks as if it said all.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Bucket, Col, Grain, Order, Query

_WEEKDAY = r"weekday|day of (?:the |a )?week"
_HOUR = r"hour(?: of (?:the |a )?day)?"
_ANY = rf"(?:{_WEEKDAY}|{_HOUR}|year|quarter|month|week)"
_SAID = Pattern(
    rf"\b(?:by|per|for each|for every|each) (?:the )?(?P<one>{_ANY})"
    rf"(?:,? and(?: by| per)?|,|/)(?: the)? (?P<other>{_ANY})\b",
    re.IGNORECASE,
)
_ROUND: tuple[Grain, ...] = ("weekday", "hour_of_day")


def by_both_parts(query: Query, question: str) -> Query:
    """The tree with both parts of the time that are said, where it has one of them and one comes round each week or
    day."""
    said = _SAID.search(question)
    grains = [_grain(said[each].lower()) for each in ("one", "other")] if said else []
    times = [each for each in query.group if isinstance(each, Bucket)]
    if not said or set(grains).isdisjoint(_ROUND) or len(times) != 1 or not isinstance(times[0].of, Col):
        return query
    had = times[0]
    if len(set(grains)) == 1 or had.grain not in grains or had not in query.select:
        return query
    both = tuple(had if each == had.grain else Bucket(each, had.of) for each in grains)
    select = tuple(part for each in query.select for part in (both if each == had else (each,)))
    group = tuple(part for each in query.group for part in (both if each == had else (each,)))
    order = query.order if query.limit is not None else tuple(map(Order, both))
    return replace(query, select=select, group=group, order=order)


def _grain(words: str) -> Grain:
    if words.startswith("hour"):
        return "hour_of_day"
    found: Grain = "weekday" if re.fullmatch(_WEEKDAY, words) else words  # type: ignore[assignment]
    return found
