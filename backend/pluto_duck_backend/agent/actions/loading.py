"""What changes the warehouse: loads and dbt, each a job that is followed to its end."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from pluto_duck_backend.agent.actions.contract import Call, Details, action
from pluto_duck_backend.app.core.errors import Cancelled, RemoteError

_LONG_S = 6 * 3600.0
_DBT = Literal["run", "test", "build", "seed", "snapshot", "compile", "ls", "show"]
_SHOWN_OF_NODE = ("node", "status", "message", "rows", "failing_rows")


@action("Load a file or a URL into a table", "engineer", writes=True, timeout_s=_LONG_S)
def ingest(
    call: Call,
    source: Annotated[str, Field(min_length=1, description="A path of the server's machine, or a URL.")],
    table: Annotated[str | None, Field(description="`name` or `schema.name`; none: the source's name.")] = None,
    mode: Literal["replace", "append", "incremental", "merge"] = "replace",
    key: Annotated[list[str] | None, Field(description="merge: the columns that name a row.")] = None,
    cursor: Annotated[str | None, Field(description="incremental: the column that rises.")] = None,
) -> Details:
    """Load data; a failed load changes nothing. Gives the tables with their rows, and warnings."""
    asked = {"connector": "auto", "target": table, "mode": mode, "key": key, "cursor": cursor}
    request = {**asked, "config": {"url" if "://" in source else "path": source}}
    job = _ended(call, call.workspace.ingest(request, call.who))
    return {"job_id": job["job_id"], "status": job["status"], **job["result"]}


@action("Run dbt", "engineer", writes=True, timeout_s=_LONG_S)
def dbt(
    call: Call,
    command: _DBT,
    select: Annotated[str | None, Field(description="dbt's selection, such as +orders or tag:nightly.")] = None,
    full_refresh: bool = False,
) -> Details:
    """Run a dbt command on the project of the data root; each node's status, what fails with its rows' query."""
    options = {"select": select, "full_refresh": full_refresh}
    job = _ended(call, call.workspace.run_dbt(command, options, call.who))
    result = job["result"]
    nodes = [{name: node.get(name) for name in _SHOWN_OF_NODE} for node in result["nodes"]]
    ended = {name: result[name] for name in ("exit_code", "message", "output")}
    return {"job_id": job["job_id"], "status": job["status"], **ended, "nodes": nodes}


def _ended(call: Call, job_id: str) -> Details:
    """The job when it has ended. Raises its error, or Cancelled."""
    jobs = call.workspace.jobs
    with call.token.interrupting(partial(jobs.cancel, job_id)):
        for event in jobs.log(job_id).follow(0):
            message = event["content"].get("message") or event["content"].get("node")
            if message:
                call.tell(str(message))
    job = jobs.get(job_id)
    if job["error"]:
        raise RemoteError.from_problem(job["error"])
    if job["status"] == "cancelled":
        raise Cancelled("The job was cancelled.")
    return job
