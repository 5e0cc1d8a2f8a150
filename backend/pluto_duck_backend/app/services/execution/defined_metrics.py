"""dbt's metrics as items of the glossary, so that a question that names one is answered by its definition.

`return_rate` becomes `count(t) FILTER (WHERE …) / count(t) FILTER (WHERE …)`, in the glossary's own language. Metrics
over windows and conversions have no such expression: `agent/metric_questions.py` answers those.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pluto_duck_backend.app.core.dbt_models import Models
from pluto_duck_text2sql.language.glossary import Item

_FUNCTIONS = {"sum": "sum", "average": "avg", "min": "min", "max": "max", "median": "median", "count": "count"}
_DIMENSION = re.compile(r"\{\{\s*(?:Time)?Dimension\(\s*['\"](?P<name>\w+)['\"][^)]*\)\s*\}\}")
_DEPTH = 8


class _Unsayable(Exception):
    """The glossary's language has no part for it."""


def metric_items(models: Models) -> tuple[Item, ...]:
    """An item for each metric that can be said; its terms are its label and its name."""
    return tuple(item for project, each in models.semantic.items() for item in _Semantic(project, each).items())


class _Semantic:
    """One project's semantic manifest."""

    def __init__(self, project: str, manifest: Mapping[str, Any]) -> None:
        self._project = project
        self._metrics = {each["name"]: each for each in manifest.get("metrics", ())}
        every = [(model, measure) for model in manifest.get("semantic_models", ()) for measure in model["measures"]]
        self._measures = {measure["name"]: (model, measure) for model, measure in every}

    def items(self) -> Iterator[Item]:
        for name, metric in self._metrics.items():
            try:
                meaning = self._metric(name, "", _DEPTH)
            except _Unsayable:
                continue
            spoken = name.replace("_", " ")
            label = metric.get("label") or spoken
            terms = tuple(dict.fromkeys(each.lower() for each in (label, spoken, *_synonyms(metric))))
            described = metric.get("description") or ""
            yield Item(terms, meaning, f"dbt: {self._project}", f"the metric {name}: {described}".rstrip(": ."))

    def _metric(self, name: str, condition: str, depth: int) -> str:
        """Its expression, where `condition` holds as well. Raises _Unsayable."""
        metric = self._metrics.get(name)
        if metric is None or not depth:
            raise _Unsayable(name)
        params = metric["type_params"]
        wanted = _both(condition, self._filter(metric.get("filter")))
        match metric["type"]:
            case "simple":
                measure = params["measure"]
                own = _both(wanted, self._filter(measure.get("filter")))
                return self._measure(measure["name"], own)
            case "ratio":
                top, bottom = (self._input(params[side], wanted, depth) for side in ("numerator", "denominator"))
                return f"({top}) / ({bottom})"
            case "derived":
                return self._derived(params, wanted, depth)
        raise _Unsayable(name)

    def _input(self, given: Any, condition: str, depth: int) -> str:
        if given.get("offset_window") or given.get("offset_to_grain"):
            raise _Unsayable(given["name"])
        own = self._filter(given.get("filter"))
        return self._metric(given["name"], _both(condition, own), depth - 1)

    def _derived(self, params: Any, condition: str, depth: int) -> str:
        parts = {each.get("alias") or each["name"]: self._input(each, condition, depth) for each in params["metrics"]}
        return re.sub(
            r"[A-Za-z_]\w*", lambda word: f"({parts[word[0]]})" if word[0] in parts else word[0], params["expr"]
        )

    def _measure(self, name: str, condition: str) -> str:
        """An aggregate over the table of its semantic model."""
        if name not in self._measures:
            raise _Unsayable(name)
        model, measure = self._measures[name]
        if measure.get("non_additive_dimension") or measure["agg"] == "percentile":
            raise _Unsayable(name)
        table = _table(model)
        expression, own = _split(str(measure.get("expr") or name), measure["agg"])
        keys = {str(each.get("expr") or each["name"]) for each in model["entities"] if each["type"] == "primary"}
        counts_rows = measure["agg"] == "count" and (expression in keys or expression in ("1", "*"))
        of = table if expression is None or counts_rows else _qualified(expression, table)
        wanted = _both(condition, _qualified(own, table) if own else "")
        function = "count" if expression is None else _FUNCTIONS.get(measure["agg"], "count")
        distinct = "DISTINCT " if measure["agg"] == "count_distinct" else ""
        return f"{function}({distinct}{of})" + (f" FILTER (WHERE {wanted})" if wanted else "")

    def _filter(self, given: Any) -> str:
        """A metric's filters, with the columns that its dimensions are."""
        texts = [each["where_sql_template"] for each in (given or {}).get("where_filters", ())]
        return " AND ".join(f"({_DIMENSION.sub(self._column, text)})" for text in texts)

    def _column(self, found: re.Match[str]) -> str:
        entity, _, name = found["name"].rpartition("__")
        models = {id(model): model for model, _ in self._measures.values()}.values()
        for model in models:
            of_entity = model.get("primary_entity") == entity or any(
                each["name"] == entity and each["type"] == "primary" for each in model["entities"]
            )
            for dimension in model["dimensions"] if of_entity else ():
                if dimension["name"] == name:
                    return f"({_qualified(str(dimension.get('expr') or name), _table(model))})"
        raise _Unsayable(found[0])


def _synonyms(metric: Any) -> list[str]:
    found = ((metric.get("config") or {}).get("meta") or {}).get("synonyms") or []
    return [found] if isinstance(found, str) else list(map(str, found))


def _table(model: Any) -> str:
    return f"{model['node_relation']['schema_name']}.{model['node_relation']['alias']}"


def _both(one: str, other: str) -> str:
    return " AND ".join(each for each in (one, other) if each)


def _split(expression: str, agg: str) -> tuple[str | None, str]:
    """What is aggregated and where: `sum(case when C then 1 else 0 end)` counts the rows (None) where C holds."""
    from sqlglot import exp

    node = _parsed(expression)
    if agg == "sum_boolean":
        return None, expression
    if agg != "sum" or not isinstance(node, exp.Case) or node.this or len(node.args["ifs"]) != 1:
        return expression, ""
    rest = node.args.get("default")
    if rest is not None and rest.sql() not in ("0", "NULL"):
        raise _Unsayable(expression)
    found = node.args["ifs"][0]
    value = found.args["true"]
    return (None if value.sql() == "1" else value.sql(dialect="duckdb")), found.this.sql(dialect="duckdb")


def _qualified(expression: str, table: str) -> str:
    """The expression with each column as `schema.table.column`."""
    from sqlglot import exp

    schema, name = table.split(".", 1)
    node = _parsed(expression)

    def full(each: Any) -> Any:
        return exp.column(each.name, table=name, db=schema) if isinstance(each, exp.Column) else each

    return str(node.transform(full).sql(dialect="duckdb"))


def _parsed(expression: str) -> Any:
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return sqlglot.parse_one(expression, read="duckdb")
    except SqlglotError as error:
        raise _Unsayable(expression) from error
