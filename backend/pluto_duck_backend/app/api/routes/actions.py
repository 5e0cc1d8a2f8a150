"""Actions: what there is for the caller, and having it done."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from pluto_duck_backend.agent.actions.calling import Actions
from pluto_duck_backend.agent.actions.contract import Result
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers import agent_answers
from pluto_duck_backend.app.api.answers.agent_answers import ActionResult, CallId
from pluto_duck_backend.app.api.following import follow
from pluto_duck_backend.app.api.models import ActionBody
from pluto_duck_backend.app.api.openapi import bytes_of, documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who
from pluto_duck_backend.app.api.waiting import Waiter
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.principal import Principal

_DONE = documented(404, 409, model=ActionResult)
_DONE[200] |= bytes_of("text/event-stream")


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/actions", tags=["actions"])
    actions, waiter = workspace.actions, Waiter()

    @routes.get("", responses=documented(404, model=agent_answers.Actions))
    def every(
        who: Who, agent: Annotated[str | None, Query(max_length=64, description="Whose tools, too.")] = None
    ) -> Response:
        """The actions that the caller may have done, with what each takes."""
        return as_json(actions.every(who, agent))

    @routes.post("", response_class=Response, responses=_DONE)
    async def call(
        request: Request,
        body: ActionBody,
        who: Who,
        stream: Annotated[bool, Query(description="Its progress as server-sent events, the result last.")] = False,
    ) -> Response:
        """Have an action done. Going away ends it, unless it has an idempotency key."""
        call_id = new_id("call")
        work = partial(_call, actions, body, who, call_id)
        abandoned = (lambda: None) if body.idempotency_key else partial(actions.cancel, call_id)
        if stream:
            return await follow(call_id, work, abandoned, waiter)
        return as_json((await waiter.long(request, work, abandoned=abandoned)).to_dict())

    @routes.post("/{call_id}/cancel", status_code=202, responses=documented(404, status=202, model=CallId))
    def cancel(call_id: str, who: Who) -> Response:
        """End a call that is running; what it started is ended, too."""
        actions.cancel(call_id, who)
        return as_json({"call_id": call_id}, 202)

    return routes


def _call(actions: Actions, body: ActionBody, who: Principal, call_id: str, **told: Any) -> Result:
    """`told`: whom to tell that it has begun, and how far it is."""
    return actions.call(
        *(body.name, body.arguments),
        who=who,
        timeout_s=body.timeout_s,
        key=body.idempotency_key,
        agent=body.agent,
        approved=body.approved,
        call_id=call_id,
        **told,
    )
