"""An answer that measures one thing as a metric: its rows become a model, its aggregate a measure of them.

`SELECT date_trunc('month', d), sum(x) FROM … GROUP BY 1` is a model of `d` and `x`, a semantic model over it, a metric.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pluto_duck_backend.app.core.dbt_models import Models
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.transformation.saving.references import Referring

_AGGREGATES = {"Sum": "sum", "Avg": "average", "Min": "min", "Max": "max", "Median": "median", "Count": "sum"}


def metric_files(sql: str, name: str, description: str, refer: Callable[[str], Referring]) -> dict[str, str]:
    """The files of a metric. Raises InvalidInput where the query is not one aggregate over time."""
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(sql, read="duckdb")
    agg, value = _measured(_measure(tree))
    dimensions = [each for each in tree.expressions if not each.find(exp.AggFunc) and _date(each) is None]
    made = refer(_rows(tree, dimensions, value).sql(dialect="duckdb"))
    labels = [each.alias_or_name for each in dimensions]
    return {
        f"models/saved/{name}_rows.sql": made.sql + "\n",
        f"models/saved/{name}.yml": _properties(name, description, agg, labels, made),
    }


def _rows(tree: Any, dimensions: Sequence[Any], value: Any) -> Any:
    """The query without its aggregate: the time, the dimensions and what is measured, of each row."""
    from sqlglot import exp

    time = exp.alias_(_time(tree).copy(), "metric_day")
    columns = [time, *(each.copy() for each in dimensions), exp.alias_(value, "metric_value")]
    rows = exp.Select(expressions=columns)
    for part in ("with_", "with", "from_", "from", "joins", "where"):
        if tree.args.get(part):
            rows.set(part, tree.args[part])
    return rows


def has_time_spine(project: str, known: Models) -> bool:
    """Whether the project has a model of days, when dbt last read it."""
    semantic = known.semantic.get(project) or {}
    return bool((semantic.get("project_configuration") or {}).get("time_spines"))


def _measure(tree: Any) -> Any:
    from sqlglot import exp

    found = [each for each in tree.expressions if each.find(exp.AggFunc)] if isinstance(tree, exp.Select) else []
    if len(found) != 1 or type(found[0].unalias()).__name__ not in _AGGREGATES or tree.args.get("having"):
        raise _no_metric("it does not compute exactly one sum, count, average, least, greatest or median")
    return found[0].unalias()


def _measured(measure: Any) -> tuple[str, Any]:
    """dbt's name of the aggregate, and what it is taken of."""
    from sqlglot import exp

    kind = type(measure).__name__
    if isinstance(measure.this, exp.Distinct):
        return "count_distinct", measure.this.expressions[0].copy()
    if kind != "Count":
        return _AGGREGATES[kind], measure.this.copy()
    if isinstance(measure.this, exp.Star):
        return "sum", exp.Literal.number(1)
    return "sum", exp.cast(exp.Not(this=exp.Is(this=measure.this.copy(), expression=exp.Null())), "int")


def _time(tree: Any) -> Any:
    """The column that the answer is cut or bounded in time by."""
    from sqlglot import exp

    cut = (found for each in tree.expressions if (found := _date(each)) is not None)
    where = tree.args.get("where")
    compared = list(where.find_all(exp.GTE, exp.GT, exp.LT, exp.LTE, exp.Between)) if where else []
    bounded = (each.this for each in compared if isinstance(each.this, exp.Column) and each.find(exp.Cast))
    time = next(cut, None) or next(bounded, None)
    if time is None:
        raise _no_metric("nothing tells when its rows are")
    return time


def _date(expression: Any) -> Any:
    """The column of `date_trunc('month', d)` and `year(d)`."""
    from sqlglot import exp

    found = expression.find(exp.DateTrunc, exp.TimestampTrunc, exp.Year, exp.Extract, exp.Month, exp.Quarter)
    return found.find(exp.Column) if found else None


def _properties(name: str, description: str, agg: str, labels: list[str], made: Referring) -> str:
    rows = f"{name}_rows"
    column = {"name": "metric_day", "description": "When it was.", "data_tests": ["not_null"]}
    return made.properties(
        {
            "models": [{"name": rows, "description": f"What the metric {name} is of.", "columns": [column]}],
            "semantic_models": [_semantic_model(name, rows, agg, labels)],
            "metrics": [_metric(name, description)],
        }
    )


def _semantic_model(name: str, rows: str, agg: str, labels: list[str]) -> dict[str, Any]:
    day = {"name": "metric_day", "type": "time", "type_params": {"time_granularity": "day"}}
    return {
        "name": rows,
        "model": f"ref('{rows}')",
        "defaults": {"agg_time_dimension": "metric_day"},
        "primary_entity": f"{name}_row",
        "dimensions": [day, *({"name": each, "type": "categorical"} for each in labels)],
        "measures": [{"name": f"{name}_value", "agg": agg, "expr": "metric_value"}],
    }


def _metric(name: str, description: str) -> dict[str, Any]:
    return {
        "name": name,
        "label": name.replace("_", " ").capitalize(),
        "description": description,
        "type": "simple",
        "type_params": {"measure": f"{name}_value"},
    }


def _no_metric(reason: str) -> InvalidInput:
    return InvalidInput(
        f"This answer is no metric: {reason}.",
        code="not_a_metric",
        hint="Ask for one figure over time (`revenue by month`), or save it as a model.",
    )
