"""Results where other processes find them: the Parquet file of a job and its record, with the artifact service.

The executor keeps a result on its own disk first, since DuckDB reads it there; what it lacks it fetches from here. What
must stay true: a record is there only after its file, so who finds a job finds its rows.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.errors import NotFound
from pluto_duck_backend.app.core.state import ArtifactService
from pluto_duck_backend.app.core.whole_files import write_whole

_SCOPE = "artifacts/queries"
_PIECE = 1 << 20


class SharedResults:
    """Every call may raise EnvironmentFault."""

    def __init__(self, artifacts: ArtifactService) -> None:
        self._artifacts = artifacts

    def keep(self, job_id: str, path: Path, record: dict[str, Any]) -> None:
        """Put a job's file and its record there."""
        self._artifacts.write(_SCOPE, f"{job_id}.parquet", _pieces(path))
        self._artifacts.write(_SCOPE, f"{job_id}.json", [orjson.dumps(record, default=str)])

    def find(self, job_id: str) -> dict[str, Any] | None:
        """The record of a job, or None."""
        try:
            found: dict[str, Any] = orjson.loads(b"".join(self._artifacts.read(_SCOPE, f"{job_id}.json")))
        except NotFound:
            return None
        return found

    def fetch(self, job_id: str, path: Path) -> None:
        """Make `path` the job's file, where there is one."""
        with contextlib.suppress(NotFound):
            write_whole(path, self._artifacts.read(_SCOPE, f"{job_id}.parquet"), private=True)

    def forget(self, job_id: str) -> None:
        for ending in ("json", "parquet"):
            self._artifacts.delete(_SCOPE, f"{job_id}.{ending}")


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
