"""What SQL may do: an allow-list over DuckDB's own syntax tree, since SQL from a model is hostile input.

The executor calls `check` before anything runs. What must stay true: only SELECT over tables and views of the
catalog and harmless functions passes; whatever the walk does not know is refused. A READ ONLY transaction follows as a
second line of defence, never as the first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pluto_duck_backend.app.core.errors import QueryFailed, Refused, did_you_mean
from pluto_duck_backend.app.core.warehouse import serialize
from pluto_duck_backend.app.services.execution.functions import is_harmless

MAX_LENGTH = 100_000
MAX_NESTING = 200
_QUERY_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
_TABLE_NODES = {"BASE_TABLE", "TABLE_FUNCTION", "JOIN", "SUBQUERY", "EMPTY", "EMPTY_FROM", "EXPRESSION_LIST", "PIVOT"}
_TABLE_FUNCTIONS = {"range", "generate_series", "unnest"}
_INFORMATION = {"tables", "columns", "schemata"}
_SHOWN = {"tables"}
_EXPLAIN = re.compile(r"\s*EXPLAIN\s+(ANALYZE\s+)?", re.IGNORECASE)

Scope = frozenset[str]


@dataclass(frozen=True)
class KnownTables:
    """The tables and views SQL may read: `(schema, name)` in lower case, with each view's own definition."""

    names: frozenset[tuple[str, str]]
    views: Mapping[tuple[str, str], str] = field(default_factory=dict)
    macros: frozenset[str] = frozenset()
    search_path: tuple[str, ...] = ("main",)

    def find(self, schema: str, name: str) -> tuple[str, str] | None:
        """The table that DuckDB would read, or None."""
        schemas = (schema,) if schema else self.search_path
        keys = ((each.casefold(), name.casefold()) for each in schemas)
        return next((key for key in keys if key in self.names), None)


@dataclass(frozen=True)
class Guarded:
    """SQL that may run; `tables` are the `schema.name` it reads."""

    kind: Literal["select", "explain"]
    sql: str
    tables: tuple[str, ...]


def check(sql: str, known: KnownTables) -> Guarded:
    """`sql` if it may run. Raises Refused (a rule) or QueryFailed (no valid SQL)."""
    text = sql.strip().rstrip(";").strip()
    _bound(text)
    explained = _EXPLAIN.match(text)
    body = text[explained.end() :] if explained else text
    walk = _Walk(known)
    walk.statement(_tree(body))
    return Guarded("explain" if explained else "select", text, tuple(sorted(walk.tables)))


def _bound(text: str) -> None:
    if not text:
        raise Refused("The SQL is empty.", code="empty_sql", hint="Write a SELECT.")
    if len(text) > MAX_LENGTH:
        raise Refused(f"The SQL has {len(text):,} characters; at most {MAX_LENGTH:,} are read.", code="sql_too_long")
    depth = deepest = 0
    for each in text:
        depth += (each in "([{") - (each in ")]}")
        deepest = max(deepest, depth)
    if deepest > MAX_NESTING:
        raise Refused(f"The SQL nests {deepest} levels deep; at most {MAX_NESTING} are read.", code="sql_too_deep")


def _tree(text: str) -> dict[str, Any]:
    try:
        tree = serialize(text)
    except QueryFailed as error:
        raise _no_select(error) from error
    if len(tree["statements"]) != 1:
        raise Refused("Several statements at once are refused.", code="several_statements", hint="Run one at a time.")
    statement: dict[str, Any] = tree["statements"][0]
    return statement


def _no_select(error: QueryFailed) -> QueryFailed | Refused:
    if "Only SELECT" in error.message:
        return Refused(
            "Only SELECT statements may run here.",
            code="not_a_select",
            hint="Data comes in by `pluto-duck ingest`, models by `pluto-duck dbt`.",
        )
    return QueryFailed(error.message, code="syntax_error", hint="Check the SQL near the place named.")


class _Walk:
    """One pass over a statement, in the scope of the CTE names visible at each place."""

    def __init__(self, known: KnownTables, inside: frozenset[tuple[str, str]] = frozenset()) -> None:
        self.known = known
        self.tables: set[str] = set()
        self._inside = inside

    def statement(self, statement: dict[str, Any]) -> None:
        self._query(statement["node"], frozenset())

    def _query(self, node: dict[str, Any], scope: Scope) -> None:
        if node.get("type") not in _QUERY_NODES:
            raise Refused(f"{node.get('type', 'this')} is refused: only queries may stand here.", code="not_a_select")
        for entry in node.get("cte_map", {}).get("map", []):
            scope = self._cte(entry, scope)
        if node["type"] in ("RECURSIVE_CTE_NODE", "CTE_NODE"):
            scope |= {str(node.get("cte_name", "")).casefold()}
        for key, value in node.items():
            if key != "cte_map":
                self._any(value, scope)

    def _cte(self, entry: dict[str, Any], scope: Scope) -> Scope:
        """A CTE sees those before it; one that names itself is recursive and says so in its own node."""
        query = entry["value"].get("query") or {}
        self._query(query.get("node") or {}, scope)
        return scope | {str(entry["key"]).casefold()}

    def _any(self, value: Any, scope: Scope) -> None:
        if isinstance(value, list):
            for each in value:
                self._any(each, scope)
        elif isinstance(value, dict):
            self._dict(value, scope)

    def _dict(self, node: dict[str, Any], scope: Scope) -> None:
        kind = str(node.get("type", ""))
        if kind in _QUERY_NODES or kind.endswith("_NODE"):
            self._query(node, scope)
            return
        if kind == "BASE_TABLE":
            self._table(node, scope)
        elif kind == "TABLE_FUNCTION":
            self._table_function(node)
        elif kind == "SHOW_REF":
            self._show(node)
        elif node.get("class") == "PARAMETER" or kind == "VALUE_PARAMETER":
            raise Refused("Parameters and variables are refused.", code="parameter", hint="Write the value.")
        elif "function_name" in node and kind != "TABLE_FUNCTION":
            self._function(node)
        elif "from_table" not in node and "sample" in node and kind not in _TABLE_NODES:
            raise Refused(f"{kind} is refused: nothing is known of it.", code="unknown_construct")
        for key, value in node.items():
            self._any(value, scope) if key != "function" or kind != "TABLE_FUNCTION" else self._children(value, scope)

    def _children(self, function: dict[str, Any], scope: Scope) -> None:
        self._any(function.get("children", []), scope)

    def _table(self, node: dict[str, Any], scope: Scope) -> None:
        schema, name = str(node.get("schema_name", "")), str(node["table_name"])
        if node.get("at_clause"):
            raise Refused("AT is refused: a table has one state here.", code="unknown_construct")
        if not schema and not node.get("catalog_name") and name.casefold() in scope:
            return
        if schema.casefold() == "information_schema" and name.casefold() in _INFORMATION:
            return
        found = None if node.get("catalog_name") else self.known.find(schema, name)
        if not found:
            raise self._unknown(f"{schema}.{name}" if schema else name)
        self.tables.add(".".join(found))
        self._view(found)

    def _view(self, key: tuple[str, str]) -> None:
        """A view is as harmless as its own definition."""
        if key in self.known.views and key not in self._inside:
            inner = _Walk(self.known, self._inside | {key})
            inner.statement(_tree(self.known.views[key]))

    def _unknown(self, name: str) -> Refused:
        names = [f"{schema}.{table}" if schema != "main" else table for schema, table in self.known.names]
        return Refused(
            f"There is no table {name!r} in the warehouse. {did_you_mean(name, names)}".rstrip(),
            code="unknown_table",
            hint="`pluto-duck schema` lists the tables; files are read by `pluto-duck ingest`, not by SQL.",
        )

    def _table_function(self, node: dict[str, Any]) -> None:
        function = node["function"]
        name = str(function.get("function_name", "")).casefold()
        if name not in _TABLE_FUNCTIONS or function.get("schema") or function.get("catalog"):
            raise Refused(
                f"The table function {name}() is refused.",
                code="table_function",
                hint=f"Allowed: {', '.join(sorted(_TABLE_FUNCTIONS))}; files come in by `pluto-duck ingest`.",
            )

    def _function(self, node: dict[str, Any]) -> None:
        name = str(node["function_name"]).casefold()
        elsewhere = str(node.get("schema") or "main").casefold() != "main" or node.get("catalog")
        if name in self.known.macros or elsewhere or not is_harmless(name):
            raise Refused(
                f"The function {name}() is refused.",
                code="function",
                hint="Only DuckDB's own functions that neither read files, settings and secrets nor change anything.",
            )

    def _show(self, node: dict[str, Any]) -> None:
        shown = str(node.get("table_name", "")).strip('"').casefold()
        if not node.get("query") and shown not in _SHOWN:
            raise Refused(f"SHOW {shown} is refused.", code="show", hint="SHOW TABLES, DESCRIBE and SUMMARIZE work.")


def names_of(rows: Collection[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """`(schema, name)` pairs as KnownTables wants them."""
    return ((schema.casefold(), name.casefold()) for schema, name in rows)
