"""Jobs through a client: follow an ingestion or a dbt command, cancel it on Ctrl-C, raise what it failed with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pluto_duck_backend.app.core.errors import Cancelled, RemoteError
from pluto_duck_cli.client import Client, JobKind


def work(client: Client, kind: JobKind, job_id: str, show: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Show each event; returns the job when it has ended. Raises its error, or Cancelled."""
    try:
        for event in client.job_events(kind, job_id):
            show(event)
    except KeyboardInterrupt:
        client.cancel_job(kind, job_id)
        raise
    job = client.job(kind, job_id)
    if job["error"]:
        raise RemoteError.from_problem(job["error"])
    if job["status"] == "cancelled":
        raise Cancelled("The job was cancelled.")
    return job
