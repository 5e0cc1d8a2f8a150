"""Figures of different rows by the same period, put side by side in SQL: orders and refunds by month.

Called by `render` for a tree that has others beside it. A period that only some of them have is shown, with nothing for
the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.tree import Bucket, Col, Query, is_total
from pluto_duck_text2sql.trees.column_names import alias_of


def by_period(queries: Sequence[Query], printed: Sequence[Any]) -> exp.Select:
    """One SELECT over the printed queries, each of one period and its figures: the period, then all figures."""
    period = next(alias_of(each) for each in queries[0].select if not is_total(each))
    names = _names(queries)
    sources = [
        _named(each, f"part_{n}", [period, *own]) for n, (each, own) in enumerate(zip(printed, names, strict=True), 1)
    ]
    figures = [exp.column(name) for own in names for name in own]
    select = exp.select(exp.column(period), *figures).from_(sources[0])
    for each in sources[1:]:
        select.append("joins", exp.Join(this=each, side="FULL", using=[exp.to_identifier(period)]))
    return select.order_by(exp.column(period))


def _named(query: Any, name: str, columns: Sequence[str]) -> Any:
    alias = exp.TableAlias(this=exp.to_identifier(name), columns=[exp.to_identifier(each) for each in columns])
    return exp.Subquery(this=query, alias=alias)


def _names(queries: Sequence[Query]) -> list[list[str]]:
    """A name for each figure that no other has: those of the same rows are told apart by their dates."""
    said = Counter(alias_of(each).casefold() for query in queries for each in query.select if is_total(each))
    taken: Counter[str] = Counter()
    names: list[list[str]] = []
    for query in queries:
        names.append([])
        for plain in (alias_of(each) for each in query.select if is_total(each)):
            name = f"{plain}{_date(query)}" if said[plain.casefold()] > 1 else plain
            taken[name.casefold()] += 1
            number = taken[name.casefold()]
            names[-1].append(f"{name}_{number}" if number > 1 else name)
    return names


def _date(query: Query) -> str:
    """`_by_closed_at`: the date by whose period a query groups."""
    of = query.group[0].of if query.group and isinstance(query.group[0], Bucket) else None
    return f"_by_{of.name.lower()}" if isinstance(of, Col) else ""
