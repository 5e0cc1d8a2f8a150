"""What a query tree is made of, counted: columns, functions, comparisons, clauses. The ranker's features begin here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pluto_duck_text2sql.tree import (
    Age,
    Agg,
    Ago,
    Among,
    Bucket,
    Col,
    Compare,
    Days,
    During,
    Either,
    First,
    Fold,
    Growth,
    Inside,
    Minus,
    Missing,
    Nested,
    Own,
    Plus,
    Product,
    Query,
    Ratio,
    Related,
    Rows,
    Running,
    Share,
    Times,
    parts_of,
)

_CLAUSES = {
    Product: "product",
    Days: "days",
    Age: "days",
    Ago: "days",
    First: "first",
    Nested: "from",
    Share: "share",
    Ratio: "ratio",
    Plus: "plus",
    Minus: "minus",
    Times: "product",
    Own: "own",
    Fold: "fold",
    Either: "or",
    Missing: "null",
}
"""What is counted for each of these."""


@dataclass
class Facts:
    """Of one tree with all that is nested in it."""

    columns: list[Col] = field(default_factory=list)
    counted: list[Rows] = field(default_factory=list)
    functions: Counter[str] = field(default_factory=Counter)
    compared: list[tuple[Any, str, Any]] = field(default_factory=list)
    clauses: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, query: Query) -> Facts:
        """The facts of a tree, kept with it: nothing changes either."""
        kept = vars(query)
        if "_facts" not in kept:
            facts = cls()
            facts._query(query)
            kept["_facts"] = facts
        found: Facts = kept["_facts"]
        return found

    def _query(self, query: Query) -> None:
        has = self.clauses
        has["queries"] += 1
        has["select"] += len(query.select)
        has["where"] += len(query.where)
        has["group"] += len(query.group)
        has["having"] += len(query.having)
        has["order"] += len(query.order)
        has["desc"] += sum(each.descending for each in query.order)
        has["asc"] += sum(not each.descending for each in query.order)
        has["limit"] += query.limit is not None
        has["limit1"] += query.limit == 1
        has["distinct"] += query.distinct
        has["star"] += sum(isinstance(each, Rows) for each in query.select)
        has["also"] += len(query.also)
        has["per"] += len(query.per)
        has["nth"] += query.nth
        if query.then:
            has[query.then[0]] += 1
        self._walk(query)

    def _walk(self, node: Any) -> None:
        if type(node) is tuple:
            self._below(node)
        elif isinstance(node, Col):
            self.columns.append(node)
        elif isinstance(node, Rows):
            self.counted.append(node)
        elif parts_of(type(node)) is not None:
            self._expression(node)
            self._condition(node)
            if type(node) in _CLAUSES:
                self.clauses[_CLAUSES[type(node)]] += 1
            self._below(node)

    def _expression(self, node: Any) -> None:
        """Note what an expression is, where that depends on what it says."""
        match node:
            case Agg(function, _, distinct, where):
                self.functions["countd" if function == "count" and distinct else function] += 1
                self.clauses["if"] += bool(where)
            case Bucket(grain):
                self.clauses[f"by_{grain}"] += 1
            case Growth(_, _, lag):
                self.clauses["yoy" if lag > 1 else "growth"] += 1
            case Running(_, _, last):
                self.clauses["moving" if last else "running"] += 1

    def _condition(self, node: Any) -> None:
        """Note what a condition compares, and how."""
        match node:
            case Compare(left, operator, right, said):
                self.compared.append((left, operator, right if said is None else said))
                self.clauses["scalar"] += isinstance(right, Query | Agg | Fold | Own)
                self.clauses["during"] += said is not None
            case During(left, _, _, said):
                self.compared += [(left, "during", said)] if said is not None else []
                self.clauses["during"] += 1
            case Among(left, values, negated):
                self.compared += [(left, "!=" if negated else "=", value) for value in values]
            case Inside(_, _, negated) | Related(_, _, negated):
                self.clauses["notin" if negated else "in"] += 1

    def _below(self, node: Any) -> None:
        if isinstance(node, tuple):
            for each in node:
                self._walk(each)
            return
        for name in parts_of(type(node)) or ():
            if name in ("said", "anchored"):
                continue
            inner = getattr(node, name)
            if isinstance(inner, Query):
                self._query(inner)
            elif name == "then" and inner:
                self._query(inner[1])
            else:
                self._walk(inner)
