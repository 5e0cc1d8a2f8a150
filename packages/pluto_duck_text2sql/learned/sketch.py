"""A query as a line of words, which the network writes: `count Singer where Singer.age > 56`.

No tables to join are in it: they follow from the columns. `grammar.py` says which word may follow which; here a line
becomes a query tree. The idea of leaving FROM and ON out is NatSQL's and SemQL's (Gan et al. 2021, Guo et al. 2019).

    month Order.day growth% sum times Item.price Item.quantity group month Order.day     growth in percent by month
    Product.name group Product.name desc sum Item.quantity nth 2                         the second best seller
    City.name Shop.name desc Shop.sales top1 per City.name                               each city's best shop
    avg from ( sum Item.quantity group Item.order_id )                                   the average order's pieces
    ratio% count Order if Order.day during <2013> fi count Order                         the part of orders in 2013
    month firstof Order.day Customer.id count Customer group month firstof ...           new customers by month
    Track.name where Track.ms > own Track.genre avg Track.ms                             longer than its genre's average
    Customer.name group Customer.id having max Order.day < <2020>                        no order since 2020 began
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.learned.line import SETS, Malformed, Val, Word, whole
from pluto_duck_text2sql.learned.tested import Tested
from pluto_duck_text2sql.tree import Agg, Expr, Nested, Order, Query, Rows, SetOperator, TableKey, columns_in

__all__ = ["Malformed", "Val", "Word", "to_query"]


def to_query(line: Sequence[Word], catalog: Catalog, today: dt.date | None = None) -> Query:
    """The tree of a line of words; periods count from `today` or the data's last day. Raises Malformed."""
    if list(line) == ["nothing"]:
        raise Malformed("the data holds nothing that answers")
    reader = _Reader(list(line), catalog, today or dt.date.today())
    query = reader.query()
    if reader.peek() is not None:
        raise Malformed(f"{reader.peek()!r} follows the end")
    return query


class _Reader(Tested):
    """Reads one line from left to right."""

    def query(self) -> Query:
        query = self._core()
        operator = self.take(*SETS)
        return replace(query, then=(cast(SetOperator, operator), self.query())) if operator else query

    def nested(self) -> Query:
        outer = self.keys
        self.need("(")
        query = self.query()
        self.need(")")
        self.keys = outer
        return query

    def _core(self) -> Query:
        self.keys = self._keys_ahead()
        distinct = self.take("distinct") is not None
        select = [self.item()]
        while self.starts_item():
            select.append(self.item())
        where = self.conditions() if self.take("where") else ()
        group = self._keys("group")
        having = self.conditions() if self.take("having") else ()
        query = Query(("", ""), tuple(select), where, group, having, distinct=distinct, flat=True)
        return self._anchored(replace(self._ordered(query), also=self._also()))

    def _keys_ahead(self) -> tuple[Expr, ...]:
        """The group keys, read before what is shown, which growth counts along."""
        place, here = self.ahead("group", *SETS), self._at
        if place is None:
            return ()
        self._at = place
        keys = self._keys("group")
        self._at = here
        return keys

    def _keys(self, before: str) -> tuple[Expr, ...]:
        if not self.take(before):
            return ()
        keys = [self.key()]
        while self.starts_key():
            keys.append(self.key())
        return tuple(keys)

    def _ordered(self, query: Query) -> Query:
        """With its order, how many rows of it are wanted, and of what each."""
        orders: list[Order] = []
        while word := self.take("asc", "desc"):
            orders.append(Order(self.value(), word == "desc"))
        query = replace(query, order=tuple(orders))
        word = self.take("top1", "limit", "nth")
        if word is None:
            return query
        limit = 1 if word == "top1" else whole(self.raw())
        return replace(query, limit=limit, nth=word == "nth", per=self._keys("per"))

    def _also(self) -> tuple[TableKey, ...]:
        if not self.take("join"):
            return ()
        tables = [self.rows().table]
        while isinstance(self.peek(), Rows):
            tables.append(self.rows().table)
        return tuple(tables)

    @staticmethod
    def _anchored(query: Query) -> Query:
        """With the table it begins at: of the first column it names, else of a query aggregated over."""
        over = [each.of.query for each in query.select if isinstance(each, Agg) and isinstance(each.of, Nested)]
        if over and query.group:
            raise Malformed("an aggregate over a query is of the whole, not of groups")
        first = next(columns_in((query.select, query.where, query.group)), None)
        if first is None and not over:
            raise Malformed("no column and no table")
        return replace(query, anchor=first.table if first else over[0].anchor)
