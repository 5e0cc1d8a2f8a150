"""Whose people they are: `how many patients does each practice have` on its list, or with appointments there.

Asked of people who belong to something by a key of their own, and whose doings happen at some of the same, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.asking_back.left_open.deeds import are_people, deeds
from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, full_name
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.tree import Agg, Col, Expr, Order, Query, Rows, TableKey, columns_in, is_total, nodes_in
from pluto_duck_text2sql.trees.phrases import shown_name

_ASKED = "Which {} of each of {} do you mean?"
_HAVE = Pattern(
    r"^\W*(?:how many \w+ (?:does|do) (?:each|every) (?:\w+ )?\w+ have\b"
    r"|(?:which|what) (?:\w+ )?\w+ (?:has|have) the (?:most|fewest|least) \w+\W*$)",
    re.IGNORECASE,
)
_MOST_DEEDS = 2


def home_or_visited(question: str, query: Query, data: Data) -> Opening | None:
    """The tree by the people's own key, and by what they do."""
    owner, key = _owner(query), _counted_people(query, data)
    if owner is None or key is None or owner == key or query.where or not _HAVE.search(question):
        return None
    home = data.joins.pointer(key, owner)
    if home is None or home.table != key:
        return None
    ways = [(f"by {full_name(home)}", _counting(query, Agg("count", Rows(key)), key))]
    ways += [(f"by {shown_name(by.table)}", _visited(query, by)) for by in _visits(key, owner, data)]
    return Opening(_ASKED.format(shown_name(key), shown_name(owner)), tuple(ways)) if len(ways) > 1 else None


def _owner(query: Query) -> TableKey | None:
    """The table by whose rows a plain tree counts."""
    tables = {each.table for each in columns_in(query.group)}
    return tables.pop() if len(tables) == 1 and query.then is None and not query.having else None


def _counted_people(query: Query, data: Data) -> TableKey | None:
    """The table of people whose number is the one figure of a tree."""
    counts = {each for each in nodes_in(query) if isinstance(each, Agg)}
    count = counts.pop() if len(counts) == 1 else None
    of = count.of if count and count.function == "count" and not count.where else None
    is_each = isinstance(of, Rows) or (isinstance(of, Col) and count is not None and count.distinct)
    return of.table if is_each and isinstance(of, Rows | Col) and are_people(of.table, data) else None


def _visits(key: TableKey, owner: TableKey, data: Data) -> list[Col]:
    """What tells whose they are, of the rows that happen at one of the owners by a key of their own."""
    found = (by for by, _ in deeds(key, data) if key not in _way(by.table, owner, data))
    return [by for by in found if data.belongs(by.table, owner)][:_MOST_DEEDS]


def _way(home: TableKey, owner: TableKey, data: Data) -> Iterator[TableKey]:
    return (step.target for step in data.joins.path(home, owner) or ())


def _visited(query: Query, by: Col) -> Query:
    return _counting(query, Agg("count", by, distinct=True), by.table)


def _counting(query: Query, total: Expr, anchor: TableKey) -> Query:
    """The tree with another figure in the place of its own."""
    shown = tuple(total if is_total(each) else each for each in query.select)
    order = tuple(Order(total, each.descending) if is_total(each.by) else each for each in query.order)
    return replace(query, anchor=anchor, select=shown, order=order, through=(), also=())
