"""Agents: who answers. Deployed and removed as files of the data root."""

from __future__ import annotations

from fastapi import APIRouter, Response

from pluto_duck_backend.agent.permits import may_configure
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.agent_answers import AgentDetails, AgentName, Agents, Deployed
from pluto_duck_backend.app.api.models import AgentBody
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/agents", tags=["agents"])
    agents = workspace.agents

    @routes.get("", responses=documented(model=Agents))
    def every(who: Who) -> Response:
        """The agents that may be asked; one whose file is broken has a `problem`."""
        return as_json({"agents": agents.every(who)})

    @routes.get("/{name}", responses=documented(404, model=AgentDetails))
    def one(name: str, who: Who) -> Response:
        """An agent with its files."""
        may_configure(who)
        return as_json(agents.show(name))

    @routes.put("/{name}", responses=documented(model=Deployed))
    def deploy(name: str, body: AgentBody, who: Who) -> Response:
        """Put an agent's files in place; with `check` only say what it would be given."""
        may_configure(who)
        return as_json(agents.deploy(name, body.files, body.check))

    @routes.delete("/{name}", responses=documented(404, model=AgentName))
    def remove(name: str, who: Who) -> Response:
        """Forget an agent and its files."""
        may_configure(who)
        return as_json(agents.remove(name))

    return routes
