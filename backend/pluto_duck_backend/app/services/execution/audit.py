"""The audit log: who ran what, and whether it was allowed; one line a query, append-only, in artifacts/audit.jsonl."""

from __future__ import annotations

from pathlib import Path

import orjson

from pluto_duck_backend.app.core.lines import Lines
from pluto_duck_backend.app.services.execution.job import QueryResult, now


class Audit:
    """Appends to `path`, which is readable by its owner only."""

    def __init__(self, path: Path) -> None:
        self._lines = Lines(path)

    def query(self, job: QueryResult) -> None:
        """A query that ended. Raises EnvironmentFault where it cannot be written."""
        entry = {
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
        self._lines.append(orjson.dumps(entry))


def outcome(job: QueryResult) -> str:
    """allowed (it ran), refused (a rule forbade it), or failed, cancelled as the job's status."""
    if job.status == "succeeded":
        return "allowed"
    return "refused" if job.refused else job.status
