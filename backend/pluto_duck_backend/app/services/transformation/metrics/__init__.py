"""dbt's metrics: listed, and compiled to SQL by their definitions; the SQL is run by whoever asked, like any other."""

from pluto_duck_backend.app.services.transformation.metrics.query import MetricQuery
from pluto_duck_backend.app.services.transformation.metrics.service import MetricService
from pluto_duck_backend.app.services.transformation.metrics.spoken import Spoken

__all__ = ["MetricQuery", "MetricService", "Spoken"]
