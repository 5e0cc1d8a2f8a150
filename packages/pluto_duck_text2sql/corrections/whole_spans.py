"""A period that is of all that is told: who signed up in 2024, and the whole that a quarter is a share of."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import replace

from pluto_duck_text2sql.corrections.date_columns import DateColumns, tables_of
from pluto_duck_text2sql.corrections.said import is_part
from pluto_duck_text2sql.data.starting import started
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.times.periods import period_of, periods_said
from pluto_duck_text2sql.tree import Col, Cond, During, Inside, Query, Ratio, Related, TableKey, columns_in, nodes_in

_SOME_DAY = dt.date(2021, 5, 12)
_SIGNED_UP = Pattern(
    r"\b(?:signed[- ]up|registered|joined|enrolled|subscribed) (?P<period>(?:in|during) (?:[a-z]+ )?(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def since_joining(query: Query, question: str, known: DateColumns) -> Query:
    """`who signed up in 2024` is of the day of signing up, not of what they did."""
    said = _SIGNED_UP.search(question)
    span = _span_of(said["period"]) if said else None
    owners = _starts(tables_of(query), known) or _starts(_pointed_at(query, known), known)
    if span is None or len(owners) != 1 or owners[0] in set(columns_in(query.where)):
        return query
    begun = During(owners[0], *span)
    where = [kept for each in query.where if (kept := _without(each, span))]
    return replace(query, where=(*where, begun)) if tuple(where) != query.where else query


def _starts(keys: Iterable[TableKey], known: DateColumns) -> list[Col]:
    """When the rows of these tables became what they are: the days on which customers signed up."""
    return [each for key in keys if (table := known.catalog.table(*key)) and (each := started(table))]


def _pointed_at(query: Query, known: DateColumns) -> list[TableKey]:
    """The tables whose rows those of a query belong to: whoever ordered."""
    own = tables_of(query)
    steps = (step for key in own for step in known.joins.neighbours(key) if not step.multiplies)
    return list(dict.fromkeys(step.target for step in steps if step.target not in own))


def _span_of(words: str) -> tuple[dt.date, dt.date] | None:
    """A period that does not depend on a day, from its first day to before another."""
    found = period_of(words)
    start, end = found.resolve(_SOME_DAY) if found and not found.relative else (None, None)
    return (start, end) if start and end else None


def _without(condition: Cond, span: tuple[dt.date, dt.date]) -> Cond | None:
    """A condition without that it is within a span; None where it says no more."""
    if isinstance(condition, During):
        return None if (condition.start, condition.end) == span else condition
    if isinstance(condition, Inside):
        kept = tuple(each for each in condition.query.where if _without(each, span))
        return replace(condition, query=replace(condition.query, where=kept))
    if not isinstance(condition, Related) or condition.count:
        return condition
    kept = tuple(each for each in condition.where if _without(each, span))
    is_for_it_alone = not kept and condition.where and not condition.negated
    return None if is_for_it_alone else replace(condition, where=kept)


def within_whole(query: Query, question: str) -> Query:
    """`what percentage of 2012's turnover fell in its last quarter`: of all of 2012, where the whole says no period."""
    for part in (each for each in nodes_in(query.select) if isinstance(each, Ratio) and is_part(each)):
        for own in (each for each in part.top.where if isinstance(each, During)):  # type: ignore[union-attr]
            wider = [span for span in _spans_of(question) if _holds(span, own)]
            others = tuple(each for each in query.where if each != own)
            free = not any(isinstance(each, During) and each.left == own.left for each in others)
            if len(wider) == 1 and free and wider[0][0] and wider[0][1]:
                return replace(query, where=(*others, During(own.left, wider[0][0], wider[0][1])))
    return query


def _spans_of(question: str) -> list[tuple[dt.date | None, dt.date | None]]:
    """The periods of a question that depend on no day."""
    return [each.resolve(_SOME_DAY) for each in periods_said(question) if not each.relative]


def _holds(span: tuple[dt.date | None, dt.date | None], own: During) -> bool:
    """Whether a span is more than a period, and holds it."""
    start, end = span
    return (
        start is not None
        and end is not None
        and start <= own.start
        and own.end <= end
        and (start, end) != (own.start, own.end)
    )
