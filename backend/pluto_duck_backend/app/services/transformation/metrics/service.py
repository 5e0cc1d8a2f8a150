"""The metrics of all dbt projects that ran on a root: what there is, and SQL for what is asked of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import orjson

from pluto_duck_backend.app.core.dbt_models import models
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, did_you_mean
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.transformation.metrics.engine import Dimension, Engine
from pluto_duck_backend.app.services.transformation.metrics.naming import resolved
from pluto_duck_backend.app.services.transformation.metrics.query import MetricQuery
from pluto_duck_backend.app.services.transformation.metrics.spoken import Spoken, spoken

Metric = dict[str, Any]


class MetricService:
    """Metrics of one data root. Thread-safe."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._lock = threading.Lock()
        self._engines: dict[str, tuple[Any, Engine]] = {}

    def every(self) -> list[Metric]:
        """`{name, label, description, type, project, metrics, dimensions}` of each metric, by name."""
        found = [self._described(project, each) for project, each in self._defined().values()]
        return sorted(found, key=lambda each: str(each["name"]))

    def sql(self, asked: MetricQuery) -> str:
        """The SELECT that answers by the metrics' definitions. Raises NotFound, InvalidInput."""
        projects = {self._project_of(name) for name in asked.metrics}
        if len(projects) > 1:
            raise InvalidInput(
                f"{', '.join(asked.metrics)} are of several projects: {', '.join(sorted(projects))}.",
                code="bad_metric_query",
                hint="Ask for each project's metrics alone.",
            )
        engine = self._engine(projects.pop())
        return engine.sql(resolved(asked, engine.dimensions(asked.metrics)))

    def dimensions(self, metric: str) -> list[Dimension]:
        """What a metric can be cut by. Raises NotFound."""
        return self._engine(self._project_of(metric)).dimensions([metric])

    def spoken(self) -> list[Spoken]:
        """What the metrics are called that only their definition computes."""
        return [
            each for project, semantic in models(self._paths).semantic.items() for each in spoken(project, semantic)
        ]

    def _defined(self) -> Mapping[str, tuple[str, Any]]:
        """Each metric with its project; of two called the same the one of the project that ran first."""
        semantic = models(self._paths).semantic
        every = [(project, metric) for project, each in semantic.items() for metric in each.get("metrics", ())]
        return {metric["name"]: (project, metric) for project, metric in reversed(every)}

    def _project_of(self, name: str) -> str:
        defined = self._defined()
        if name not in defined:
            raise NotFound(
                f"There is no metric {name!r}. {did_you_mean(name, defined)}".rstrip(),
                code="metric_not_found",
                hint="`pluto-duck metrics list` shows what there is; `pluto-duck dbt parse` reads a project's metrics.",
            )
        return defined[name][0]

    def _engine(self, project: str) -> Engine:
        semantic = models(self._paths).semantic[project]
        with self._lock:
            if project not in self._engines or self._engines[project][0] is not semantic:
                self._engines[project] = (semantic, Engine(orjson.dumps(semantic).decode()))
            return self._engines[project][1]

    def _described(self, project: str, metric: Any) -> Metric:
        inputs = metric["type_params"]
        named = [*(inputs.get("metrics") or ()), inputs.get("numerator"), inputs.get("denominator")]
        dimensions = self._engine(project).dimensions([metric["name"]])
        return {
            "name": metric["name"],
            "label": metric.get("label") or metric["name"],
            "description": metric.get("description") or "",
            "type": metric["type"],
            "project": project,
            "metrics": [each["name"] for each in named if each],
            "dimensions": sorted(each.name for each in dimensions if not each.is_entity),
        }
