"""DuckDB's syntax tree as the guard reads it: nodes are the dictionaries of `json_serialize_sql`.

The tree differs a little between DuckDB 1.5 and 2.0; these few functions know how, so nothing else has to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pluto_duck_backend.app.core.errors import QueryFailed, Refused
from pluto_duck_backend.app.core.warehouse import deserialize, serialize

Node = dict[str, Any]
MAX_DEPTH = 500
_PLACES = {"query_location", "query_location_length"}


def parse(sql: str) -> Node:
    """The statement `sql` is. Raises Refused where it is not one SELECT, QueryFailed where it is no SQL."""
    try:
        tree = serialize(sql)
    except QueryFailed as error:
        raise _no_select(error) from error
    if len(tree["statements"]) != 1:
        raise Refused("Several statements at once are refused.", code="several_statements", hint="Run one at a time.")
    statement: Node = tree["statements"][0]
    _bound_depth(statement)
    return statement


def unparse(statement: Node) -> str:
    """SQL of a statement's tree, which parses to that very tree. Raises Refused where DuckDB cannot write it so."""
    sql = deserialize({"error": False, "statements": [statement]})
    if without_places(parse(sql)) != without_places(statement):
        raise Refused(
            "This SQL cannot be rewritten faithfully, as your rights need it to be.",
            code="cannot_rewrite",
            hint="Write it more plainly: SELECT ... FROM tables WHERE ...",
        )
    return sql


def without_places(value: Any) -> Any:
    """A tree without the places in the text where its nodes stood, for comparing."""
    if isinstance(value, dict):
        return {key: without_places(each) for key, each in value.items() if key not in _PLACES}
    return [without_places(each) for each in value] if isinstance(value, list) else value


def name_of(node: Node) -> tuple[str, str, str]:
    """`(catalog, schema, name)` of a table or function, in lower case, each empty where not written."""
    name = node.get("function_name") or node.get("table_name") or ""
    catalog = node.get("catalog_name") or node.get("catalog") or ""
    schema = node.get("schema_name") or node.get("schema") or ""
    found = (str(catalog).casefold(), str(schema).casefold(), str(name).casefold())
    path = [str(part).casefold() for part in (node.get("qualified_name") or {}).get("path", [])]
    if path and [part for part in found if part] != [part for part in path if part]:
        raise Refused(f"The name {'.'.join(path)} is refused: it can be read in two ways.", code="unknown_construct")
    return found


def qualify(node: Node, schema: str, name: str) -> None:
    """Write the schema into a table's node."""
    node["schema_name"], node["table_name"] = schema, name
    if "qualified_name" in node:
        node["qualified_name"]["path"] = [schema, name]


def arguments(function: Node) -> list[Any]:
    """The arguments of a function node, in order."""
    named = function.get("arguments")
    return [each["expression"] for each in named] if named is not None else list(function.get("children", []))


def ctes(query: Node) -> Iterator[tuple[str, Node]]:
    """`(name in lower case, its query)` of each CTE that `query` begins with, in order."""
    for entry in query.get("cte_map", {}).get("map", []):
        value = entry["value"]
        yield str(entry["key"]).casefold(), value.get("query_node") or (value.get("query") or {}).get("node") or {}


def type_name(kind: Node) -> str:
    """The name of the type in a cast, in upper case, such as JSON; empty for one within another."""
    name = (kind.get("type_info") or {}).get("name") or kind.get("type_name") or kind.get("id") or ""
    return str(name).upper()


def limit_of(statement: Node) -> int | None:
    """The rows that the statement's own LIMIT allows, where it is a number."""
    for modifier in statement["node"].get("modifiers") or []:
        if modifier.get("type") == "LIMIT_MODIFIER" and modifier.get("limit_type", "ROW_COUNT") == "ROW_COUNT":
            most = constant(modifier.get("limit"))
            return most if isinstance(most, int) else None
    return None


def constant(expression: Any) -> Any:
    """The Python value of a literal, also below a cast; None for anything else."""
    node = expression
    while isinstance(node, dict) and node.get("class") == "CAST":
        node = node["child"]
    if not isinstance(node, dict) or node.get("class") != "CONSTANT":
        return None
    if "literal" in node:
        return _literal(node["literal"])
    value = node.get("value", {}).get("value")
    return _decimal(value, node["value"]["type"]) if isinstance(value, int) else value


def _literal(literal: Node) -> Any:
    text = str(literal.get("text", ""))
    if literal.get("kind") not in ("INTEGER", "NUMERIC"):
        return text
    number = float(text.replace("_", ""))
    return int(number) if number.is_integer() else number


def _decimal(value: int, kind: Node) -> int | float:
    info = kind.get("type_info") or {}
    return value / 10 ** info["scale"] if info.get("scale") else value


def nodes(value: Any) -> Iterator[Node]:
    """Every dictionary in a tree."""
    todo = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, dict):
            yield each
        todo += inner(each)


def _bound_depth(statement: Node) -> None:
    level: list[Any] = [statement]
    for _ in range(MAX_DEPTH):
        level = [child for value in level for child in inner(value)]
        if not level:
            return
    raise too_deep()


def inner(value: Any) -> list[Any]:
    """The dictionaries and lists right in one of them that hold anything; most of a tree is texts and numbers."""
    values = value.values() if isinstance(value, dict) else value
    return [each for each in values if each and isinstance(each, _NESTED)]


_NESTED = (dict, list)


def too_deep() -> Refused:
    return Refused("The SQL is nested too deep.", code="sql_too_deep", hint="Split it: CTEs keep each part flat.")


def _no_select(error: QueryFailed) -> QueryFailed | Refused:
    if error.code == "sql_too_deep":
        return too_deep()
    if error.code == "number_too_large":
        return QueryFailed(error.message, code=error.code, hint="Write 'inf'::DOUBLE where infinity is meant.")
    if "Only SELECT" in error.message or "CTE needs a SELECT" in error.message:
        return Refused(
            "Only SELECT statements may run here.",
            code="not_a_select",
            hint="Data comes in by `pluto-duck ingest`, models by `pluto-duck dbt`.",
        )
    return QueryFailed(error.message, code="syntax_error", hint="Check the SQL near the place named.")
