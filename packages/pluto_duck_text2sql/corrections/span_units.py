"""Spans compared in the unit that is said: `lasted more than two hours`, `took over three months`, never in days.

Called by `corrections` for every tree. Months and years are counted on the calendar: three months after it began.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any, cast

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import NUMBER_WORDS, number_of
from pluto_duck_text2sql.times.calendar_days import ARTICLES
from pluto_duck_text2sql.tree import Col, Compare, Days, First, Grain, Later, Query, Unit, mapped

_SAID = Pattern(
    rf"\b(?P<n>\d+(?:\.\d+)?|an?|{'|'.join(NUMBER_WORDS)})(?: full| whole|-)?"
    r" ?(?P<unit>second|minute|hour|day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
_SHORTER = ("second", "minute", "hour")
_DAYS_OF_WEEK = 7


def in_said_units(query: Query, question: str) -> Query:
    """The tree with each span of days that is compared with a number said in another unit compared in that."""
    said = {_number(each["n"]): each["unit"].lower() for each in _SAID.finditer(question)}
    if all(unit == "day" for unit in said.values()):
        return query
    made: Query = mapped(query, partial(_in_unit, said=said), (Compare,))
    return made


def _in_unit(node: Any, said: dict[float, str]) -> Any:
    if not isinstance(node, Compare) or not isinstance(node.left, Days) or node.left.unit != "day":
        return node
    days, number = node.left, node.right
    unit = said.get(float(number), "day") if isinstance(number, int | float) and not isinstance(number, bool) else "day"
    if unit == "day" or not isinstance(number, int | float):
        return node
    if unit in _SHORTER:
        return replace(node, left=replace(days, unit=cast(Unit, unit)))
    if unit == "week":
        return replace(node, right=number * _DAYS_OF_WEEK)
    if not isinstance(days.start, Col | First) or not isinstance(days.end, Col | First) or number != int(number):
        return node
    return replace(node, left=days.end, right=Later(days.start, int(number), cast(Grain, unit)))


def _number(text: str) -> float:
    return 1.0 if text.lower() in ARTICLES else number_of(text.lower()) or 0.0
