"""How many or how much: `what were the donations in 2024` are their number, or what they add up to.

Asked where the rows are what was paid or given, and no word says a number or an amount of them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import Agg, Col, Expr, Order, Query, Rows, TableKey, is_total
from pluto_duck_text2sql.trees.phrases import said_as, shown_name

_ASKED = "How many {0}, or how much they come to?"
_PAID = (
    r"(?:the |our |all )?(?P<what>donations|payments|refunds|purchases|deposits|withdrawals|contributions|pledges"
    r"|expenses|fines|tips|grants|royalties|fees|sales)"
)
_BARE = Pattern(
    rf"^\W*(?:what (?:were|are|was|is) {_PAID}(?= (?:per|by|in|during|from|for|each|every)\b)"
    rf"|{_PAID.replace('what', 'alone')}(?= (?:in|during|from|for)\b)"
    r"|(?:the |our |all )?(?P<money>royalties|fees|sales|fines|tips|expenses)(?= (?:per|by|each|every)\b))",
    re.IGNORECASE,
)
_SAID = Pattern(
    r"[$€£%]|\b(?:total|sum|average|mean|median|amounts?|values?|money|numbers?|counts?|highest|lowest|most|least|best"
    r"|worst|top|share|percentage|percent|growth|change|running|cumulative|over|above|below|under)\b",
    re.IGNORECASE,
)

_AMOUNTS = frozenset(map(stem, "amount amt value sum total cost price gross net".split()))


def number_or_amount(question: str, query: Query, data: Data) -> Opening | None:
    """The number of the rows, and each amount that they add up to."""
    said = _BARE.match(question)
    if said is None or _SAID.search(question) or not _is_plain(query):
        return None
    word = (said["what"] or said["alone"] or said["money"]).lower()
    key = next((each.key for each in data.catalog.tables if stem(word) in table_stems(each.name)[-1:]), None)
    key = key or _kept_by(word, data)
    amounts = _amounts(key, data) if key else []
    if key is None or not amounts or not data.carries(query, key):
        return None
    count: Expr = Agg("count", Rows(key))
    ways = [(f"number of {shown_name(key)}", count), *((said_as(each), Agg("sum", each)) for each in amounts)]
    told = tuple((name, _telling(query, key, total)) for name, total in ways)
    return Opening(_ASKED.format(word), told)


def _kept_by(word: str, data: Data) -> TableKey | None:
    """The only rows of what happens that keep an amount called so: refunds, of returns; what a column is called as is
    that amount."""
    happening = (each for each in data.catalog.tables if data.day(each.key))
    called = ((each, [each.stems(col.name) for col in _numbers(each)]) for each in happening)
    named = (each for each, names in called if any(stem(word) in name and len(name) > 1 for name in names))
    found = [each.key for each in named]
    return found[0] if len(found) == 1 else None


def _numbers(table: Table) -> list[Column]:
    return [each for each in table.columns if each.kind == "number"]


def _amounts(key: TableKey, data: Data) -> list[Col]:
    """What the rows of a table keep of money."""
    table = data.table(key)
    named = (each for each in _numbers(table) if not _AMOUNTS.isdisjoint(table.stems(each.name)))
    return [Col(key, each.name) for each in named]


def _is_plain(query: Query) -> bool:
    """Whether a tree lists rows, or tells one figure of them."""
    totals = sum(map(is_total, query.select))
    return query.then is None and not query.having and (totals == 1 if query.group else totals in (0, 1))


def _telling(query: Query, key: TableKey, total: Expr) -> Query:
    """The tree over the rows of a table, with a figure in the place of its own, or of the rows that it lists."""
    shown = tuple(each for each in query.select if query.group and not is_total(each))
    order = tuple(Order(total, each.descending) if is_total(each.by) else each for each in query.order if shown)
    bare = replace(query, anchor=key, select=(*shown, total), order=order, distinct=False)
    return bare if shown else replace(bare, limit=None)
