"""How far a statement grows when DuckDB plans it: tables read, columns made, grouping sets.

A chain of CTEs that each name the one before twice, or `*` within `*`, doubles the plan with every link; planning can
not be interrupted, so the growth is computed from the tree first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_backend.app.core.errors import Refused
from pluto_duck_backend.app.services.execution.guard import tree
from pluto_duck_backend.app.services.execution.guard.known import Known
from pluto_duck_backend.app.services.execution.guard.tree import Node

MAX_TABLES = 2_000
MAX_JOINED = 50
MAX_COLUMNS = 10_000
MAX_CONDITIONS = 1_000
MAX_SUBQUERIES = 12
#   subqueries of expressions within one another
MAX_GROUPING_SETS = 4_096
MAX_GROWTH = 5_000
#   parts that expressions gain when every alias in them is written out
MAX_LEVELS = 16
#   aggregations over one another
MAX_TERMS = 500
#   of one AND or OR
MAX_SIDE_BY_SIDE = 40
#   subqueries in the expressions of one SELECT
MAX_QUERIES = 200
#   SELECTs in one statement
_UNKNOWN_WIDTH = 20
#   columns of a source that the catalog does not describe (information_schema, SHOW)


@dataclass(frozen=True)
class Extent:
    """The tables a query reads when every CTE and subquery is written out, and the columns it gives, at most."""

    tables: int = 0
    columns: int = 0
    joined: int = 1
    #   tables that DuckDB orders together: those of one FROM and of the subqueries in it
    levels: int = 0
    #   aggregations over one another


Ctes = dict[str, Extent]


def check_expansion(statement: Node, known: Known) -> None:
    """Raises Refused where the statement grows past the bounds."""
    every = list(tree.nodes(statement))
    conjunctions = [node for node in every if node.get("class") == "CONJUNCTION"]
    if len(conjunctions) > MAX_CONDITIONS:
        raise _too_large("groups of AND and OR", len(conjunctions), MAX_CONDITIONS)
    terms = max((len(node["children"]) for node in conjunctions), default=0)
    if terms > MAX_TERMS:
        raise _too_large("terms of one AND or OR", terms, MAX_TERMS)
    queries = sum(node.get("type") == "SELECT_NODE" for node in every)
    if queries > MAX_QUERIES:
        raise _too_large("SELECTs", queries, MAX_QUERIES)
    _Extents(known).query(statement["node"], {})


class _Extents:
    def __init__(self, known: Known) -> None:
        self._known = known
        self._depth = 0

    def query(self, node: Node, ctes: Ctes) -> Extent:
        ctes = dict(ctes)
        for name, query in tree.ctes(node):
            ctes[name] = self.query(query, {**ctes, name: Extent(1, 1)})
        branches = node.get("children") or [node[side] for side in ("left", "right", "child") if node.get(side)]
        found = self._set(node, branches, ctes) if node["type"] != "SELECT_NODE" else self._select(node, ctes)
        return _bounded(found)

    def _set(self, node: Node, branches: list[Node], ctes: Ctes) -> Extent:
        own: Ctes = {}
        if node.get("cte_name"):
            own = {str(node["cte_name"]).casefold(): self.query(branches[0], ctes)}
        parts = [self.query(branch, {**ctes, **own}) for branch in branches]
        wide = sum if "BY_NAME" in str(node.get("setop_type", "")) else max
        inner = self._inside(node.get("modifiers"), ctes)
        columns = wide([part.columns for part in parts])
        levels = max(part.levels for part in parts)
        return Extent(sum(part.tables for part in parts) + inner, columns, levels=levels)

    def _select(self, node: Node, ctes: Ctes) -> Extent:
        if len(node.get("group_sets") or []) > MAX_GROUPING_SETS:
            raise _too_large("grouping sets", len(node["group_sets"]), MAX_GROUPING_SETS)
        source = self._source(node.get("from_table") or {}, ctes)
        columns = sum(source.columns if _has_star(each) else 1 for each in node.get("select_list", []))
        _check_aliases(node.get("select_list", []))
        rest = [value for key, value in node.items() if key not in ("from_table", "cte_map")]
        levels = source.levels + bool(node.get("group_expressions"))
        return Extent(source.tables + self._inside(rest, ctes), columns, source.joined, levels)

    def _source(self, node: Node, ctes: Ctes) -> Extent:
        kind = node.get("type")
        if kind == "JOIN":
            return self._both(node, ctes)
        if kind == "BASE_TABLE":
            return self._table(node, ctes)
        if kind == "SUBQUERY":
            return self.query(node["subquery"]["node"], ctes)
        if kind == "SHOW_REF" and node.get("query"):
            return Extent(self.query(node["query"], ctes).tables, _UNKNOWN_WIDTH)
        if kind == "PIVOT":
            return self._pivot(node, ctes)
        if kind == "EXPRESSION_LIST":
            rows = node.get("values") or [[]]
            return Extent(1 + self._inside(rows, ctes), max(len(row) for row in rows))
        return Extent(1 + self._inside(node.get("function"), ctes), _UNKNOWN_WIDTH)

    def _both(self, node: Node, ctes: Ctes) -> Extent:
        """The left side of a chain of joins is followed in a loop: it may be long."""
        sides: list[Extent] = []
        conditions = 0
        current: Node = node
        while current.get("type") == "JOIN":
            sides.append(self._source(current["right"], ctes))
            conditions += self._inside(current.get("condition"), ctes)
            current = current["left"]
        sides.append(self._source(current, ctes))
        return Extent(
            conditions + sum(each.tables for each in sides),
            sum(each.columns for each in sides),
            sum(each.joined for each in sides),
            max(each.levels for each in sides),
        )

    def _table(self, node: Node, ctes: Ctes) -> Extent:
        catalog, schema, name = tree.name_of(node)
        if not catalog and not schema and name in ctes:
            return replace(ctes[name], joined=1)
        found = self._known.find(catalog, schema, name)
        return Extent(1, len(found.columns) if found else _UNKNOWN_WIDTH)

    def _pivot(self, node: Node, ctes: Ctes) -> Extent:
        source = self._source(node.get("source") or {}, ctes)
        made = 1
        for pivot in node.get("pivots") or []:
            made *= max(len(pivot.get("entries") or []), 1)
        columns = source.columns + made * max(len(node.get("aggregates") or []), 1)
        return Extent(source.tables, columns, levels=source.levels + 1)

    def _inside(self, value: Any, ctes: Ctes) -> int:
        """The tables that subqueries within expressions read."""
        found, todo = [], [value]
        while todo:
            each = todo.pop()
            if isinstance(each, dict) and str(each.get("type", "")).endswith("_NODE"):
                found.append(self._deeper(each, ctes).tables)
            elif isinstance(each, dict | list):
                todo += tree.inner(each)
        if len(found) > MAX_SIDE_BY_SIDE:
            raise _too_large("subqueries in the expressions of one SELECT", len(found), MAX_SIDE_BY_SIDE)
        return sum(found)

    def _deeper(self, query: Node, ctes: Ctes) -> Extent:
        self._depth += 1
        if self._depth > MAX_SUBQUERIES:
            raise _too_large("levels of subqueries within expressions", self._depth, MAX_SUBQUERIES)
        found = self.query(query, ctes)
        self._depth -= 1
        return found


def _has_star(expression: Any) -> bool:
    todo = [expression]
    while todo:
        each = todo.pop()
        kind = each.get("class") if isinstance(each, dict) else None
        if kind == "STAR":
            return True
        if kind != "SUBQUERY":
            todo += tree.inner(each)
    return False


def _check_aliases(listed: list[Node]) -> None:
    """A column may name those before it (`a + a AS b, b + b AS c`), each time with all that they stand for."""
    sizes: dict[str, int] = {}
    growth = 0
    for expression in listed:
        size, gained = _written_out(expression, sizes)
        growth += gained
        if growth > MAX_GROWTH:
            raise _too_large("more parts of expressions when every alias is written out", growth, MAX_GROWTH)
        if expression.get("alias"):
            sizes[str(expression["alias"]).casefold()] = size


def _written_out(expression: Any, sizes: dict[str, int]) -> tuple[int, int]:
    """How many parts it has when every alias in it is written out, and how many of them come of that."""
    size = gained = 0
    for each in tree.nodes(expression):
        names = each.get("column_names") or [""]
        own = sizes.get(str(names[-1]).casefold(), 1) if len(names) == 1 else 1
        size += own
        gained += own - 1
    return size, gained


def _bounded(extent: Extent) -> Extent:
    if extent.tables > MAX_TABLES:
        raise _too_large("tables, with every CTE written out", extent.tables, MAX_TABLES)
    if extent.joined > MAX_JOINED:
        raise _too_large("tables joined to one another", extent.joined, MAX_JOINED)
    if extent.levels > MAX_LEVELS:
        raise _too_large("aggregations over one another", extent.levels, MAX_LEVELS)
    if extent.columns > MAX_COLUMNS:
        raise _too_large("columns", extent.columns, MAX_COLUMNS)
    return extent


def _too_large(what: str, count: int, most: int) -> Refused:
    return Refused(f"The SQL makes {count:,} {what}; at most {most:,} are planned.", code="too_large")
