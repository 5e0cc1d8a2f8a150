"""The walk over a statement's tree: what stands in it must be on the list, or it is refused.

What must stay true: a node the walk has no word for is refused; a CTE's name covers a table's only where DuckDB sees
the CTE; a view or macro is as harmless as its own definition.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

from pluto_duck_backend.app.core.errors import Refused, did_you_mean
from pluto_duck_backend.app.services.execution.guard import tree
from pluto_duck_backend.app.services.execution.guard.functions import TABLE_FUNCTIONS, TYPES, is_harmless
from pluto_duck_backend.app.services.execution.guard.known import Known, Relation
from pluto_duck_backend.app.services.execution.guard.sizes import check_cast, check_sizes
from pluto_duck_backend.app.services.execution.guard.tree import Node

Scope = frozenset[str]

QUERIES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
_TABLES = frozenset(
    {
        *("BASE_TABLE", "TABLE_FUNCTION", "JOIN", "SUBQUERY", "EMPTY", "EMPTY_FROM", "EXPRESSION_LIST", "PIVOT"),
        *("SHOW_REF", "COLUMN_DATA"),
    }
)
_EXPRESSIONS = frozenset(
    {
        *("BETWEEN", "CASE", "CAST", "COLLATE", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CONSTANT", "FUNCTION"),
        *("LAMBDA", "LAMBDA_REF", "OPERATOR", "POSITIONAL_REFERENCE", "STAR", "SUBQUERY", "TYPE", "WINDOW"),
    }
)
_PARTS = frozenset(
    {
        *("ORDER_MODIFIER", "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER", "DISTINCT_MODIFIER"),
        *("ORDER_DEFAULT", "ASCENDING", "DESCENDING"),
    }
)
_SHAPED = frozenset({"json_transform", "json_transform_strict", "from_json", "from_json_strict"})
_ARGUMENTS = re.compile(r"\s*(\(.*\)|\[.*\])\s*$")
_INFORMATION = frozenset({"tables", "columns", "schemata"})
_SHOWN = frozenset({"tables", "__show_tables_expanded"})


class Walk:
    """One pass over a statement; `tables` are the relations it reads, through views too."""

    def __init__(self, known: Known, inside: frozenset[str] = frozenset()) -> None:
        self.known = known
        self.tables: set[Relation] = set()
        self.references: list[tuple[Node, Relation]] = []
        #   where the statement itself names a relation; what views and macros read is not here
        self.catalog_views = False
        #   whether it reads information_schema or SHOW TABLES
        self._inside = inside
        self._todo: list[tuple[Any, Scope]] = []

    def statement(self, statement: Node) -> None:
        """Raises Refused at the first thing that may not stand in the statement."""
        if statement.get("named_param_map"):
            raise _parameter()
        self._query(statement["node"], frozenset())
        while self._todo:
            self._visit(*self._todo.pop())

    def _visit(self, value: Any, scope: Scope) -> None:
        if isinstance(value, dict):
            self._node(value, scope)
        elif isinstance(value, list):
            self._todo += [(each, scope) for each in tree.inner(value)]

    def _node(self, node: Node, scope: Scope) -> None:
        kind = node.get("type")
        if "class" in node:
            self._expression(node, scope)
        elif not isinstance(kind, str):
            self._children(node, scope)
        elif kind.endswith("_NODE"):
            self._query(node, scope)
        elif kind in _TABLES:
            self._table(kind, node, scope)
        elif kind in _PARTS or kind.endswith("_TYPE_INFO"):
            if kind == "UNBOUND_TYPE_INFO":
                self._type(node)
            self._children(node, scope)
        else:
            raise Refused(f"{kind} is refused: nothing is known of it.", code="unknown_construct")

    def _type(self, node: Node) -> None:
        """A type is known or the user's own; `node` names it where DuckDB would have to look it up."""
        name = str(node.get("type_name") or node.get("name") or "").casefold()
        if name and name not in TYPES and name not in self.known.types:
            raise Refused(f"The type {name!r} is not known here.", code="unknown_type", hint="DuckDB's own types work.")

    def _children(self, node: Node, scope: Scope, *but: str) -> None:
        parts = {key: value for key, value in node.items() if key not in but} if but else node
        self._todo += [(value, scope) for value in tree.inner(parts)]

    def _query(self, node: Node, scope: Scope) -> None:
        """A CTE sees those before it; only the second part of a recursive one sees itself."""
        if node.get("type") not in QUERIES:
            raise Refused("Only queries may stand here: nothing that writes or sets.", code="not_a_select")
        for name, query in tree.ctes(node):
            self._query(query, scope)
            scope |= {name}
        if node["type"] in ("RECURSIVE_CTE_NODE", "CTE_NODE"):
            own = scope | {str(node.get("cte_name", "")).casefold()}
            seeing = "right" if node["type"] == "RECURSIVE_CTE_NODE" else "child"
            self._visit(node.get(seeing), own)
            self._children(node, scope, "cte_map", seeing)
        else:
            self._children(node, scope, "cte_map")

    def _expression(self, node: Node, scope: Scope) -> None:
        kind = str(node["class"])
        if kind == "CAST":
            check_cast(node)
        if kind == "PARAMETER":
            raise _parameter()
        if kind not in _EXPRESSIONS:
            raise Refused(f"{kind} is refused: nothing is known of it.", code="unknown_construct")
        if kind == "TYPE":
            self._type(node)
        if kind in ("FUNCTION", "WINDOW"):
            self._function(node)
        self._children(node, scope)

    def _function(self, node: Node) -> None:
        name = tree.name_of(node)[2]
        if name in self.known.macros:
            self._definitions(f"macro {name}", self.known.macros[name])
        elif not is_harmless(name):
            raise Refused(
                f"The function {name}() is refused.",
                code="function",
                hint="Only DuckDB's own functions that neither read files, settings and secrets nor change anything.",
            )
        check_sizes(name, node)
        if name in _SHAPED:
            self._shape(name, tree.arguments(node))

    def _shape(self, name: str, arguments: list[Any]) -> None:
        """`json_transform(document, '{"a": "INTEGER"}')` names types within a text."""
        text = tree.constant(arguments[1]) if len(arguments) > 1 else None
        try:
            named = [orjson.loads(text)] if isinstance(text, str) else None
        except orjson.JSONDecodeError:
            named = None
        if named is None:
            raise Refused(f"The structure given to {name}() has to be JSON written out.", code="unknown_type")
        while named:
            each = named.pop()
            if isinstance(each, dict | list):
                named += each.values() if isinstance(each, dict) else each
            elif isinstance(each, str):
                self._type({"name": _ARGUMENTS.sub("", each)})

    def _table(self, kind: str, node: Node, scope: Scope) -> None:
        if kind == "BASE_TABLE":
            self._base_table(node, scope)
        elif kind == "TABLE_FUNCTION":
            self._table_function(node, scope)
            return
        elif kind == "SHOW_REF":
            self._show(node)
        elif kind == "COLUMN_DATA":
            raise Refused(f"{kind} is refused: nothing is known of it.", code="unknown_construct")
        self._children(node, scope)

    def _base_table(self, node: Node, scope: Scope) -> None:
        catalog, schema, name = tree.name_of(node)
        if node.get("at_clause"):
            raise Refused("AT is refused: a table has one state here.", code="unknown_construct")
        if not schema and not catalog and name in scope:
            return
        if schema == "information_schema" and not catalog and name in _INFORMATION:
            self.catalog_views = True
            return
        found = self.known.find(catalog, schema, name)
        if found is None:
            raise self._unknown(".".join(part for part in (catalog, schema, name) if part))
        self.tables.add(found)
        self.references.append((node, found))
        if found.query is not None:
            self._definitions(f"view {found}", (found.query,))

    def _definitions(self, what: str, definitions: tuple[str, ...]) -> None:
        """What a view or macro stands for, looked at as if it were written here, without the CTEs around it."""
        if what in self._inside:
            return
        for definition in definitions:
            inner = Walk(self.known, self._inside | {what})
            try:
                inner.statement(tree.parse(definition))
            except Refused as error:
                raise Refused(f"The {what} is refused: {error.message}", code=error.code, hint=error.hint) from error
            self.tables |= inner.tables

    def _unknown(self, name: str) -> Refused:
        return Refused(
            f"There is no table {name!r} in the warehouse. {did_you_mean(name, self.known.names())}".rstrip(),
            code="unknown_table",
            hint=self.known.step_to(name)
            or "`pluto-duck schema` lists the tables; files are read by `pluto-duck ingest`, not by SQL.",
        )

    def _table_function(self, node: Node, scope: Scope) -> None:
        function = node["function"]
        name = tree.name_of(function)[2]
        if name in self.known.macros:
            self._definitions(f"macro {name}", self.known.macros[name])
        elif name not in TABLE_FUNCTIONS:
            raise Refused(
                f"The table function {name}() is refused.",
                code="table_function",
                hint=f"Allowed: {', '.join(sorted(TABLE_FUNCTIONS))}; files come in by `pluto-duck ingest`.",
            )
        self._children(function, scope)
        self._children(node, scope, "function")

    def _show(self, node: Node) -> None:
        if node.get("query"):
            return
        catalog, schema, name = tree.name_of(node)
        name = name.strip('"')
        if name in _SHOWN or node.get("show_type") == "SHOW_FROM":
            self.catalog_views = True
        elif relation := self.known.find(catalog, schema, name):
            self.tables.add(relation)
            self.references.append((node, relation))
        else:
            raise Refused(f"SHOW {name} is refused.", code="show", hint="SHOW TABLES, DESCRIBE and SUMMARIZE work.")


def _parameter() -> Refused:
    return Refused("Parameters and variables are refused.", code="parameter", hint="Write the value.")
