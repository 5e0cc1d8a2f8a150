"""Profit and margin, where no column holds them: what came in less what it cost.

Called by computed.py. Of sold lines it is their money less quantity times the cost of the thing sold; where nothing
tells what was sold, a thing's own price less its cost. Tokens in, a measure or a condition out; the answer tells which.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, stem
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Expr,
    Minus,
    Number,
    Product,
    Ratio,
    TableKey,
    Times,
    columns_in,
)
from pluto_duck_text2sql.trees.phrases import counts_pieces
from pluto_duck_text2sql.trees.resolve import Resolver

_LOSS = r"(?:at a loss|(?:for )?less than (?:they|it) costs?(?: us)?|below cost)"
_AT_A_LOSS = Pattern(
    rf"(?:(?:(?:that|which) )?(?:we )?(?:sell|sells|sold|selling|go|goes|priced)(?: for)? {_LOSS}"
    r"|(?:that |which )?(?:are |is )?(?:unprofitable|loss-making|(?:losing|lose|loses) (?:us )?money))(?![^ ])"
)
_IN_PERCENT = Pattern(r"(?:profit|gross|net) margins?|(?:gross |profit )?margins? (?:%|percent(?:age)?|rate)(?![^ ])")
_PROFIT = Pattern(r"(?:(?:gross|net|total|overall) )?(?:profits?|profitability|margins?)(?: margins?)?(?![^ ])")
_WORDS = frozenset(map(stem, "profit profitability margin unprofitable loss".split()))
_OTHER_COSTS = frozenset(map(stem, "shipping freight delivery marketing labor labour repair total".split()))
_BOUGHT = frozenset(map(stem, "purchase buy buying wholesale".split()))
_LEAST = 0.9
_LONGEST = 6


class Profits:
    """Reads profits over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, names: NameIndex, resolver: Resolver) -> None:
        self._catalog, self._joins, self._names, self._resolver = catalog, joins, names, resolver

    def read(self, tokens: Sequence[Token], start: int) -> tuple[int, Expr] | None:
        """`gross profit`, `profit margin`: with where it ends."""
        text = _text(tokens, start)
        percent = _IN_PERCENT.match(text)
        found = percent or _PROFIT.match(text)
        if percent and (margin := self._kept_margin):
            return start + len(percent[0].split()), margin
        if not found or self._is_stored or not self._made:
            return None
        came_in, spent = self._made
        profit = Agg("sum", Minus(came_in, spent))
        measure = Ratio(Times(Number(100), profit), Agg("sum", came_in)) if percent else profit
        return start + len(found[0].split()), measure

    def compare(self, tokens: Sequence[Token], start: int) -> tuple[int, Compare] | None:
        """`sold at a loss`: things whose price is below their cost, with where it ends."""
        found = _AT_A_LOSS.match(_text(tokens, start))
        if not found or self._is_stored or not self._priced:
            return None
        price, cost = self._priced
        return start + len(found[0].split()), Compare(price, "<", cost)

    @cached_property
    def _kept_margin(self) -> Expr | None:
        """What part of the money is profit, where the rows keep both and no margin."""
        if any(each.column and each.score >= _LEAST for each in self._names.find((stem("margin"),))):
            return None
        kept = [
            col for table in self._catalog.tables for col in _numbers(table) if _stems(table, col) == (stem("profit"),)
        ]
        money = [each for each in self._resolver.money() if kept and next(columns_in(each)).table == kept[0].table]
        if len(kept) != 1 or not money:
            return None
        return Ratio(Times(Number(100), Agg("sum", kept[0])), Agg("sum", money[0]))

    @cached_property
    def _is_stored(self) -> bool:
        """Whether a column is called so: that is the profit, then."""
        named = (each for word in _WORDS for each in self._names.find((word,)))
        return any(each.column and each.score >= _LEAST for each in named)

    @cached_property
    def _made(self) -> tuple[Expr, Expr] | None:
        """What came in, and what it cost: of sold lines, else of the things themselves."""
        sold = (made for money in self._resolver.money() if (made := self._of_lines(money)))
        return next(sold, None) or self._priced

    def _of_lines(self, money: Expr) -> tuple[Expr, Expr] | None:
        """The money of a line, and the cost of so many of the thing that it is of."""
        home = next(columns_in(money)).table
        quantity = money.quantity if isinstance(money, Product) else self._quantity(home)
        cost = next((each for each in self._costs if self._is_of(home, each.table)), None)
        return (money, Times(quantity, cost)) if quantity and cost else None

    def _is_of(self, home: TableKey, owner: TableKey) -> bool:
        steps = self._joins.path(home, owner)
        return home == owner or bool(steps and not any(step.multiplies for step in steps))

    def _quantity(self, key: TableKey) -> Col | None:
        table = self._catalog.table(*key)
        return next((each for each in _numbers(table) if counts_pieces(_stems(table, each))), None)

    @cached_property
    def _costs(self) -> list[Col]:
        """What one of a thing costs whoever sells it."""
        return [each for table in self._catalog.tables for each in _numbers(table) if _is_cost(_stems(table, each))]

    @cached_property
    def _priced(self) -> tuple[Col, Col] | None:
        """The price and the cost of the things that have both."""
        for cost in self._costs:
            table = self._catalog.table(*cost.table)
            prices = (each for each in _numbers(table) if stem("price") in _stems(table, each) and each != cost)
            if price := next(prices, None):
                return price, cost
        return None


def _numbers(table: Table | None) -> list[Col]:
    return [Col(table.key, each.name) for each in table.columns if each.kind == "number"] if table else []


def _stems(table: Table | None, column: Col) -> tuple[str, ...]:
    return table.stems(column.name) if table else ()


def _is_cost(stems: Sequence[str]) -> bool:
    is_paid = stem("price") in stems and not _BOUGHT.isdisjoint(stems)
    return is_paid or (stem("cost") in stems and _OTHER_COSTS.isdisjoint(stems))


def _text(tokens: Sequence[Token], start: int) -> str:
    return " ".join(token.lower for token in tokens[start : start + _LONGEST])
