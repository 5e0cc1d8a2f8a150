"""Results that are kept: read back whole or in part, and shared with other processes where artifacts are.

A result is on this machine's disk first, since DuckDB reads it there; what this one lacks it fetches from the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution import results, windows
from pluto_duck_backend.app.services.execution.endings import no_result
from pluto_duck_backend.app.services.execution.job import QueryResult
from pluto_duck_backend.app.services.execution.keeping import Store
from pluto_duck_backend.app.services.execution.shared_results import SharedResults

Cells = list[list[Any]]


class KeptResults:
    """Who reads what is not there is told NotFound, or why it was not kept; EnvironmentFault of others' storage."""

    def __init__(self, warehouse: Warehouse, store: Store, shared: SharedResults | None) -> None:
        self._warehouse = warehouse
        self._store = store
        self._shared = shared

    def stream(self, job: QueryResult, form: str) -> results.Chunks:
        """The full result in one of the formats."""
        return results.stream(self._warehouse, self._path(job), job.columns, form)

    def batches(self, job: QueryResult) -> Iterator[Cells]:
        """All rows, some thousands at a time."""
        return results.batches(self._warehouse, self._path(job), job.columns)

    def window(self, job: QueryResult, window: windows.Window) -> dict[str, Any]:
        """Some rows, sorted and filtered."""
        path = self._path(job)
        with self._warehouse.read() as session:
            return windows.look(session, path, job.columns, window)

    def first(self, job: QueryResult, limit: int) -> Cells:
        """The first rows."""
        self._path(job)
        with self._warehouse.read() as session:
            return self._store.preview(session, job.job_id, job.columns, limit)

    def is_there(self, job: QueryResult) -> bool:
        return job.status == "succeeded" and self._here(job.job_id).is_file()

    def _path(self, job: QueryResult) -> Path:
        if not self.is_there(job):
            raise no_result(job)
        return self._store.path(job.job_id)

    def _here(self, job_id: str) -> Path:
        """The place of a job's file, fetched where only others have it."""
        path = self._store.path(job_id)
        if self._shared and not path.is_file():
            self._shared.fetch(job_id, path)
        return path

    def record(self, job_id: str) -> dict[str, Any] | None:
        """The record of a job that another process ran; None: nobody has it."""
        return self._shared.find(job_id) if self._shared else None

    def share(self, job: QueryResult) -> EnvironmentFault | None:
        """Put it where others find it; returns why it is on this machine only."""
        if self._shared is None or job.status != "succeeded" or job.keep_error:
            return None
        try:
            self._shared.keep(job.job_id, self._store.path(job.job_id), job.record())
        except EnvironmentFault as error:
            return error
        return None

    def forget(self, job_id: str) -> None:
        """Delete what others find of it."""
        if self._shared:
            self._shared.forget(job_id)
