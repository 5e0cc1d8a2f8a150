"""A number of rows is no amount: `agents with at least 20 tickets` are told by how many tickets they have.

Called by `corrections` for every tree. The rows are said right after the number; whatever a tree compares with that
number, which no word of them names, gives way to the number of rows in each group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.corrections.bounds import OPERATORS
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, name_stems, number_of, stem, table_stems
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Operator, Query, Rows, TableKey, columns_in, nodes_in

_N = rf"(?P<n>\d+|{A_NUMBER})"
_WHO = r"\b(?:with|having|have|has|had|who have|that have)"
_ROWS = r"(?P<rows>(?:(?!(?:and|or|of|in|on|per|as|than)\b)[a-z]+ ){0,2}?[a-z]+s)\b"
_WITH = Pattern(rf"{_WHO} (?P<how>{'|'.join(OPERATORS)}) {_N} {_ROWS}", re.IGNORECASE)
_OR_MORE = Pattern(rf"{_WHO} {_N} or (?P<how>more|fewer) {_ROWS}", re.IGNORECASE)
_OR: dict[str, Operator] = {"more": ">=", "fewer": "<="}


def with_so_many(query: Query, question: str, catalog: Catalog, joins: JoinGraph) -> Query:
    """The tree with groups of so many rows in place of what it compares with their number."""
    said = _WITH.search(question) or _OR_MORE.search(question)
    number = number_of(said["n"].lower()) if said else None
    if said is None or number is None or not query.group:
        return query
    stems = [stem(word.lower()) for word in said["rows"].split()]
    rows = _rows(query, stems[-1], catalog, joins)
    wrong = [each for each in (*query.where, *query.having) if _is_of(each, number, stems[-1])]
    is_counted = any(isinstance(each, Compare) and each.right == number and _counts(each) for each in query.having)
    if rows is None or len(wrong) != 1 or is_counted:
        return query
    how = said["how"].lower()
    bound = Compare(Agg("count", Rows(rows)), OPERATORS.get(how) or _OR[how], int(number))
    where, having = (tuple(each for each in some if each not in wrong) for some in (query.where, query.having))
    return replace(query, where=where, having=(*having, bound))


def _is_of(condition: Cond, number: float, rows: str) -> bool:
    """Whether a condition compares something that is called otherwise, or adds it up, with the number."""
    if not isinstance(condition, Compare) or isinstance(condition.right, bool) or condition.right != number:
        return False
    named = (each.name for each in columns_in(condition.left) if isinstance(each, Col))
    return not _counts(condition) and not any(rows in name_stems(name) for name in named)


def _counts(condition: Compare) -> bool:
    return any(isinstance(each, Agg) and each.function == "count" for each in nodes_in(condition.left))


def _rows(query: Query, noun: str, catalog: Catalog, joins: JoinGraph) -> TableKey | None:
    """The tree's table that is called by the noun, or the one whose rows are of the table called so."""
    own = dict.fromkeys([query.anchor, *(each.table for each in columns_in(query))])
    called = [each.key for each in catalog.tables if table_stems(each.name)[-1] == noun]
    if len(called) != 1:
        return None
    of_them = [key for key in own if any(each.target == called[0] for each in _steps(key, joins))]
    rows = called if called[0] in own else of_them
    return rows[0] if len(rows) == 1 else None


def _steps(key: TableKey, joins: JoinGraph) -> Iterator[Step]:
    """The steps to the one row that each row of a table points to."""
    return (each for each in joins.neighbours(key) if not each.multiplies)
