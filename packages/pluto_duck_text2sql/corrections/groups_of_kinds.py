"""Groups called by a kind: `average tip by groomer` has a row for each employee whose role is groomer, not one for all.

Called by `corrections` for every tree. What a value of a column is called, said after `by`, groups by the rows that
have that value.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Col, Compare, Order, Query, columns_in, is_total
from pluto_duck_text2sql.trees.resolve import Resolver

_NO_WAY = "".join(rf"(?<!{each} )" for each in "ed went sent made done sold came goes go".split())
_BY = Pattern(
    rf"(?:{_NO_WAY}\bby|\b(?:per|for each|for every|of each|of every)) (?:the )?(?P<kind>[a-z]{{3,}})\b", re.IGNORECASE
)
"""What was sold or went `by` something is told by the way it was."""

_ASKED = Pattern(r"^(?:and )?(?:which|what)(?: of (?:our|the))? (?P<kind>\S.+)", re.IGNORECASE)


def by_kind(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """The tree with a row for each of those of a kind, where it restricts to the kind and groups by nothing."""
    if query.group or query.limit or query.then or not query.select or not all(map(is_total, query.select)):
        return query
    kinds = {stem(found["kind"].lower()) for found in _BY.finditer(question)}
    told = [each.left for each in query.where if isinstance(each, Compare) and _is_of_kind(each, kinds)]
    of = told[0] if len(told) == 1 else None
    table = catalog.table(*of.table) if isinstance(of, Col) else None
    label = resolver.label(table) if table else []
    figures = {each.table for shown in query.select for each in columns_in(shown)}
    if table is None or not label or of in label or table.key in figures:
        return query  # what the measured rows say of themselves tells how they came about: sold by phone
    keys = [Col(table.key, name) for name in resolver.key(table)]
    order = tuple(Order(each) for each in label)
    return replace(query, select=(*label, *query.select), group=tuple(dict.fromkeys((*keys, *label))), order=order)


def by_asked_kind(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """`which sales advisor signed the most contracts` asks for one of these, not for a day on which one was signed: the
    tree by them, where it restricts to the kind, ranks groups, and shows nothing of them."""
    asked = _ASKED.match(question)
    if asked is None or not query.group or query.limit is None or query.then or query.per:
        return query
    said = asked["kind"].casefold()
    told = [each.left for each in query.where if isinstance(each, Compare) and _begins_with(said, each)]
    of = told[0] if len(told) == 1 else None
    table = catalog.table(*of.table) if isinstance(of, Col) else None
    label = resolver.label(table) if table else []
    if table is None or not label or of in label or table.key in {each.table for each in columns_in(query.select)}:
        return query
    keys = [Col(table.key, name) for name in resolver.key(table)]
    totals = tuple(each for each in query.select if is_total(each))
    order = tuple(each for each in query.order if is_total(each.by))
    return replace(query, select=(*label, *totals), group=tuple(dict.fromkeys((*keys, *label))), order=order)


def _begins_with(said: str, condition: Compare) -> bool:
    """Whether words begin with the value that a condition is of, in one number or the other."""
    value = condition.right.casefold() if isinstance(condition.right, str) else ""
    return condition.operator == "=" and bool(value) and re.match(rf"{re.escape(value)}s?\b", said) is not None


def _is_of_kind(condition: Compare, kinds: set[str]) -> bool:
    value = condition.right
    return condition.operator == "=" and isinstance(value, str) and stem(value.lower()) in kinds
