"""What a query looks for and its columns do not hold: a text that is not stored, a time outside of the data.

Such a query finds nothing or zero, which would read like an answer; what is missing is said instead.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.tree import Col, Compare, Cond, During, Missing, Order, Query, columns_in, nodes_in
from pluto_duck_text2sql.trees.facts import Facts
from pluto_duck_text2sql.trees.render import render
from pluto_duck_text2sql.trees.years import is_of_years

Run = Callable[[str], list[tuple[Any, ...]]]
_FEW = 12
_NUMBER = (int, float, Decimal)
_NEAREST = 5
_LOOKED_UP = 50


def missing(query: Query, catalog: Catalog, joins: JoinGraph, run: Run, defined: Collection[Cond] = ()) -> str | None:
    """What the query looks for in vain, said with what there is; None where all of it is there.

    What the user's glossary defines (`defined`) may name what is not there yet.
    """
    asked = replace(query, where=tuple(each for each in query.where if each not in defined))
    return next(chain(_texts(asked, catalog, joins, run), _times(asked, catalog), _years(asked, catalog)), None)


def _texts(query: Query, catalog: Catalog, joins: JoinGraph, run: Run) -> Iterator[str]:
    for left, operator, right in Facts.of(query).compared:
        column = _column(left, catalog)
        if column is None or column.kind != "text" or not isinstance(right, str) or operator not in ("=", "like"):
            continue
        looked_for = Compare(left, "=" if operator == "=" else "like", right)
        if not _is_indexed(left, right, catalog) and not run(_probe(looked_for, catalog, joins)):
            yield _unknown(left, right.strip("%"), catalog) or _held(left, right.strip("%"), catalog, joins, run)


def _times(query: Query, catalog: Catalog) -> Iterator[str]:
    for each in nodes_in(query):
        if isinstance(each, During) and (said := outside(each, catalog)):
            yield said


def _years(query: Query, catalog: Catalog) -> Iterator[str]:
    """A year that lies before or after all that a column of years holds."""
    for left, operator, right in Facts.of(query).compared:
        if operator == "=" and isinstance(left, Col) and (said := outside_years(left, right, catalog)):
            yield said


def outside_years(left: Col, year: Any, catalog: Catalog) -> str | None:
    """Whether a year lies before or after all that a column of years holds."""
    column = _column(left, catalog)
    if column is None or not isinstance(year, int | float) or not is_of_years(left, catalog):
        return None
    first, last = column.minimum, column.maximum
    if not isinstance(first, _NUMBER) or not isinstance(last, _NUMBER) or first <= year <= last:
        return None
    return f"{_name(left)} goes from {first:g} to {last:g}; {year:g} is not in it."


def _column(left: Any, catalog: Catalog) -> Column | None:
    return catalog.column(*left.table, left.name) if isinstance(left, Col) else None


def _is_indexed(column: Col, text: str, catalog: Catalog) -> bool:
    hits = catalog.values.lookup(text, limit=_LOOKED_UP)
    wanted = (*column.table, column.name, text)
    return any((hit.schema, hit.table, hit.column, str(hit.value)) == wanted for hit in hits)


def _probe(condition: Compare, catalog: Catalog, joins: JoinGraph) -> str:
    """One row that meets the condition."""
    column = next(columns_in(condition.left))
    return render(Query(column.table, (condition.left,), (condition,), limit=1), catalog, joins)


def _unknown(column: Col, text: str, catalog: Catalog) -> str:
    """The stored values that the text may misspell; nothing where there are none."""
    hits = catalog.values.lookup_fuzzy(text, limit=_LOOKED_UP)
    near = [str(hit.value) for hit in hits if (hit.schema, hit.table, hit.column) == (*column.table, column.name)]
    return f"{_name(column)} holds no {text!r}. Closest: {', '.join(near[:_NEAREST])}." if near else ""


def _held(column: Col, text: str, catalog: Catalog, joins: JoinGraph, run: Run) -> str:
    """A few of the values that there are."""
    wanted = (Missing(column, negated=True),)
    listed = Query(column.table, (column,), wanted, order=(Order(column),), limit=_FEW + 1, distinct=True)
    values = [str(row[0]) for row in run(render(listed, catalog, joins))]
    if not values:
        return f"{_name(column)} is empty."
    more = " and others" if len(values) > _FEW else ""
    return f"{_name(column)} holds no {text!r}. It holds {', '.join(values[:_FEW])}{more}."


def _name(column: Col) -> str:
    return f"{column.table[1]}.{column.name}"


def outside(period: During, catalog: Catalog) -> str | None:
    """Whether the period lies wholly before or after all that its column holds."""
    column = _column(period.left, catalog)
    if column is None:
        return None
    first, last = _day(column.minimum), _day(column.maximum)
    if first is None or last is None or (period.start <= last and period.end > first):
        return None
    name = _name(period.left) if isinstance(period.left, Col) else ""
    return (
        f"{name} holds days from {first} to {last}, none within {period.start} to {period.end - dt.timedelta(days=1)}."
    )


def _day(value: Any) -> dt.date | None:
    if isinstance(value, dt.datetime):
        return value.date()
    return value if isinstance(value, dt.date) else None
