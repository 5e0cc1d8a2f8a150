"""Things sold in pieces: `how many tickets did we sell` adds up what each sale is of, it does not count the sales; and
the money that these brought is price by pieces, no sum of prices.

Corrections of trees (corrections.py). A count of rows becomes the sum of the one column that tells how many pieces a
row is of (`quantity`), where the question says of just these things that they are sold; a sum of prices becomes that
of price × pieces, where the question says money. Pure.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import MONEY, name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Agg, Col, Product, Query, Ratio, Related, Rows, TableKey, mapped, nodes_in
from pluto_duck_text2sql.trees.resolve import Resolver

_SOLD = Pattern(
    r"\b(?P<thing>[a-z]+)(?: (?:did|do|does|we|they|us|were|was|are|is|have|has|been|being|that|got|get))*"
    r" (?:sold|sell)\b",
    re.IGNORECASE,
)
_SPELT_OUT = Pattern(r"\b(?:times|multipl\w+|by the quantity)\b|[×*]", re.IGNORECASE)
_ORDER_VALUE = Pattern(
    r"\b(?:average|mean|typical) (?P<what>order|sale|purchase|transaction|booking|basket|ticket)s?"
    r" (?:value|worth|amount)\b",
    re.IGNORECASE,
)
_MONEY = Pattern(r"\b(?:money|revenue|turnover|takings|income)\b", re.IGNORECASE)
_PIECES = Pattern(r"\b(?:how many|number|units?|pieces|items|quantity|quantities|copies)\b", re.IGNORECASE)
_ANY = frozenset(map(stem, "number numbers unit item piece copy quantity many".split()))
"""Words that stand for whatever is sold."""
_COMPUTED = frozenset(map(stem, "price quantity discount list unit cost margin profit".split()))
"""What is said of how money is computed."""
_IN_STORE = frozenset(map(stem, "stock inventory warehouse reorder list catalogue catalog".split()))
"""What is said of what may still be sold, and for how much."""
_BROUGHT = MONEY | frozenset(map(stem, "bring brought made make took take value worth".split()))


def in_money(query: Query, question: str, resolver: Resolver) -> Query:
    """The tree with price × pieces in place of the price, where the question says what was brought in, not by what."""
    if _SPELT_OUT.search(question) or _BROUGHT.isdisjoint(token.stem for token in tokenise(question)):
        return query
    products = [each for each in resolver.money() if isinstance(each, Product)]
    sold = [each for each in products if each.price.table == each.quantity.table]
    by = {each.price: each for each in sold}
    if _MONEY.search(question) and not _PIECES.search(question):
        by |= {each.quantity: each for each in sold}
    return mapped(query, partial(_by_pieces, by_price=by)) if by else query


def as_kept(query: Query, question: str, resolver: Resolver) -> Query:
    """The tree with the amount that rows keep in place of price × pieces, where the question says revenue and no more:
    of a net amount and a gross one the one that is said."""
    said = frozenset(token.stem for token in tokenise(question))
    if not _MONEY.search(question) or _SPELT_OUT.search(question) or not said.isdisjoint(_COMPUTED):
        return query
    kept: dict[TableKey, Col] = {}
    amounts = [each for each in resolver.money() if isinstance(each, Col)]
    for each in sorted(amounts, key=lambda amount: said.isdisjoint(name_stems(amount.name))):
        kept.setdefault(each.table, each)

    def stored(node: Any) -> Any:
        return kept.get(node.price.table, node) if isinstance(node, Product) else node

    return mapped(query, stored, (Product,))


def as_sold(query: Query, question: str, resolver: Resolver) -> Query:
    """The tree with what the lines came to in place of any other price × pieces, where the question says revenue and no
    more: a catalogue's price is not what was paid, what lies in stock has brought nothing."""
    said = frozenset(token.stem for token in tokenise(question))
    if not _MONEY.search(question) or _SPELT_OUT.search(question) or not said.isdisjoint(_COMPUTED | _IN_STORE):
        return query
    products = [each for each in resolver.income() if isinstance(each, Product)]
    lines = next((each for each in products if each.price.table == each.quantity.table), None)
    if lines is None or len(products) > 1:
        return query

    def of_lines(node: Any) -> Any:
        is_other = isinstance(node, Product) and {node.price.table, node.quantity.table} != {lines.price.table}
        return lines if is_other else node

    return mapped(query, of_lines, (Product,))


def of_orders(query: Query, question: str, resolver: Resolver, joins: JoinGraph) -> Query:
    """`average order value`: what the lines come to by how many orders there are, not the mean price of a line."""
    said = _ORDER_VALUE.search(question)
    sold = {each.price: each for each in resolver.money() if isinstance(each, Product)} if said else {}

    def worth(node: Any) -> Any:
        of = node.of if isinstance(node, Agg) and node.function == "avg" and not node.where else None
        whole = sold.get(of) if isinstance(of, Col) and said else None
        key = _key_to(of.table, stem(said["what"].lower()), joins) if whole and said and isinstance(of, Col) else None
        return Ratio(Agg("sum", whole), Agg("count", key, distinct=True)) if whole and key else node

    return mapped(query, worth, (Agg,)) if sold else query


def _key_to(lines: TableKey, called: str, joins: JoinGraph) -> Col | None:
    """The column by which lines point to what is called so."""
    steps = (each for each in joins.neighbours(lines) if not each.multiplies and called in table_stems(each.target[1]))
    found = [Col(lines, each.pairs[0][0]) for each in steps]
    return found[0] if len(found) == 1 else None


def _by_pieces(node: Any, by_price: dict[Col, Product]) -> Any:
    is_sum = isinstance(node, Agg) and node.function == "sum" and isinstance(node.of, Col)
    return Agg("sum", by_price[node.of]) if is_sum and node.of in by_price else node


def in_pieces(query: Query, question: str, catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> Query:
    """The tree with pieces in place of sales, where the question says that pieces are."""
    things = {stem(found["thing"].casefold()) for found in _SOLD.finditer(question)}
    if not things or any(_asks_how_often(each) for each in nodes_in(query)):
        return query
    return mapped(query, partial(_summed, things=things, catalog=catalog, joins=joins, resolver=resolver))


def _asks_how_often(node: Any) -> bool:
    """Whether rows are chosen by how many others belong to them: products that were sold only once, or never."""
    return isinstance(node, Related) and bool(node.count or node.negated)


def _summed(node: Any, things: set[str], catalog: Catalog, joins: JoinGraph, resolver: Resolver) -> Any:
    if not isinstance(node, Agg) or node.function != "count" or node.distinct or not isinstance(node.of, Rows):
        return node
    table = node.of.table
    own = _pieces(table, catalog, resolver)
    is_said = not things.isdisjoint((*table_stems(table[1]), *(_ANY if own else ())))
    below = (_pieces(each, catalog, resolver) for each in joins.children(table))
    found = [own] if own else [each for each in below if each]
    return Agg("sum", found[0]) if is_said and len(found) == 1 else node


def _pieces(key: TableKey, catalog: Catalog, resolver: Resolver) -> Col | None:
    table = catalog.table(*key)
    return resolver.pieces(table) if table else None
