"""What a query shows, each column by its name; of a group that may hold several values, one of them."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from pluto_duck_text2sql.tree import Agg, Col, Expr, Meaning, Rows, TableKey, nodes_in
from pluto_duck_text2sql.trees.column_names import alias_of, names_of, without_repeats
from pluto_duck_text2sql.trees.printing.scope import Scope
from pluto_duck_text2sql.trees.reserved import needs_quotes


def select_list(scope: Scope) -> list[Any]:
    """The columns that the query shows, each once."""
    names = names_of(scope.query.select)
    return [_shown(scope, each, names) for each in without_repeats(scope.query.select)]


def _shown(scope: Scope, expression: Expr, names: dict[Expr, str]) -> Any:
    """A column under its name, or all columns of a table."""
    if isinstance(expression, Rows):
        star = exp.Star(**_read(scope, expression.table))
        return star if scope.is_alone else exp.Column(this=star, table=scope.name_of(expression.table))
    printed = of_group(scope, expression)
    name = names.get(expression) or alias_of(expression)
    if not name and isinstance(expression, Col) and not isinstance(printed, exp.Column):
        name = expression.name
    return exp.alias_(printed, name, quoted=needs_quotes(name), copy=False) if name else printed


def _read(scope: Scope, key: TableKey) -> dict[str, Any]:
    """What stands in all columns of a table in place of times that are numbers: these as times."""
    table = scope.catalog.table(*key)
    numbered = [each.name for each in table.columns if each.is_numbered] if table else []
    shown = [exp.alias_(scope.sql(Col(key, each)), each, quoted=needs_quotes(each)) for each in numbered]
    return {"replace": shown} if shown else {}


def of_group(scope: Scope, expression: Expr) -> Any:
    """What groups are sorted by or shown with: one of its values where a group may hold several, as a group of
    customers has one name each."""
    query = scope.query
    key = expression.of if isinstance(expression, Meaning) else expression
    plain = key not in query.group and not any(isinstance(each, Agg) for each in nodes_in(expression))
    several = query.flat and scope.is_grouped and plain
    return exp.AnyValue(this=scope.sql(expression)) if several else scope.sql(expression)
