"""What a price is: `the average price of a treatment` is that of the list, or of what was really charged.

A thing that is kept with its price, and whose sales are kept with the price of each: of a thing that is sold a price is
said with either in mind, of the things that are kept (`product price`, `all wines`) with their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, full_name, only_total
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import root, stem, tokenise
from pluto_duck_text2sql.tree import Col, Query
from pluto_duck_text2sql.trees.parts import swapped
from pluto_duck_text2sql.trees.resolve import happens

_ASKED = "Which price do you mean?"
_SAID = Pattern(
    r"\b(?:list|listed|standard|catalog(?:ue)?|regular|usual|current|paid|charged|actual|real|sold|unit|retail|market"
    r"|agreed)\b",
    re.IGNORECASE,
)
_ONE = Pattern(r"\b(?:price|cost|fee|rate|rent|charge|tariff|fare) (?:of|for) an? ", re.IGNORECASE)
"""A treatment, any that is given: those that are kept are `the treatments`, `all treatments`."""
_PRICES = frozenset(map(stem, "price cost fee rate rent charge charged tariff fare".split()))


def which_price(question: str, query: Query, data: Data) -> Opening | None:
    """The price of the things by which a tree averages, and the price for which they were sold."""
    total = only_total(query)
    price = total.of if total and total.function == "avg" else None
    if not isinstance(price, Col) or _SAID.search(question) or not _is_price(price, data):
        return None
    if happens(data.table(price.table)) or _is_said(question, price, data) or _are_kept(question, price, data):
        return None
    sold = [each for each in _sold(price, data) if data.carries(query, each.table)]
    ways = [(full_name(each), replace(swapped(query, price, each), anchor=each.table)) for each in sold]
    return Opening(_ASKED, ((full_name(price), query), *ways)) if len(ways) == 1 else None


def _is_said(question: str, price: Col, data: Data) -> bool:
    """Whether the question says the price's whole name, of more than one word: `hourly rate`."""
    name = {root(each) for each in data.table(price.table).stems(price.name)}
    return len(name) > 1 and name <= {root(token.stem) for token in tokenise(question)}


def _are_kept(question: str, price: Col, data: Data) -> bool:
    """Whether the question names the things that are kept, as more than any of them."""
    named = (each for token in tokenise(question) for each in data.names.find((token.stem,)))
    is_named = any(each.column is None and each.table.key == price.table for each in named)
    return is_named and not _ONE.search(question)


def _sold(price: Col, data: Data) -> Iterator[Col]:
    """The prices of what points at the things and happens."""
    for home in data.joins.children(price.table):
        own = [Col(home, each.name) for each in data.table(home).columns]
        prices = [each for each in own if _is_price(each, data)]
        if len(prices) == 1 and data.day(home):
            yield prices[0]


def _is_price(col: Col, data: Data) -> bool:
    table = data.table(col.table)
    is_number = data.column(col).kind == "number" and not data.resolver.is_key(table, col.name)
    return is_number and not _PRICES.isdisjoint(table.stems(col.name))
