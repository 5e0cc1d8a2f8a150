"""What a percentage comes to: the sum of a `commission_pct` over bookings is that part of what each of them brought.

Nobody adds up percentages that other rows point at; added up is what they are taken of. Called by `corrections` and for
follow-ups; where the question speaks of a percentage, or no money belongs to the rows, the tree stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Cond,
    Number,
    Query,
    Ratio,
    Related,
    TableKey,
    Times,
    columns_in,
    mapped,
    nodes_in,
)
from pluto_duck_text2sql.trees.resolve import Resolver

_PERCENT = frozenset(map(stem, ("pct", "percent", "percentage")))
_FEES = frozenset(map(stem, "commission fee royalty tax vat levy surcharge".split()))
"""What is taken of money alone, so that their sum is of it whatever rows are spoken of."""
_SAID = Pattern(r"%|\b(?:percent\w*|pct|rates?|average|mean)\b", re.IGNORECASE)


def in_amounts(query: Query, question: str, catalog: Catalog, joins: JoinGraph) -> Query:
    """The tree with what each summed percentage comes to, of the rows that point at it."""
    sums = [each for each in nodes_in((query.select, query.order)) if isinstance(each, Agg) and each.function == "sum"]
    parts = {each.of for each in sums if isinstance(each.of, Col) and _is_percent(each.of, catalog)}
    if len(parts) != 1 or _SAID.search(question) or query.then:
        return query
    part = parts.pop()
    money = _money(part, _tables(query, joins), catalog, joins)
    if money is None:
        return query
    amount = Ratio(Times(money, part), Number(100))

    def of_amount(node: Any) -> Any:
        return replace(node, of=amount) if isinstance(node, Agg) and node.of == part else node

    made: Query = mapped(query, of_amount, (Agg,))
    where = tuple(own for each in made.where for own in _held(each, money))
    return replace(made, anchor=money.table, where=where, flat=False)


def _tables(query: Query, joins: JoinGraph) -> set[TableKey]:
    """The tables that a tree speaks of, and those on the way to them."""
    looked_at = {each.table for each in nodes_in(query.where) if isinstance(each, Related)}
    named = {query.anchor, *(each.table for each in columns_in((query.select, query.group, query.where)))}
    on_the_way = {step.target for step in joins.tree(query.anchor, named) or ()}
    return named | looked_at | on_the_way


def _held(condition: Cond, money: Col) -> tuple[Cond, ...]:
    """A condition as it is of the rows with money: what only says that there is such a row is what it says of it."""
    if not isinstance(condition, Related) or condition.negated or condition.count:
        return (condition,)
    return condition.where if condition.table == money.table else (condition,)


def _is_percent(column: Col, catalog: Catalog) -> bool:
    stored = catalog.column(*column.table, column.name)
    is_number = stored is not None and stored.kind == "number"
    return is_number and not _PERCENT.isdisjoint(name_stems(column.name))


def _money(part: Col, tables: Collection[TableKey], catalog: Catalog, joins: JoinGraph) -> Col | None:
    """The stored money of those rows spoken of that point at the percentage; of all rows where it is a fee.

    None where rows of several tables do, or only by way of others: what it is taken of is not known.
    """
    stored = [each for each in Resolver(catalog, joins).income() if isinstance(each, Col)]
    is_fee = not _FEES.isdisjoint(name_stems(part.name))
    pointing = [each for each in stored if _points(each.table, part.table, joins)]
    found = [each for each in pointing if is_fee or each.table in tables]
    return found[0] if len({each.table for each in found}) == 1 else None


def _points(rows: TableKey, at: TableKey, joins: JoinGraph) -> bool:
    """Whether rows themselves point at others, not by way of a third table."""
    steps = joins.path(rows, at) or []
    return len(steps) == 1 and not steps[0].multiplies
