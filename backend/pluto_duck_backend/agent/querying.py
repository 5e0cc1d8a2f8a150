"""Runs one query of a run, so that cancelling the run interrupts it."""

from __future__ import annotations

import contextlib
from functools import partial

from pluto_duck_backend.agent.state import Tools
from pluto_duck_backend.app.core.errors import Cancelled, NotFound
from pluto_duck_backend.app.services.execution.executor import QueryResult


def run_query(sql: str, job_id: str, tools: Tools) -> QueryResult:
    """The result, guarded and read-only. Raises what went wrong, or the reason why the run was cancelled.

    A small one is kept on disk after that; whoever reads it from there waits (`QueryService`).
    """
    interrupt = partial(_interrupt, job_id, tools)

    def begun() -> None:
        if tools.token.reason:
            interrupt()

    asked = {"run_id": tools.run_id, "max_rows": tools.max_rows, "who": tools.who}
    try:
        with tools.token.interrupting(interrupt):
            return tools.queries.run(sql, job_id=job_id, until_kept=False, begun=begun, **asked)
    except Cancelled:
        tools.token.check()
        raise


def _interrupt(job_id: str, tools: Tools) -> None:
    with contextlib.suppress(NotFound):  # it has not begun; `begun` looks again when it has
        tools.queries.cancel(job_id)
