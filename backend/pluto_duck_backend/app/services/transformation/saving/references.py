"""SQL as a dbt project writes it: tables by `ref` and `source`, formatted. Pure.

A table that the project neither makes nor declares becomes a source, which is written beside the asset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pluto_duck_backend.app.core.dbt_models import Models, Relation

_BRACES = re.compile(r"\{[{%#]|[}%#]\}")


@dataclass(frozen=True)
class Referring:
    """The text of a model, and the tables it needs as sources that are none yet, by schema."""

    sql: str
    new_sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def referring(sql: str, project: str, known: Models) -> Referring:
    """`sql` with every table as the project refers to it."""
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(sql, read="duckdb")
    _drop_schemas_of_columns(tree)
    within = {each.alias_or_name.casefold() for each in tree.find_all(exp.CTE)}
    calls: dict[str, str] = {}
    new: dict[str, list[str]] = {}
    for table in list(tree.find_all(exp.Table)):
        if not table.name or (not table.db and table.name.casefold() in within):
            continue
        call = _call(table.db or "main", table.name, project, known, new)
        mark = f"__ref_{len(calls)}__"
        calls[mark] = call
        alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name))
        table.replace(exp.Table(this=exp.to_identifier(mark), alias=alias, joins=table.args.get("joins")))
    text = as_text(tree.sql(dialect="duckdb", pretty=True))
    for mark, call in calls.items():
        text = text.replace(f'"{mark}"', call).replace(mark, call)
    return Referring(text, {schema: tuple(dict.fromkeys(tables)) for schema, tables in new.items()})


def measured(sql: str) -> set[str]:
    """The columns of a query that it computes of many rows."""
    import sqlglot
    from sqlglot import exp

    tree: Any = sqlglot.parse_one(sql, read="duckdb")
    return {each.alias_or_name for each in tree.selects if each.find(exp.AggFunc)}


def as_text(text: str) -> str:
    """Text that dbt renders to itself, whatever braces are in it: it may hold what questions and data hold."""
    return _BRACES.sub(lambda found: "{{ '" + found[0] + "' }}", text)


def _call(schema: str, table: str, project: str, known: Models, new: dict[str, list[str]]) -> str:
    relation = _own(known.relations, project, schema, table)
    if relation is None:
        new.setdefault(schema, []).append(table)
        return f"{{{{ source('{schema}', '{table}') }}}}"
    kind, _, *names = relation.node.split(".")
    if kind == "source":
        return f"{{{{ source('{names[0]}', '{names[1]}') }}}}"
    return f"{{{{ ref('{names[0]}') }}}}"


def _own(relations: Iterable[Relation], project: str, schema: str, table: str) -> Relation | None:
    """The project's own; what it makes goes before what it only reads."""
    wanted = (schema.casefold(), table.casefold())
    found = [
        each for each in relations if each.project == project and tuple(name.casefold() for name in each.key) == wanted
    ]
    return min(found, key=lambda each: each.kind == "source", default=None)


def _drop_schemas_of_columns(tree: Any) -> None:
    """`marts.orders.status` is `orders.status`: the schema is dbt's to say."""
    from sqlglot import exp

    for column in tree.find_all(exp.Column):
        column.set("db", None)
        column.set("catalog", None)
