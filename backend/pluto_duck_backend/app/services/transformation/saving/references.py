"""SQL as a dbt project writes it: tables by `ref` and `source`, formatted. Pure.

A table that the project neither makes nor declares becomes a source, which is written beside the asset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from pluto_duck_backend.app.core.dbt_models import Models, Relation

_BRACES = re.compile(r"\{[{%#]|[}%#]\}")


@dataclass(frozen=True)
class Referring:
    """The text of a model, and the tables it needs as sources that are none yet, by schema."""

    sql: str
    new_sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def properties(self, described: Mapping[str, Any]) -> str:
        """YAML of what is `described`, with the sources that are new."""
        sources = [
            {"name": schema, "schema": schema, "tables": [{"name": table} for table in tables]}
            for schema, tables in self.new_sources.items()
        ]
        whole = {"version": 2, **({"sources": sources} if sources else {}), **described}
        return str(yaml.safe_dump(whole, sort_keys=False, allow_unicode=True, width=110))


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
        mark = f"__ref_{len(calls)}__"
        calls[mark] = _call(table.db or "main", table.name, project, known, new)
        _put_in_its_place(table, mark)
    text = _with_calls(as_text(tree.sql(dialect="duckdb", pretty=True)), calls)
    return Referring(text, {schema: tuple(dict.fromkeys(tables)) for schema, tables in new.items()})


def _put_in_its_place(table: Any, mark: str) -> None:
    """A mark that goes by the table's name: what dbt calls is no SQL, so that it comes in when the text is written."""
    from sqlglot import exp

    alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name))
    table.replace(exp.Table(this=exp.to_identifier(mark), alias=alias, joins=table.args.get("joins")))


def _with_calls(text: str, calls: Mapping[str, str]) -> str:
    for mark, call in calls.items():
        text = text.replace(f'"{mark}"', call).replace(mark, call)
    return text


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
