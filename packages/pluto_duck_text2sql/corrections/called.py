"""Rows that are asked for by their noun alone are shown by what they are called: sellers by their key, not their city.

Called by `corrections` for every tree. Of two columns that are both called a title the rows' own is meant where no word
tells the other: `originalTitle` is only shown where the question says original. What rows are called tells
`resolve.Resolver.label`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.date_names import stems_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, spoken_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Compare, Cond, Expr, Inside, Query, columns_in, mapped, nodes_in
from pluto_duck_text2sql.trees.durations import rooted
from pluto_duck_text2sql.trees.resolve import Resolver

_NAMES = stems_of("name title")
_OTHER = stems_of("original alternative alternate former previous old native local foreign second sort full long short")
"""What another name of the same is called, beside the one that people know it by."""
_PLACES = stems_of("city town state province region country nation zip postal postcode address street location place")
_ASKED = Pattern(
    r"^(?:please )?(?:which|what|list|show(?: me)?|name|give me)(?: all)?(?: the| our| of our)?"
    r" (?P<what>[a-z]+(?: [a-z]+)?)\b",
    re.IGNORECASE,
)
_AS_MANY, _LOOKED_AT = 0.8, 20
"""So many values for those of the rows' name has another name of the same rows."""


def by_their_own_name(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """The tree with the name that rows are called by in place of another of theirs that no word tells."""
    said = rooted(spoken_stems(tokenise(question)))
    shown = {each for each in columns_in(query) if isinstance(each, Col)}
    put = {each: to for each in shown if (to := _own_name(each, said, catalog, resolver)) and to not in shown}

    def named(node: Any) -> Any:
        left = node.left if isinstance(node, Compare) else None
        own = put.get(left) if isinstance(left, Col) else None
        is_held = own is not None and isinstance(node.right, str) and _holds(own, node.right, catalog)
        return replace(node, left=own) if is_held else node

    if not put:
        return query
    query = mapped(query, named, (Compare,))
    put = {each: to for each, to in put.items() if each not in _compared(query)}
    made: Query = mapped(query, lambda node: put.get(node, node) if isinstance(node, Col) else node, (Col,))
    return made


def _compared(query: Query) -> set[Expr]:
    """What is compared with texts."""
    texts = (each for each in nodes_in(query) if isinstance(each, Compare) and isinstance(each.right, str))
    return {each.left for each in texts}


def _own_name(column: Col, said: frozenset[str], catalog: Catalog, resolver: Resolver) -> Col | None:
    """What the rows of a column are called by, where it is another name of them of which no word is said."""
    table = catalog.table(*column.table)
    label = resolver.label(table) if table else []
    if table is None or len(label) != 1 or label[0] == column:
        return None
    own, name = table.column(column.name), table.column(label[0].name)
    stems, other = table.stems(column.name), table.stems(label[0].name)
    if own is None or name is None or own.kind != "text" or stems[-1:] != other[-1:] or stems[-1] not in _NAMES:
        return None
    told = set(stems) - {*other, *table_stems(table.name)}
    is_name = (own.n_distinct or 0) >= _AS_MANY * (name.n_distinct or 1)
    return label[0] if told and told <= _OTHER and is_name and said.isdisjoint(rooted(told)) else None


def _holds(column: Col, text: str, catalog: Catalog) -> bool:
    """Whether a text is a value of a column."""
    found = catalog.values.lookup(text, _LOOKED_AT)
    return any((hit.schema, hit.table, hit.column, hit.value) == (*column.table, column.name, text) for hit in found)


def of_asked_rows(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """`which sellers have never sold`: the sellers, not the towns in which none has."""
    table = catalog.table(*query.anchor)
    shown = query.select[0] if len(query.select) == 1 and not query.then else None
    if table is None or not isinstance(shown, Col) or shown.table != table.key or not _asks_for(question, table):
        return query
    label = resolver.label(table)
    if (
        shown in label
        or not label
        or not _is_unsaid(shown, question, table)
        or _PLACES.isdisjoint(table.stems(shown.name))
    ):
        return query
    where = tuple(_themselves(each, shown) for each in query.where)
    group = tuple(part for each in query.group for part in (label if each == shown else (each,)))
    order = tuple(each for each in query.order if each.by != shown)
    return replace(query, select=tuple(label), where=where, group=group, order=order, distinct=False)


def _asks_for(question: str, table: Table) -> bool:
    """Whether a question begins by asking for the rows of a table by their noun."""
    found = _ASKED.match(question)
    return found is not None and table_stems(table.name)[-1] in map(stem, found["what"].lower().split())


def _is_unsaid(column: Col, question: str, table: Table) -> bool:
    """Whether no word of a column is said, but those of its table."""
    said = rooted(spoken_stems(tokenise(question)))
    own = set(name_stems(column.name)) - set(table_stems(table.name))
    return said.isdisjoint(rooted(own))


def _themselves(condition: Cond, shown: Col) -> Cond:
    """What holds of rows, where a tree has it of all rows that share a value with them."""
    if not isinstance(condition, Inside) or condition.left != shown:
        return condition
    inner = condition.query
    is_same = inner.select == (shown,) and inner.anchor == shown.table and inner.is_plain and not inner.group
    (only, *others) = (*inner.where, None)
    if not is_same or any(others) or not isinstance(only, Inside):
        return condition
    return replace(only, negated=only.negated != condition.negated)
