"""Which role each call needs, in one table; docs/roles.md is written from it, and tests hold every call to it.

A call that is not in the table is the admin's alone. What a token's rights hide stays hidden whatever its role.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from pluto_duck_backend.app.api.safety import who_asks
from pluto_duck_backend.app.core.errors import Refused
from pluto_duck_backend.app.core.principal import Principal, Role

OPEN = ("GET /", "GET /health", "GET /docs", "GET /openapi.json", "GET /web/{name}", "GET /.well-known/agent-card.json")
"""What anybody may load: nothing of it is secret."""

_CALLS: dict[Role, tuple[str, ...]] = {
    "viewer": (
        "POST /agent/run",
        "GET /agent",
        "GET /agent/{run_id}",
        "GET /agent/{run_id}/events",
        "GET /agent/{run_id}/export",
        "POST /agent/{run_id}/cancel",
        "GET /agents",
        "GET /actions",
        "POST /actions",
        "POST /actions/{call_id}/cancel",
        "POST /a2a",
        "POST /a2a/{agent}",
        "GET /a2a/{agent}/.well-known/agent-card.json",
        "POST /ap/v1/agent/tasks",
        "GET /ap/v1/agent/tasks",
        "GET /ap/v1/agent/tasks/{task_id}",
        "GET /ap/v1/agent/tasks/{task_id}/steps",
        "POST /ap/v1/agent/tasks/{task_id}/steps",
        "GET /ap/v1/agent/tasks/{task_id}/steps/{step_id}",
        "GET /ap/v1/agent/tasks/{task_id}/artifacts",
        "GET /ap/v1/agent/tasks/{task_id}/artifacts/{artifact_id}",
        "GET /boards",
        "GET /boards/{board_id}",
        "POST /boards/{board_id}/refresh",
        "GET /boards/{board_id}/export",
        "GET /query/{job_id}",
        "GET /query/{job_id}/result",
        "GET /query/{job_id}/chart",
        "GET /query/{job_id}/rows",
        "POST /query/{job_id}/cancel",
        "GET /metrics",
        "GET /schema",
        "GET /schema/{table}",
        "GET /values",
    ),
    "analyst": (
        "POST /agent/{run_id}/confirm",
        "POST /boards",
        "PATCH /boards/{board_id}",
        "DELETE /boards/{board_id}",
        "POST /boards/{board_id}/tiles",
        "PATCH /boards/{board_id}/tiles/{tile_id}",
        "DELETE /boards/{board_id}/tiles/{tile_id}",
        "GET /memory",
        "DELETE /memory/{name}",
        "POST /metrics/query",
        "POST /query",
    ),
    "engineer": (
        "POST /agent/{run_id}/save",
        "POST /ingest",
        "POST /ingest/upload",
        "GET /ingest",
        "GET /ingest/recipes",
        "POST /ingest/recipes/{name}",
        "GET /ingest/{job_id}",
        "GET /ingest/{job_id}/events",
        "POST /ingest/{job_id}/cancel",
        "GET /jobs",
        "POST /dbt/scaffold",
        "POST /dbt/{command}",
        "GET /dbt/graph",
        "GET /dbt/graph/{node}",
        "GET /dbt/{job_id}",
        "GET /dbt/{job_id}/events",
        "POST /dbt/{job_id}/cancel",
    ),
    "admin": (
        "GET /agent/usage",
        "GET /agents/{name}",
        "PUT /agents/{name}",
        "DELETE /agents/{name}",
        "GET /settings",
        "PATCH /settings",
        "POST /settings/checks",
    ),
}
NEEDED: dict[str, Role] = {call: role for role, calls in _CALLS.items() for call in calls}
"""The least role by `METHOD path`, the path below /api/v1 as the router spells it."""
AT_ROOT: dict[str, Role] = {"GET /metrics": "admin"}
"""The same of calls that are not below /api/v1 and whose names are taken there."""


TOOL_OF = {
    **dict.fromkeys(("POST /agent/run", "POST /a2a", "POST /a2a/{agent}"), "ask"),
    **dict.fromkeys(("POST /ap/v1/agent/tasks", "POST /ap/v1/agent/tasks/{task_id}/steps"), "ask"),
    **dict.fromkeys(("GET /schema", "GET /schema/{table}"), "schema"),
    **dict.fromkeys(("GET /metrics", "POST /metrics/query"), "metrics"),
    "GET /values": "values",
    "POST /query": "query",
    "GET /query/{job_id}/chart": "chart",
    "GET /agent/{run_id}/export": "export",
    **dict.fromkeys(("POST /ingest", "POST /ingest/upload", "POST /ingest/recipes/{name}"), "ingest"),
    **dict.fromkeys(("POST /dbt/scaffold", "POST /dbt/{command}"), "dbt"),
}
"""The action that a call amounts to: an agent that lacks the tool lacks the call."""


def permitted(request: Request, who: Annotated[Principal, Depends(who_asks)]) -> None:
    """A router's dependency. Raises Refused where the caller's role is too small, or its agent lacks the tool."""
    call = f"{request.method} {request.scope['route'].path_format}"
    _check(who, call, NEEDED.get(call, "admin"))
    if call in TOOL_OF:
        request.app.state.check_tool(TOOL_OF[call], who)


def permitted_at_root(request: Request, who: Annotated[Principal, Depends(who_asks)]) -> None:
    """The same for a router of calls at the root."""
    call = f"{request.method} {request.scope['route'].path_format}"
    _check(who, call, AT_ROOT.get(call, "admin"))


def _check(who: Principal, call: str, role: Role) -> None:
    if not who.is_at_least(role):
        raise Refused(
            f"{who.name!r} is {_article(who.role)}, and {call} needs {_article(role)}.",
            code="role_too_small",
            hint="docs/roles.md lists what each role may do; `pluto-duck tokens create` makes a token.",
        )


def _article(role: Role) -> str:
    return f"{'a' if role == 'viewer' else 'an'} {role}"
