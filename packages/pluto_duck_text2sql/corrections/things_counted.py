"""Things that several rows share are counted once each: `orders per channel` of lines by their `Order ID`.

Called by `corrections` for every tree. Which things there are tells data/things.py; a question counts what follows its
words for a number. `average order value` of lines is what they come to by how many orders there are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.things import Thing
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Agg, Col, Nested, Product, Query, Ratio, Rows, columns_in, mapped
from pluto_duck_text2sql.trees.resolve import Resolver

_OF = r"(?:(?:different|distinct|unique|of|our|the|all|new|total|separate|individual) )*"
_N = r"(?:\d+|a|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_WHOLE = r"(?! (?:lines?|items?|rows?|dates?|ids?|numbers?|values?|totals?|amounts?)\b)"
_SHOWN = Pattern(
    r"\b(?:how many|number of|count(?: of)?|percent(?:age)? of|% of|share of|proportion of)"
    rf" {_OF}(?P<noun>[a-z]+)\b{_WHOLE}"
    r"|^(?:(?:total|monthly|daily|weekly|yearly) )*(?P<lead>[a-z]+) (?:by|per|for each|each|in each|over)\b",
    re.IGNORECASE,
)
_RANKED = "".join(f"(?<!{each} )" for each in "top bottom best worst first last latest next biggest largest".split())
_BOUND = Pattern(
    rf"\b(?:(?:the )?(?:most|fewest|least)|(?:more|fewer|less) than {_N}|at least {_N}|at most {_N}|over {_N}|exactly"
    rf" {_N}|(?:just|only) {_N}|{_N} or (?:more|fewer)|{_RANKED}{_N}) {_OF}(?P<noun>[a-z]+)\b{_WHOLE}",
    re.IGNORECASE,
)
_ORDERS = frozenset(map(stem, "order invoice receipt purchase transaction sale basket cart".split()))
_TILL = "order|invoice|receipt|purchase|transaction|sale|basket|cart"
_VALUE = Pattern(
    rf"\b(?:average|mean|avg|typical) (?:(?P<what>{_TILL})s? (?:values?|totals?|amounts?|sizes?|worth)"
    rf"|(?:sales|revenue|amount|value|spend|spending) per (?P<each>{_TILL}))\b",
    re.IGNORECASE,
)


_PIECES = Pattern(
    rf"\b(?:average|mean|avg|typical|on average)\b.*\b(?:items?|units?|pieces?|products?|articles?|things?)\b.*?"
    rf" (?:per|in each|in an?|of an?|an?|each|every) (?P<each>{_TILL})\b",
    re.IGNORECASE,
)


def pieces_of_each(query: Query, question: str, things: Sequence[Thing], resolver: Resolver, catalog: Catalog) -> Query:
    """`average items per order` of lines: their pieces by how many orders there are."""
    said = _PIECES.search(question)
    keys = {each.stems[0]: each.key for each in things if each.stems[0] in _ORDERS} if said else {}
    key = keys.get(stem(said["each"].lower())) if said else None
    table = catalog.table(*key.table) if key else None
    pieces = resolver.pieces(table) if table else None

    def of_each(node: Any) -> Any:
        is_mean = isinstance(node, Agg) and node.function == "avg"
        inner = node.of.query.select[0] if is_mean and isinstance(node.of, Nested) else node
        if key is None or not is_mean or not isinstance(inner, Agg) or inner.of != pieces:
            return node
        return Ratio(Agg("sum", inner.of, where=node.where), Agg("count", key, distinct=True, where=node.where))

    return mapped(query, of_each, (Agg,)) if pieces else query


def counted_once(query: Query, question: str, things: Sequence[Thing]) -> Query:
    """The tree with things counted once each where the question counts them."""
    known = {each.stems[0]: each.key for each in reversed(things) if len(each.stems) == 1}
    shown, bound = _said(_SHOWN, question, known), _said(_BOUND, question, known)
    first, second = shown or bound, bound or shown
    if first is None or second is None:
        return query
    select = mapped(query.select, partial(_once, key=first))
    rest = [mapped(each, partial(_once, key=second)) for each in (query.having, query.order)]
    return replace(query, select=select, having=rest[0], order=rest[1])


def owners_once(query: Query, question: str, joins: JoinGraph) -> Query:
    """`number of customers by country` among invoices: each customer that an invoice points at, once."""
    nouns = {stem(found["noun"].lower()) for found in _SHOWN.finditer(question) if found["noun"]}

    def counted(node: Any) -> Any:
        of = node.of if isinstance(node, Agg) and node.function == "count" and not node.distinct else None
        if not isinstance(of, Col):
            return node
        owner = joins.pointed(of).table
        is_said = owner != of.table and table_stems(owner[1])[-1] in nouns
        return replace(node, distinct=True) if is_said and table_stems(of.table[1])[-1] not in nouns else node

    made: Query = mapped(query, counted, (Agg,)) if nouns else query
    return made


def _said(pattern: Pattern, question: str, known: Mapping[str, Col]) -> Col | None:
    """The key of the first thing that is said so."""
    nouns = (noun for found in pattern.finditer(question) for noun in found.groupdict().values() if noun)
    return next((known[stem(noun.lower())] for noun in nouns if stem(noun.lower()) in known), None)


def _once(node: Any, key: Col) -> Any:
    """A number of rows, or of values that are no keys, as one of different keys."""
    if not isinstance(node, Agg) or node.function != "count":
        return node
    if node.of == key:
        return replace(node, distinct=True)
    is_rows = isinstance(node.of, Rows) and node.of.table == key.table
    is_other = isinstance(node.of, Col) and node.distinct and _is_of_it(node.of, key)
    return replace(node, of=key, distinct=True) if is_rows or is_other else node


def _is_of_it(other: Col, key: Col) -> bool:
    """Whether a column is called after the same thing: `Order Date` beside `Order ID`."""
    return other.table == key.table and other.name.casefold()[:4] == key.name.casefold()[:4]


def worth_of_each(query: Query, question: str, things: Sequence[Thing], resolver: Resolver) -> Query:
    """`average order value` of lines: their money by how many orders there are."""
    said = _VALUE.search(question)
    keys = {each.stems[0]: each.key for each in things if each.stems[0] in _ORDERS} if said else {}
    key = keys.get(stem((said["what"] or said["each"]).lower())) or next(iter(keys.values()), None) if said else None
    money = {each.price if isinstance(each, Product) else each: each for each in resolver.money()} if key else {}

    def worth(node: Any) -> Any:
        is_mean = isinstance(node, Agg) and node.function == "avg" and isinstance(node.of, Col | Product)
        whole = money.get(node.of.price if isinstance(node.of, Product) else node.of) if is_mean else None
        if key is None or whole is None or next(columns_in(whole)).table != key.table:
            return node
        return Ratio(Agg("sum", whole, where=node.where), Agg("count", key, distinct=True, where=node.where))

    return mapped(query, worth, (Agg,)) if money else query
