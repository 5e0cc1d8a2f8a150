"""Expected SQL of a training question as a sketch, so that the network can learn to write it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlglot
from sqlglot import exp

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.sketch import Val, Word
from pluto_duck_text2sql.tree import Col, Rows, TableKey

_COMPARISONS = {exp.EQ: "=", exp.NEQ: "!=", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_AGGREGATES = {exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max"}
_SETS = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}


class Beyond(ValueError):
    """The query is outside what sketches say: a self join, arithmetic, a query in FROM."""


def to_sketch(sql: str, catalog: Catalog, joins: JoinGraph) -> list[Word]:
    """The sketch of a SELECT. Raises Beyond."""
    return _query(sqlglot.parse_one(sql, dialect="duckdb"), catalog, joins)


def _query(tree: Any, catalog: Catalog, joins: JoinGraph) -> list[Word]:
    while isinstance(tree, exp.Subquery | exp.Paren):
        tree = tree.this
    for kind, word in _SETS.items():
        if isinstance(tree, kind):
            return [*_query(tree.this, catalog, joins), word, *_query(tree.expression, catalog, joins)]
    if not isinstance(tree, exp.Select):
        raise Beyond(type(tree).__name__)
    return _Select(tree, catalog, joins).words()


class _Select:
    def __init__(self, tree: exp.Select, catalog: Catalog, joins: JoinGraph) -> None:
        self._tree, self._catalog, self._joins = tree, catalog, joins
        self._aliases: dict[str, TableKey] = {}
        source = tree.args.get("from_") or tree.args.get("from")
        if source is None or tree.args.get("qualify"):
            raise Beyond("no FROM, or QUALIFY")
        for each in [source.this, *(join.this for join in tree.args.get("joins") or ())]:
            self._add(each)

    def _add(self, source: Any) -> None:
        if not isinstance(source, exp.Table):
            raise Beyond("a query in FROM")
        found = [table for table in self._catalog.tables if table.name.casefold() == source.name.casefold()]
        if not found:
            raise Beyond(f"no table {source.name}")
        if found[0].key in self._aliases.values():
            raise Beyond("a self join")
        self._aliases[(source.alias or source.name).casefold()] = found[0].key

    def words(self) -> list[Word]:
        tree = self._tree
        line: list[Word] = ["distinct"] if tree.args.get("distinct") else []
        for each in tree.expressions:
            line += self._item(each)
        if where := tree.args.get("where"):
            line += ["where", *self._conditions(where.this)]
        if group := tree.args.get("group"):
            line += ["group", *(word for each in group.expressions for word in self._item(each))]
        if having := tree.args.get("having"):
            line += ["having", *self._conditions(having.this)]
        if order := tree.args.get("order"):
            for each in order.expressions:
                line += ["desc" if each.args.get("desc") else "asc", *self._item(each.this)]
        if limit := tree.args.get("limit"):
            number = float(limit.expression.name)
            line += ["top1"] if number == 1 else ["limit", Val(number)]
        return self._joined(line)

    def _joined(self, line: list[Word]) -> list[Word]:
        """Which table `count` and `*` are of, and tables nothing else names."""
        line = list(line)
        tables = set(self._aliases.values())
        named = {word.table for word in outer(line) if isinstance(word, Col)}
        missing = tables - self._reached(named)
        for place, word in enumerate(line):
            if word is _ROWS:
                line[place] = Rows(self._counted(missing or tables))
        named |= {word.table for word in outer(line) if isinstance(word, Rows)}
        left = sorted(tables - self._reached(named))
        for each in list(left):
            if tables <= self._reached(named | set(left) - {each}):
                left.remove(each)
        return [*line, "join", *(Rows(each) for each in left)] if left else line

    def _reached(self, named: set[TableKey]) -> set[TableKey]:
        if not named:
            return set()
        first = sorted(named)[0]
        steps = self._joins.tree(first, named)
        return named | {step.target for step in steps or ()}

    def _counted(self, among: set[TableKey]) -> TableKey:
        """The table whose rows the joined rows are: the one that points to the others."""
        tables = sorted(among)
        children = [
            table
            for table in tables
            if not any(step.target in among and step.multiplies for step in self._joins.neighbours(table))
        ]
        return (children or tables)[0]

    def _item(self, item: Any) -> list[Word]:
        while isinstance(item, exp.Alias | exp.Paren | exp.Cast | exp.TryCast | exp.AnyValue | exp.IgnoreNulls):
            item = item.this
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
            return ["*", _ROWS]
        if isinstance(item, exp.Column):
            return [self._column(item)]
        if isinstance(item, exp.Count):
            return self._count(item.this)
        for kind, word in _AGGREGATES.items():
            if isinstance(item, kind):
                if isinstance(item.this, exp.Distinct):
                    raise Beyond("a distinct aggregate")
                inner = self._item(item.this)
                if len(inner) != 1:
                    raise Beyond("nested aggregates")
                return [word, *inner]
        raise Beyond(type(item).__name__)

    def _count(self, of: Any) -> list[Word]:
        if isinstance(of, exp.Star) or of is None:
            return ["count", _ROWS]
        if isinstance(of, exp.Distinct):
            if len(of.expressions) != 1:
                raise Beyond("count of several")
            return ["countd", *self._item(of.expressions[0])]
        return ["count", *self._item(of)]

    def _column(self, column: exp.Column) -> Col:
        key = self._aliases.get(column.table.casefold()) if column.table else None
        keys = [key] if key else [] if column.table else list(self._aliases.values())
        for each in keys:
            table = self._catalog.table(*each)
            found = table.column(column.name) if table else None
            if found:
                return Col(each, found.name)
        raise Beyond(f"no column {column.sql()}")

    def _conditions(self, tree: Any) -> list[Word]:
        if isinstance(tree, exp.Paren):
            if isinstance(tree.this, exp.Or) and isinstance(tree.parent, exp.And):
                raise Beyond("or within and")
            return self._conditions(tree.this)
        for kind, word in ((exp.And, "and"), (exp.Or, "or")):
            if isinstance(tree, kind):
                return [*self._conditions(tree.this), word, *self._conditions(tree.expression)]
        return self._condition(tree)

    def _condition(self, tree: Any) -> list[Word]:
        negated = isinstance(tree, exp.Not)
        tree = tree.this if negated else tree
        while isinstance(tree, exp.Paren):
            tree = tree.this
        if isinstance(tree, exp.In):
            return self._in(tree, negated)
        if isinstance(tree, exp.Like | exp.ILike):
            return self._like(tree, negated or bool(tree.args.get("negate")))
        if isinstance(tree, exp.Is):
            return [*self._item(tree.this), "notnull" if negated else "null"]
        if isinstance(tree, exp.Between) and not negated:
            ends = [*self._value(tree.args["low"]), *self._value(tree.args["high"])]
            return [*self._item(tree.this), "between", *ends]
        for kind, word in _COMPARISONS.items():
            if isinstance(tree, kind) and not negated:
                return self._compare(tree, word)
        raise Beyond(type(tree).__name__)

    def _compare(self, tree: Any, word: str) -> list[Word]:
        left, right = tree.this, tree.expression
        if isinstance(left, exp.Literal):
            left, right, word = right, left, _FLIPPED[word]
        return [*self._item(left), word, *self._right(right)]

    def _right(self, right: Any) -> list[Word]:
        while isinstance(right, exp.Paren):
            right = right.this
        if isinstance(right, exp.Subquery | exp.Select):
            return ["(", *_query(right, self._catalog, self._joins), ")"]
        if isinstance(right, exp.Column) and right.table:
            return [self._column(right)]
        return self._value(right)

    def _in(self, tree: exp.In, negated: bool) -> list[Word]:
        query = tree.args.get("query")
        if query is None:
            raise Beyond("a list of values")
        inner = _query(query, self._catalog, self._joins)
        return [*self._item(tree.this), "notin" if negated else "in", "(", *inner, ")"]

    def _like(self, tree: Any, negated: bool) -> list[Word]:
        text = tree.expression.name
        word = "has" if text.startswith("%") and text.endswith("%") else "starts" if text.endswith("%") else "ends"
        if negated:
            if word != "has":
                raise Beyond("not like at one end")
            word = "hasnot"
        return [*self._item(tree.this), word, Val(text.strip("%"))]

    def _value(self, value: Any) -> list[Word]:
        negative = isinstance(value, exp.Neg)
        value = value.this if negative else value
        while isinstance(value, exp.Cast | exp.TryCast | exp.Paren):
            value = value.this
        if isinstance(value, exp.Boolean):
            return [Val(value.this)]
        if isinstance(value, exp.Column) and not value.table:
            return [Val(value.name)]
        if not isinstance(value, exp.Literal):
            raise Beyond(type(value).__name__)
        if value.is_string:
            return [Val(value.name)]
        return [Val(-float(value.name) if negative else float(value.name))]


_ROWS: Any = object()


def outer(line: Sequence[Word]) -> list[Word]:
    """The words outside brackets."""
    depth, found = 0, list[Word]()
    for word in line:
        depth += (word == "(") - (word == ")")
        if depth == 0:
            found.append(word)
    return found
