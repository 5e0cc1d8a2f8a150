"""The audit log: who ran what, and whether it was allowed; one line a query, append-only, in artifacts/audit.jsonl."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.services.execution.job import QueryResult, now


class Audit:
    """Appends to `path`, which is readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def query(self, job: QueryResult) -> None:
        """A query that ended."""
        self._append(
            {
                "at": now(),
                "who": job.who,
                "outcome": outcome(job),
                "sql": job.sql,
                "tables": list(job.tables),
                "row_count": job.row_count,
                "code": (job.error or {}).get("code"),
                "job_id": job.job_id,
                "run_id": job.run_id,
            }
        )

    def _append(self, entry: dict[str, Any]) -> None:
        """One system call a line, so that no line is ever half another's."""
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, orjson.dumps(entry) + b"\n")
        finally:
            os.close(file)


def outcome(job: QueryResult) -> str:
    """allowed (it ran), refused (a rule forbade it), or failed, cancelled as the job's status."""
    if job.status == "succeeded":
        return "allowed"
    return "refused" if job.refused else job.status
