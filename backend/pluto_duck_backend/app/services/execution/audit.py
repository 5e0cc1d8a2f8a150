"""The audit log: who did what, and whether it was allowed; append-only, in artifacts/audit.jsonl.

One line a query, one a call of an action, and one a call of a server that changes something or is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.lines import Lines
from pluto_duck_backend.app.core.principal import Principal
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

    def call(self, who: Principal, call: str, status: int) -> None:
        """A call of a server, such as `POST /api/v1/ingest`, and its HTTP status. Raises EnvironmentFault."""
        allowed = "refused" if status in (403, 429) else "failed" if status >= 400 else "allowed"
        entry = {"at": now(), "who": who.name, "role": who.role, "outcome": allowed, "call": call, "status": status}
        self._lines.append(orjson.dumps(entry))

    def action(self, who: Principal, name: str, call_id: str, error: dict[str, Any] | None) -> None:
        """A call of an action, and the error it ended with. Raises EnvironmentFault."""
        entry = {"at": now(), "who": who.name, "role": who.role, "outcome": action_outcome(error), "action": name}
        self._lines.append(orjson.dumps({**entry, "code": error and error["code"], "call_id": call_id}))


def action_outcome(error: dict[str, Any] | None) -> str:
    """allowed, or refused (a rule forbade it), or failed, as the error that a call ended with."""
    return "allowed" if error is None else "refused" if error["refused"] else "failed"


def outcome(job: QueryResult) -> str:
    """allowed (it ran), refused (a rule forbade it), or failed, cancelled as the job's status."""
    if job.status == "succeeded":
        return "allowed"
    return "refused" if job.refused else job.status
