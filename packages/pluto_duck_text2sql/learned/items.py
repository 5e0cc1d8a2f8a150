"""What a sketch shows, groups by and sorts by: columns, aggregates, buckets of time, and what is computed of them."""

from __future__ import annotations

import datetime as dt
from abc import abstractmethod
from typing import cast

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.learned.line import (
    AGGREGATES,
    ARITHMETIC,
    COMPUTED,
    FIRSTS,
    GRAINS,
    MORE_AGGREGATES,
    WINDOWS,
    Line,
    Malformed,
    Word,
    number,
    whole,
)
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Cond,
    Days,
    Expr,
    First,
    Function,
    Grain,
    Growth,
    Minus,
    Nested,
    Product,
    Query,
    Ratio,
    Rows,
    Running,
    Share,
)

_YEAR_EARLIER = {"day": 365, "week": 52, "month": 12, "quarter": 4, "year": 1}
_BEGINNINGS = frozenset((*AGGREGATES, *MORE_AGGREGATES, *COMPUTED, *GRAINS, *WINDOWS, *ARITHMETIC, "*"))


class Items(Line):
    """Reads items; what conditions and nested queries are, others know."""

    def __init__(self, words: list[Word], catalog: Catalog, today: dt.date) -> None:
        super().__init__(words)
        self.catalog = catalog
        self.today = today
        self.keys: tuple[Expr, ...] = ()

    @abstractmethod
    def condition(self) -> Cond:
        """One condition."""

    @abstractmethod
    def nested(self) -> Query:
        """A query in brackets."""

    def starts_item(self) -> bool:
        """Whether an item comes next."""
        word = self.peek()
        return isinstance(word, Col) or (isinstance(word, str) and word in _BEGINNINGS)

    def item(self) -> Expr:
        """One item: a value, or all columns of a table. Raises Malformed."""
        return self.rows() if self.take("*") else self.value()

    def value(self) -> Expr:
        """What is shown in one column. Raises Malformed."""
        if word := self.take(*WINDOWS):
            return self._window(word)
        if word := self.take(*ARITHMETIC):
            return self._arithmetic(word)
        if grain := self.take(*GRAINS):
            return Bucket(cast(Grain, grain), self.date())
        if word := self.take(*AGGREGATES, *MORE_AGGREGATES):
            return self._aggregate(word)
        return self._computed() or self.column()

    def starts_key(self) -> bool:
        """Whether a group key comes next."""
        word = self.peek()
        return isinstance(word, Col) or (isinstance(word, str) and word in GRAINS)

    def key(self) -> Expr:
        """A column or a bucket of time. Raises Malformed."""
        grain = self.take(*GRAINS)
        return Bucket(cast(Grain, grain), self.date()) if grain else self.column()

    def date(self) -> Col | First:
        """A date column, or each key's first or last date. Raises Malformed."""
        word = self.take(*FIRSTS)
        return First(self.column(), self.column(), word == "lastof") if word else self.column()

    def _computed(self) -> Expr | None:
        word = self.take(*COMPUTED)
        if word == "days":
            return Days(self.column(), self.column())
        if word == "times":
            return Product(self.column(), self.column())
        return Product(self.column(), self.column(), self.column()) if word else None

    def aggregate(self) -> Agg:
        """An aggregate. Raises Malformed."""
        word = self.take(*AGGREGATES, *MORE_AGGREGATES)
        if word is None:
            raise Malformed(f"{self.peek()!r} where an aggregate belongs")
        return self._aggregate(word)

    def _aggregate(self, word: str) -> Agg:
        at = self._fraction() if word == "quantile" else 0.5
        is_rows = word == "count" and isinstance(self.peek(), Rows)
        of: Expr = self.rows() if is_rows else self._argument()
        function = cast(Function, "count" if word == "countd" else word)
        return Agg(function, of, word == "countd", self._filter(), at)

    def _fraction(self) -> float:
        """Of a quantile: a number above 1 is a percentage."""
        found = number(self.raw())
        found = found / 100 if found > 1 else found
        if not 0 <= found <= 1:
            raise Malformed(f"{found} is no fraction")
        return found

    def _argument(self) -> Expr:
        if not self.take("from"):
            return self._computed() or self.column()
        query = self.nested()
        if len(query.select) != 1 or isinstance(query.select[0], Rows):
            raise Malformed("a query aggregated over shows one value")
        return Nested(query)

    def _filter(self) -> tuple[Cond, ...]:
        if not self.take("if"):
            return ()
        conditions = [self.condition()]
        while self.take("&"):
            conditions.append(self.condition())
        self.need("fi")
        return tuple(conditions)

    def _arithmetic(self, word: str) -> Expr:
        first, second = self.value(), self.value()
        if word == "minus":
            return Minus(first, second)
        scale = 100 if word.endswith("%") else 1
        return Ratio(first, second, scale) if word.startswith("ratio") else Ratio(Minus(second, first), first, scale)

    def _window(self, word: str) -> Expr:
        """A share of all groups, or what a bucket of time is beside the ones before it."""
        last = whole(self.raw()) if word == "moving" else None
        of = self.value()
        scale = 100 if word.endswith("%") else 1
        if word.startswith("share"):
            return Share(of, scale)
        over = next((key for key in self.keys if isinstance(key, Bucket)), None)
        if over is None:
            raise Malformed(f"{word} needs a group by time")
        by = tuple(key for key in self.keys if key != over)
        if word in ("running", "moving"):
            return Running(of, over, last, by)
        return Growth(of, over, self._lag(word, over), scale, by)

    @staticmethod
    def _lag(word: str, over: Bucket) -> int:
        if not word.startswith("yoy"):
            return 1
        if over.grain not in _YEAR_EARLIER:
            raise Malformed(f"no year lies between two of {over.grain}")
        return _YEAR_EARLIER[over.grain]
