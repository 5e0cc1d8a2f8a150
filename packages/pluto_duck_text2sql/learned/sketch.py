"""A query as a line of words, which the network writes: `count Singer where Singer.age > 56`.

No tables to join are in it: they follow from the columns. `grammar.py` says which word may follow which; here a line
becomes a query tree. The idea of leaving FROM and ON out is NatSQL's and SemQL's (Gan et al. 2021, Guo et al. 2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    Either,
    Every,
    Expr,
    Function,
    Inside,
    Missing,
    Operator,
    Order,
    Query,
    Rows,
    SetOperator,
    columns_in,
)

AGGREGATES = ("count", "countd", "sum", "avg", "min", "max")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
PATTERNS = ("has", "hasnot", "starts", "ends")
SETS = ("union", "intersect", "except")


@dataclass(frozen=True)
class Val:
    """A value of the question: as stored where it is, a number where it is one."""

    value: Any


Word: TypeAlias = str | Col | Rows | Val


class Malformed(ValueError):
    """The line is no query."""


def to_query(line: Sequence[Word], catalog: Catalog) -> Query:
    """The tree of a line of words. Raises Malformed."""
    reader = _Reader(list(line), catalog)
    query = reader.query()
    if reader.peek() is not None:
        raise Malformed(f"{reader.peek()!r} follows the end")
    return query


class _Reader:
    """Reads one line from left to right."""

    def __init__(self, line: list[Word], catalog: Catalog) -> None:
        self._line = line
        self._at = 0
        self._catalog = catalog

    def peek(self) -> Word | None:
        return self._line[self._at] if self._at < len(self._line) else None

    def _next(self) -> Word:
        word = self.peek()
        if word is None:
            raise Malformed("ends too early")
        self._at += 1
        return word

    def _take(self, *words: str) -> str | None:
        word = self.peek()
        if isinstance(word, str) and word in words:
            self._at += 1
            return word
        return None

    def query(self) -> Query:
        query = self._core()
        operator = self._take(*SETS)
        return replace(query, then=(cast(SetOperator, operator), self.query())) if operator else query

    def _core(self) -> Query:
        distinct = self._take("distinct") is not None
        select = [self._item()]
        while self._starts_item():
            select.append(self._item())
        where = self._conditions() if self._take("where") else ()
        group: list[Expr] = []
        if self._take("group"):
            while isinstance(self.peek(), Col):
                group.append(self._column())
        having = self._conditions() if self._take("having") else ()
        order, limit = self._orders()
        also = self._also()
        anchor = self._anchor(select, where, group)
        return Query(anchor, tuple(select), where, tuple(group), having, order, limit, distinct, (), True, also)

    def _starts_item(self) -> bool:
        word = self.peek()
        return isinstance(word, Col) or (isinstance(word, str) and word in (*AGGREGATES, "*"))

    def _item(self) -> Expr:
        if self._take("*"):
            return self._rows()
        function = self._take(*AGGREGATES)
        if function is None:
            return self._column()
        if function == "count" and isinstance(self.peek(), Rows):
            return Agg("count", self._rows())
        column = self._column()
        return Agg("count", column, True) if function == "countd" else Agg(cast(Function, function), column)

    def _column(self) -> Col:
        word = self._next()
        if not isinstance(word, Col):
            raise Malformed(f"{word!r} where a column belongs")
        return word

    def _rows(self) -> Rows:
        word = self._next()
        if not isinstance(word, Rows):
            raise Malformed(f"{word!r} where a table belongs")
        return word

    def _conditions(self) -> tuple[Cond, ...]:
        """Conditions joined by `and`, which binds tighter, and `or`."""
        groups: list[list[Cond]] = [[self._condition()]]
        while word := self._take("and", "or"):
            if word == "or":
                groups.append([])
            groups[-1].append(self._condition())
        if len(groups) == 1:
            return tuple(groups[0])
        return (Either(tuple(each[0] if len(each) == 1 else Every(tuple(each)) for each in groups)),)

    def _condition(self) -> Cond:
        left = self._item()
        word = self._next()
        if word in ("null", "notnull") and isinstance(left, Col):
            return Missing(left, word == "notnull")
        if word in ("in", "notin") and isinstance(left, Col):
            return Inside(left, self._nested(), word == "notin")
        if word in PATTERNS:
            return self._pattern(left, str(word))
        if word == "between":
            return Every((Compare(left, ">=", self._value(left)), Compare(left, "<=", self._value(left))))
        if word not in COMPARISONS:
            raise Malformed(f"{word!r} where a comparison belongs")
        return Compare(left, cast(Operator, word), self._right(left))

    def _pattern(self, left: Expr, word: str) -> Compare:
        text = str(self._raw())
        pattern = {"starts": f"{text}%", "ends": f"%{text}"}.get(word, f"%{text}%")
        return Compare(left, "not like" if word == "hasnot" else "like", pattern)

    def _right(self, left: Expr) -> Any:
        if self.peek() == "(":
            return self._nested()
        return self._column() if isinstance(self.peek(), Col) else self._value(left)

    def _nested(self) -> Query:
        if not self._take("("):
            raise Malformed("a nested query begins with (")
        query = self.query()
        if not self._take(")"):
            raise Malformed("a nested query ends with )")
        return query

    def _raw(self) -> Any:
        word = self._next()
        if not isinstance(word, Val):
            raise Malformed(f"{word!r} where a value belongs")
        return word.value

    def _value(self, left: Expr) -> Any:
        """The value as its column keeps it: a number for numbers, a text for texts."""
        value = self._raw()
        if not isinstance(left, Col):
            return _number(value)
        table = self._catalog.table(*left.table)
        column = table.column(left.name) if table else None
        if column is None or column.kind == "number":
            return _number(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return str(value)

    def _orders(self) -> tuple[tuple[Order, ...], int | None]:
        orders: list[Order] = []
        while word := self._take("asc", "desc"):
            orders.append(Order(self._item(), word == "desc"))
        if self._take("top1"):
            return tuple(orders), 1
        if self._take("limit"):
            return tuple(orders), int(_number(self._raw()))
        return tuple(orders), None

    def _also(self) -> tuple[tuple[str, str], ...]:
        tables = []
        if self._take("join"):
            while isinstance(self.peek(), Rows):
                tables.append(self._rows().table)
        return tuple(tables)

    @staticmethod
    def _anchor(select: list[Expr], where: tuple[Cond, ...], group: list[Expr]) -> tuple[str, str]:
        return next(columns_in((*select, *where, *group))).table


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise Malformed(f"{value!r} is no number") from error
