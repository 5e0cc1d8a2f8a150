"""Who did it: `who has earned more than 20,000 in fees` is whom the rows of the fees point at, nobody farther away.

Called by `corrections` for every tree. Where a question asks `who` and calls nobody by name, people that the measured
rows belong to themselves are meant before people whom these rows only lead to by others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from pluto_duck_text2sql.corrections.ways import roots_of
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, STOP, name_stems, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Expr, Query, Rows, TableKey, columns_in, is_total, nodes_in
from pluto_duck_text2sql.trees.resolve import Resolver

_WHO = Pattern(rf"{LEAD}who\b(?!se\b)", re.IGNORECASE)


def by_who_did(query: Query, question: str, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> Query:
    """The tree of the people whom what is measured belongs to; as it is where it shows them, or others are named."""
    done = _measured(query) if _WHO.match(question.strip()) and not query.then else None
    shown = next((each for each in query.select if isinstance(each, Col)), None)
    pointer = doer(done, question, catalog, joins, resolver) if done else None
    if done is None or shown is None or pointer is None or _is_said(shown.table, done, query, question):
        return query
    if shown.table == pointer.target:
        return query
    if shown.table != done:
        return _of(query, lambda each: _points(each, shown.table, joins), pointer, catalog, resolver)
    column = catalog.column(*shown.table, shown.name)
    is_when = column is not None and column.is_time and (query.group or query.limit)
    return _of(query, lambda each: each == shown, pointer, catalog, resolver) if is_when else query


def _measured(query: Query) -> TableKey | None:
    """The table whose rows are counted or added up, or ranked by what they hold."""
    totals = [*(each for each in query.select if is_total(each)), *(each.by for each in query.order), *query.having]
    found = [_table(each) for each in totals]
    return next((each for each in found if each), None)


def _table(node: object) -> TableKey | None:
    counted = (each.of.table for each in nodes_in(node) if isinstance(each, Agg) and isinstance(each.of, Rows))
    return next(iter((*counted, *(each.table for each in columns_in(node)))), None)


def _is_said(table: TableKey, done: TableKey, query: Query, question: str) -> bool:
    """Whether the question calls those shown by the name of their table, or says something of them."""
    told = {each.table for each in columns_in((query.where, query.having))}
    stems = {token.stem for token in tokenise(question)}
    return table != done and (table in told or not stems.isdisjoint(table_stems(table[1])))


def doer(done: TableKey, question: str, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> Step | None:
    """The way from rows to the people whose they are: the only one, or the one called by a word of the question, as
    `who bought them?` means a `buyer_id`; None where no people or several are pointed at.
    """
    people = list(_people(done, catalog, joins, resolver))
    if len(people) == 1:
        return people[0]
    deeds = roots_of(each.stem for each in tokenise(question) if each.lower not in STOP)
    called = [each for each in people if deeds & roots_of(name_stems(each.ends[0][1]))]
    return called[0] if len(called) == 1 else None


def _people(done: TableKey, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> Iterator[Step]:
    """The ways from a row to people that it points at itself."""
    for each in joins.neighbours(done):
        table = None if each.multiplies or each.target == done else catalog.table(*each.target)
        if table and is_of_people(table, resolver.label(table)):
            yield each


def _of(query: Query, is_other: Callable[[Expr], bool], way: Step, catalog: Catalog, resolver: Resolver) -> Query:
    """The tree with the people whom the way leads to in the place of the others."""
    doers = catalog.table(*way.target)
    own = resolver.key(doers) if doers else ()
    if doers is None or len(own) != 1:
        return query
    label = resolver.label(doers)
    key: tuple[Expr, ...] = (Col(doers.key, own[0]),) if query.group else ()
    kept = tuple(each for each in query.select if not is_other(each))
    group = tuple(each for each in query.group if each in kept)
    order = tuple(each for each in query.order if not is_other(each.by))
    shown = (*label, *kept)
    return replace(query, anchor=doers.key, select=shown, group=(*key, *group), order=order, through=(way.ends[0],))


def _points(node: Expr, table: TableKey, joins: JoinGraph) -> bool:
    """Whether it is a column of the table, or one that points at its rows."""
    return isinstance(node, Col) and table in (node.table, joins.pointed(node).table)
