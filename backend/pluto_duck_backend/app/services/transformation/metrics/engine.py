"""The border to MetricFlow: a semantic manifest in, SQL for DuckDB out. Loaded with the first metric query (0.5 s).

MetricFlow only writes SQL here: it is given no connection. Its errors about what was asked become InvalidInput.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput


@dataclass(frozen=True)
class Dimension:
    """What metrics can be cut by: `name` with its entities before it (`customer__country`)."""

    name: str
    is_time: bool
    is_entity: bool = False

    @property
    def short(self) -> str:
        return self.name.rsplit("__", 1)[-1]

    @property
    def path(self) -> int:
        return self.name.count("__")


@dataclass(frozen=True)
class Resolved:
    """A query in MetricFlow's names."""

    metrics: Sequence[str]
    by: Sequence[str] = ()
    where: Sequence[str] = ()
    order: Sequence[str] = ()
    limit: int | None = None
    start: dt.date | None = None
    end: dt.date | None = None


class Engine:
    """One project's semantic manifest. Raises InvalidInput for one that MetricFlow does not take."""

    def __init__(self, manifest: str) -> None:
        from metricflow.engine.metricflow_engine import MetricFlowEngine
        from metricflow_semantics.model.dbt_manifest_parser import parse_manifest_from_dbt_generated_manifest
        from metricflow_semantics.model.semantic_manifest_lookup import SemanticManifestLookup

        with _errors():
            parsed = parse_manifest_from_dbt_generated_manifest(manifest)
            self._engine: Any = MetricFlowEngine(SemanticManifestLookup(parsed), _writer())

    def dimensions(self, metrics: Sequence[str]) -> list[Dimension]:
        """What all these metrics can be cut by."""
        with _errors():
            found = self._engine.simple_dimensions_for_metrics(list(metrics))
            entities = self._engine.entities_for_metrics(list(metrics))
        listed = [Dimension(_without_grain(each), each.type.value == "time") for each in found]
        keys = [Dimension(each.name, False, True) for each in entities]
        return list(dict.fromkeys([*listed, *keys]))

    def sql(self, asked: Resolved) -> str:
        """One SELECT with a column for each dimension and metric."""
        from metricflow.engine.metricflow_engine import MetricFlowQueryRequest

        with _errors():
            explained = self._engine.explain(
                MetricFlowQueryRequest.create(
                    metric_names=list(asked.metrics),
                    group_by_names=list(asked.by) or None,
                    where_constraints=list(asked.where) or None,
                    order_by_names=list(asked.order) or None,
                    limit=asked.limit,
                    time_constraint_start=_midnight(asked.start),
                    time_constraint_end=_midnight(asked.end),
                )
            )
        return str(explained.sql_statement.without_descriptions.sql)


def _midnight(day: dt.date | None) -> dt.datetime | None:
    return dt.datetime.combine(day, dt.time()) if day else None


def _without_grain(dimension: Any) -> str:
    name = str(dimension.dunder_name)
    grain = dimension.type_params.time_granularity.value if dimension.type_params else ""
    return name.removesuffix(f"__{grain}") if grain and dimension.name == "metric_time" else name


def _writer() -> Any:
    """What MetricFlow takes for a database: it is asked for DuckDB's dialect, and nothing else."""
    from metricflow.protocols.sql_client import SqlEngine
    from metricflow.sql.render.duckdb_renderer import DuckDbSqlPlanRenderer

    class Writer:
        sql_engine_type = SqlEngine.DUCKDB
        sql_plan_renderer = DuckDbSqlPlanRenderer()

        def render_bind_parameter_key(self, bind_parameter_key: str) -> str:
            return f"${bind_parameter_key}"

    return Writer()


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    """MetricFlow's errors about what was asked, in our words."""
    from metricflow_semantics.errors.error_classes import MetricFlowException

    try:
        yield
    except (MetricFlowException, ValueError) as error:
        text = " ".join(line.strip() for line in str(error).splitlines() if line.strip())
        raise InvalidInput(
            f"MetricFlow cannot compile this: {text[:600]}",
            code="bad_metric_query",
            hint="`pluto-duck metrics list` shows each metric and what it can be cut by.",
        ) from error
