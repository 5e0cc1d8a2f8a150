"""Years that are said as times, and periods of a column that holds them: of degrees, where no campus is that young; and
of what was not called off by the rows' own day, since the day when it was called off is missing."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.corrections.date_columns import DateColumns
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, spoken_stems, tokenise
from pluto_duck_text2sql.tree import Bucket, Col, Compare, Cond, During, Missing, Query, columns_in, mapped, nodes_in
from pluto_duck_text2sql.trees.unstored import outside, outside_years
from pluto_duck_text2sql.trees.years import is_of_years

_IN_YEAR = Pattern(r"\b(?:in|during|for) (?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)


def where_they_fit(query: Query, question: str, known: DateColumns) -> Query:
    """Each year that is said as a time, and each period of a column that holds it."""
    years = {int(each["year"]) for each in _IN_YEAR.finditer(question)}
    said = spoken_stems(tokenise(question))
    query = _restricted(query, tuple(_as_time(each, query, years, known) for each in query.where))
    return _restricted(query, tuple(_moved(each, query, said, known) for each in query.where))


def of_kept_day(query: Query, known: DateColumns) -> Query:
    """Periods and grains of a date that the rows do not have, by their own day: of sales `not cancelled`, of theirs."""
    lacked = {each.left for each in query.where if isinstance(each, Missing) and not each.negated}
    tables = ((each, known.catalog.table(*each.table)) for each in lacked if isinstance(each, Col))
    own: dict[Any, Col | None] = {date: known.own_day(table) for date, table in tables if table is not None}
    if not own:
        return query

    def moved(node: Any) -> Any:
        if isinstance(node, During):
            return replace(node, left=own.get(node.left) or node.left)
        return replace(node, of=own.get(node.of) or node.of) if isinstance(node, Bucket) else node

    made: Query = mapped(query, moved, (During, Bucket))
    return made


def _restricted(query: Query, where: tuple[Cond, ...]) -> Query:
    """The query with these conditions; itself where they are its own."""
    return query if where == query.where else replace(query, where=where)


def _as_time(condition: Cond, query: Query, years: set[int], known: DateColumns) -> Cond:
    """`in 2004` is a time, where a tree compares something else with that number."""
    if not isinstance(condition, Compare) or not isinstance(condition.left, Col) or condition.right not in years:
        return condition
    times = list(known.times(query))
    if not times or condition.left in times or not isinstance(condition.right, int | float):
        return condition
    beside = [each for each in times if each.table == condition.left.table]
    return next(_over(replace(condition, operator="="), (beside or times)[0], known.catalog), condition)


def _moved(condition: Cond, query: Query, said: frozenset[str], known: DateColumns) -> Cond:
    """A period outside of all that its column holds, of another column of the query's tables that holds it."""
    said = said - _of_values(query)
    if not _is_outside(condition, known) or any(known.is_named(each, said) for each in columns_in(condition)):
        return condition
    own = known.measured(query)
    left = next(columns_in(condition), None)
    kept = own.key if own and isinstance(left, Col) and left.table == own.key else None
    times = (each for each in known.times(query) if kept is None or each.table == kept)
    fits = [moved for each in times for moved in _over(condition, each, known.catalog)]
    return next((each for each in fits if not _is_outside(each, known)), condition)


def _is_outside(condition: Any, known: DateColumns) -> bool:
    if isinstance(condition, During) and isinstance(condition.left, Col):
        return outside(condition, known.catalog) is not None
    is_year = isinstance(condition, Compare) and condition.operator == "=" and isinstance(condition.left, Col)
    return is_year and outside_years(condition.left, condition.right, known.catalog) is not None


def _of_values(query: Query) -> frozenset[str]:
    """The stems of the values that rows are told by: `booked` names no date where a status is booked."""
    told = (each.right for each in nodes_in(query.where) if isinstance(each, Compare) and isinstance(each.right, str))
    return frozenset(each for value in told for each in name_stems(value))


def _over(condition: Cond, column: Col, catalog: Catalog) -> Iterator[Cond]:
    """The condition over another column, where that is of its kind."""
    if is_of_years(column, catalog):
        year = condition.right if isinstance(condition, Compare) else _whole_year(condition)
        if year is not None:
            yield Compare(column, "=", year)
    elif isinstance(condition, During):
        yield replace(condition, left=column)
    elif isinstance(condition, Compare) and dt.MINYEAR <= int(condition.right) < dt.MAXYEAR:
        yield During(column, dt.date(int(condition.right), 1, 1), dt.date(int(condition.right) + 1, 1, 1))


def _whole_year(period: Any) -> int | None:
    is_year = isinstance(period, During) and period.end == period.start.replace(year=period.start.year + 1)
    return period.start.year if is_year and (period.start.month, period.start.day) == (1, 1) else None
