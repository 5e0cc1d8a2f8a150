"""Who won: of what is placed by a number, the one placed first.

Called by `corrections` for every tree, whoever wrote it. Where wins are stored as such (`winner_id`, `wins`, a result
that says so), nothing is put to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Col, Compare, Query, Related, TableKey, all_nodes_in, columns_in

_WON = Pattern(r"\b(?:won|wins|winners?|winning)\b", re.IGNORECASE)
_PLACES = frozenset(map(stem, "rank ranking position place placing standing".split()))
_WINS = frozenset(map(stem, "won win wins winner winning victory medal gold silver bronze".split()))


def placed_first(query: Query, question: str, catalog: Catalog, joins: JoinGraph) -> Query:
    """`who won the cup`: the rows that it joins are those placed first in it; which of several rows is not guessed."""
    if not _WON.search(question) or query.then or any(isinstance(each, Related) for each in all_nodes_in(query)):
        return query
    tables = [table for key in _joined(query, joins) if (table := catalog.table(*key))]
    found = [place for table in tables for place in _places(table)]
    is_said = any(each in found for each in columns_in(query))
    if len(found) != 1 or is_said or any(map(_stores_wins, tables)) or _says_win(query):
        return query
    return replace(query, where=(*query.where, Compare(found[0], "=", 1)))


def _joined(query: Query, joins: JoinGraph) -> list[TableKey]:
    """The tables that a tree reads, with those on the way between them."""
    needed = {query.anchor, *query.also, *(each.table for each in columns_in(query))}
    steps = joins.tree(query.anchor, needed) or ()
    return list(dict.fromkeys((query.anchor, *(each.target for each in steps))))


def _places(table: Table) -> Iterator[Col]:
    """The numbers of a table that tell who was first, second, third."""
    for column in table.columns:
        if column.kind == "number" and column.minimum == 1 and table.stems(column.name)[-1:][0] in _PLACES:
            yield Col(table.key, column.name)


def _stores_wins(table: Table) -> bool:
    """Whether a table or a column of it is called by winning."""
    names = [table_stems(table.name), *(table.stems(column.name) for column in table.columns)]
    return any(_WINS.intersection(each) for each in names)


def _says_win(query: Query) -> bool:
    compared = (each.right for each in all_nodes_in(query) if isinstance(each, Compare))
    return any(isinstance(each, str) and stem(each.casefold()) in _WINS for each in compared)
