"""Who did it: `who has earned more than 20,000 in fees` is whom the rows of the fees point at, nobody farther away.

Called by `corrections` for every tree. Where a question asks `who` and calls nobody by name, people that the measured
rows belong to themselves are meant before people whom these rows only lead to by others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from pluto_duck_text2sql.catalog import Catalog, Table
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.resolve import Resolver, is_of_people
from pluto_duck_text2sql.tree import Agg, Col, Expr, Query, Rows, TableKey, columns_in, is_total, nodes_in
from pluto_duck_text2sql.words import table_stems, tokenise

_WHO = re.compile(r"^(?:(?:and|so|but|ok(?:ay)?) )?who\b(?!se\b)", re.IGNORECASE)


def by_who_did(query: Query, question: str, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> Query:
    """The tree of the people whom what is measured belongs to; as it is where it shows them, or others are named."""
    done = _measured(query) if _WHO.match(question.strip()) and not query.then else None
    shown = next((each for each in query.select if isinstance(each, Col)), None)
    if done is None or shown is None or _is_said(shown.table, done, query, question):
        return query
    doers = list(_doers(done, catalog, joins, resolver))
    if len(doers) != 1 or shown.table == doers[0].key:
        return query
    if shown.table != done:
        return _of(query, lambda each: _points(each, shown.table, joins), doers[0], resolver)
    column = catalog.column(*shown.table, shown.name)
    is_when = column is not None and column.is_time and (query.group or query.limit)
    return _of(query, lambda each: each == shown, doers[0], resolver) if is_when else query


def _measured(query: Query) -> TableKey | None:
    """The table whose rows are counted or added up, or ranked by what they hold."""
    totals = [*(each for each in query.select if is_total(each)), *(each.by for each in query.order), *query.having]
    found = [_table(each) for each in totals]
    return next((each for each in found if each), None)


def _table(node: object) -> TableKey | None:
    counted = (each.of.table for each in nodes_in(node) if isinstance(each, Agg) and isinstance(each.of, Rows))
    return next((each for each in (*counted, *(each.table for each in columns_in(node)))), None)


def _is_said(table: TableKey, done: TableKey, query: Query, question: str) -> bool:
    """Whether the question calls those shown by the name of their table, or says something of them."""
    told = {each.table for each in columns_in((query.where, query.having))}
    stems = {token.stem for token in tokenise(question)}
    return table != done and (table in told or not stems.isdisjoint(table_stems(table[1])))


def _doers(done: TableKey, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> Iterator[Table]:
    """The tables of people that a row points at itself."""
    for key in dict.fromkeys(each.target for each in joins.neighbours(done) if not each.multiplies):
        table = catalog.table(*key)
        if table and key != done and is_of_people(table, resolver.label(table)):
            yield table


def _of(query: Query, is_other: Callable[[Expr], bool], doers: Table, resolver: Resolver) -> Query:
    """The tree with these people in the place of the others."""
    own, label = resolver.key(doers), resolver.label(doers)
    if len(own) != 1:
        return query
    key: tuple[Expr, ...] = (Col(doers.key, own[0]),) if query.group else ()
    kept = tuple(each for each in query.select if not is_other(each))
    group = tuple(each for each in query.group if each in kept)
    order = tuple(each for each in query.order if not is_other(each.by))
    return replace(query, anchor=doers.key, select=(*label, *kept), group=(*key, *group), order=order, through=())


def _points(node: Expr, table: TableKey, joins: JoinGraph) -> bool:
    """Whether it is a column of the table, or one that points at its rows."""
    return isinstance(node, Col) and table in (node.table, joins.pointed(node).table)
