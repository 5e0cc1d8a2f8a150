"""Periods by the day of what is measured: of invoices by theirs, not by that of the site they were for."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.corrections.date_columns import DateColumns, tables_of, with_day
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Bucket, Col, During, Query, all_nodes_in, columns_in, is_total, kinds_in, mapped
from pluto_duck_text2sql.trees.years import is_of_years

_MADE = Pattern(
    r"\b(?P<what>[a-z]+) (?:(?:that|which) )?(?:(?:were|was|have been) )?(?:made|placed)"
    r" (?:in|during|this|last|since|between|before|after|within)\b",
    re.IGNORECASE,
)

_ROWS_OF = Pattern(
    r"\b(?P<rows>[a-z]+) (?:of|from) (?:(?:19|20)\d\d\b|(?:this|last) (?:year|quarter|month|week)\b)"
    r"(?=.*\b(?:paid|settled|late|closed|solved|returned|delivered|shipped|finished|completed|cancelled|answered)\b)",
    re.IGNORECASE,
)
"""Rows by their period, of which something else is told."""


def of_what_happened(query: Query, said: frozenset[str], known: DateColumns) -> Query:
    """`what did we invoice per site in 2019`: of the invoices' day, not of the one when each site was opened."""
    table = known.measured(query) if During in kinds_in(query) else None
    day = known.own_day(table) if table else None
    if table is None or day is None:
        return query

    def put(node: Any) -> Any:
        left = node.left if isinstance(node, During) else None
        if not isinstance(left, Col):
            return node
        is_apart = known.joins.are_apart(table.key, left.table)
        is_theirs = known.is_owners(left, table, said) and (day.table == table.key or is_apart)
        return replace(node, left=day) if is_theirs or (is_apart and known.is_unsaid(left, said, table)) else node

    where = tuple(mapped(each, put) for each in query.where)
    return query if where == query.where else replace(query, where=where)


def of_link(query: Query, said: frozenset[str], known: DateColumns) -> Query:
    """`how many patients did each ward have in May`: of the day of what links them, not of the one when each was
    registered."""
    table = known.measured(query) if During in kinds_in(query) else None
    others = [key for key in tables_of(query) if table and key != table.key]
    links = {link for key in others if table and (link := known.link(table.key, key))}
    days = {day for key in links if (linking := known.catalog.table(*key)) and (day := known.own_day(linking))}
    if table is None or len(days) != 1 or any(isinstance(each, Bucket) for each in query.group):
        return query
    (day,) = days
    return with_day(query, day, lambda date: date.table == table.key and not known.is_named(date, said))


def of_making(query: Query, question: str, known: DateColumns) -> Query:
    """`purchases made this year that ended up refunded`: of the day of the purchase, not of the refund."""
    said = _MADE.search(question)
    table = known.catalog.table(*query.anchor) if said else None
    day = known.own_day(table) if table else None
    periods = [each for each in query.where if isinstance(each, During)]
    if said is None or day is None or day.table != query.anchor or len(periods) != 1:
        return query
    if stem(said["what"].lower()) != table_stems(query.anchor[1])[-1]:
        return query
    return with_day(query, day, lambda date: date.table == day.table)


def of_rows_period(query: Query, question: str, known: DateColumns) -> Query:
    """`what share of the invoices of 2026 was paid late`: the invoices of that year, whenever they were paid."""
    said = _ROWS_OF.search(question)
    table = known.catalog.table(*query.anchor) if said else None
    if said is None or table is None or stem(said["rows"].lower()) != table_stems(table.name)[-1]:
        return query
    day = known.own_day(table)
    is_own = day is not None and day.table == table.key
    return with_day(query, day, lambda date: date.table == table.key) if day and is_own else query


def of_measured(query: Query, known: DateColumns) -> Query:
    """The year of what is measured, where another table's year of the same name stands: degrees, not campuses."""
    of = [each.table for shown in query.select if is_total(shown) for each in columns_in(shown)]
    table = known.catalog.table(*of[0]) if len(set(of)) == 1 else None
    if table is None or {each.table for each in all_nodes_in(query) if isinstance(each, Col)} <= {table.key}:
        return query

    def own(node: Any) -> Any:
        is_year = isinstance(node, Col) and node.table != table.key and is_of_years(node, known.catalog)
        column = table.column(node.name) if is_year else None
        return Col(table.key, column.name) if column else node

    parts = {name: mapped(getattr(query, name), own) for name in ("select", "where", "group", "order")}
    return replace(query, **parts)
