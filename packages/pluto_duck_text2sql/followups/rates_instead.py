"""A rate of the rows before in the place of their figure: `cancellation rate instead` after cancelled orders.

What the rate is of is read best of a whole question, `cancellation rate of orders` or `percentage of cancelled
orders`. What restricts the rows before to those that it is the part of restricts them no longer.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, table_words
from pluto_duck_text2sql.tree import Agg, Among, Col, Compare, Cond, Expr, Missing, Query, Ratio, columns_in, is_total
from pluto_duck_text2sql.trees.parts import is_aggregate, keys, subject

_ASKS = Pattern(
    rf"{LEAD}(?:show |give )?(?:me )?(?:what(?:['’]s| is| was) |as )?(?:the |an? |their |its )?"
    r"(?:(?P<noun>[a-z]+(?:-[a-z]+)?) rate|(?P<part>percentage of (?!total\b|all\b|the\b)[a-z-]+ [a-z]+))"
    r"(?: instead| rather|,? (?:instead of|rather than|not) .+|(?P<also> too| as well| also))?$",
    re.IGNORECASE,
)


def rate_asked(question: str, before: Query) -> str:
    """The whole question for the rate of the rows that are counted or added up; empty where no rate is asked for."""
    said = _ASKS.match(question.strip(" ?!."))
    if said is None or not is_aggregate(before) or before.limit is not None or before.then:
        return ""
    if said["part"]:
        return str(said["part"])
    return f"{said['noun']} rate of {' '.join(table_words(subject(before)[1]))}"


def with_rate(question: str, before: Query, found: Query) -> Query | None:
    """The earlier query told of the rate that the whole question finds; None where it is none of those rows."""
    rate = found.select[0] if len(found.select) == 1 and not found.group and not found.where else None
    if rate is None or not _is_rate(rate) or subject(found) != subject(before):
        return None
    said = _ASKS.match(question.strip(" ?!."))
    told = {each for each in columns_in(rate) if isinstance(each, Col)}
    where = tuple(each for each in before.where if told.isdisjoint(columns_in(each)) or not _is_state(each))
    shown = [each for each in before.select if is_total(each)] if said and said["also"] else []
    order = tuple(replace(each, by=rate) if is_total(each.by) else each for each in before.order)
    return replace(before, select=(*keys(before), *shown, rate), where=where, order=order)


def _is_state(condition: Cond) -> bool:
    """Whether it says what rows are: a value, or a day that is there or missing."""
    return isinstance(condition, Among | Missing) or (isinstance(condition, Compare) and condition.operator == "=")


def _is_rate(figure: Expr) -> bool:
    """Whether it is a part of what is counted, or the mean of a flag."""
    return isinstance(figure, Ratio) or (isinstance(figure, Agg) and figure.function == "avg")
