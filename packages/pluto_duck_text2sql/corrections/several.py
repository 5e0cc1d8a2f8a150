"""Several different ones: who shopped `at three or more of our branches` shopped at so many branches, not so often.

Called by `corrections` for every tree. Where the places, people or things that a deed was done at are counted by a
bound, it is those that differ that count, each once.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, stem, table_stems
from pluto_duck_text2sql.tree import Agg, Col, Compare, Inside, Query, Related, Rows, TableKey, mapped

_N = rf"(?:{A_NUMBER}|a single)"
_BOUND = rf"(?:more than {_N}|at least {_N}|{_N} or more|over {_N}|several|multiple)"
_SEVERAL = Pattern(
    rf"\b(?P<at>at|in|from|with|to|by|for|on|across|through|of|under)? ?{_BOUND}"
    r"(?P<apart> (?:of (?:our|the|their|these)|different|distinct|separate|various))* (?P<what>[a-z]+)\b",
    re.IGNORECASE,
)
_ABOVE = frozenset((">", ">="))


def counted_apart(query: Query, question: str, catalog: Catalog, joins: JoinGraph) -> Query:
    """The tree with those that differ in the place of what is counted; itself where nothing is said of several."""
    for found in _SEVERAL.finditer(question):
        what = _table(found["what"], catalog) if found["at"] or found["apart"] else None
        if what is not None:
            query = _apart(query, what, f"number of {found['what']}" in question.lower(), joins)
    return query


def _table(word: str, catalog: Catalog) -> Table | None:
    """The table that a word in the plural is the name of, or the end of its name."""
    named = [each for each in catalog.tables if table_stems(each.name)[-1:] == (stem(word.lower()),)]
    return named[0] if len(named) == 1 and len(named[0].primary_key) == 1 else None


def _apart(query: Query, what: Table, is_shown: bool, joins: JoinGraph) -> Query:
    key = Col(what.key, what.primary_key[0])

    def apart(node: Any) -> Any:
        if isinstance(node, Related) and node.count and node.table == what.key and node.count[0] in _ABOVE:
            return replace(node, distinct=True)
        if isinstance(node, Query):
            return _of_each(_bound_apart(node, key, is_shown, joins), key, joins)
        return node

    changed: Query = mapped(query, apart)
    return changed


def _bound_apart(query: Query, key: Col, is_shown: bool, joins: JoinGraph) -> Query:
    """A query whose groups have so many rows, each of one of those: of so many that differ."""
    counts = [each.left for each in query.having if isinstance(each, Compare) and each.operator in _ABOVE]
    rows = [each for each in counts if isinstance(each, Agg) and isinstance(each.of, Rows) and not each.distinct]
    if len(rows) != 1 or not _is_of_one(rows[0], key.table, joins):
        return query
    apart = Agg("count", _pointer(rows[0], key, joins), distinct=True, where=rows[0].where)
    parts = ("having", "select", "order") if is_shown else ("having",)
    changed = {name: mapped(getattr(query, name), lambda node: apart if node == rows[0] else node) for name in parts}
    return replace(query, **changed)


def _pointer(count: Agg, key: Col, joins: JoinGraph) -> Col:
    """The key as the rows that are counted hold it, where they point straight there; other rows may as well."""
    rows = count.of.table if isinstance(count.of, Rows) else key.table
    steps = [each for each in joins.neighbours(rows) if each.target == key.table and not each.multiplies]
    pairs = [pair for each in steps for pair in each.pairs]
    return Col(rows, pairs[0][0]) if len(pairs) == 1 else key


def _of_each(query: Query, key: Col, joins: JoinGraph) -> Query:
    """Doers counted by a key that is above a number: those that have so many different ones."""
    counted = query.select[0] if len(query.select) == 1 else None
    above = [each for each in query.where if isinstance(each, Compare) and _is_key_above(each, key, joins)]
    if not isinstance(counted, Agg) or not counted.distinct or not isinstance(counted.of, Col) or len(above) != 1:
        return query
    doer, others = counted.of, tuple(each for each in query.where if each not in above)
    many = replace(above[0], left=Agg("count", above[0].left, distinct=True))
    inner = replace(query, select=(doer,), where=others, group=(doer,), having=(many,))
    owner = joins.pointed(doer)
    return replace(query, anchor=owner.table, select=(Agg("count", Rows(owner.table)),), where=(Inside(owner, inner),))


def _is_key_above(condition: Compare, key: Col, joins: JoinGraph) -> bool:
    left = condition.left
    return condition.operator in _ABOVE and isinstance(left, Col) and joins.pointed(left) == key


def _is_of_one(count: Agg, what: TableKey, joins: JoinGraph) -> bool:
    """Whether each row that is counted belongs to one of those."""
    rows = count.of.table if isinstance(count.of, Rows) else what
    return rows != what and joins.belongs(rows, what)
