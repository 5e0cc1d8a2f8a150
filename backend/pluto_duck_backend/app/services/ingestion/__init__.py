"""Sources into warehouse tables."""

from pluto_duck_backend.app.services.ingestion.requests import IngestRequest, LoadResult, Progress, TableResult
from pluto_duck_backend.app.services.ingestion.service import IngestionService

__all__ = ["IngestRequest", "IngestionService", "LoadResult", "Progress", "TableResult"]
