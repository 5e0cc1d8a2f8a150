"""Agents and their files; actions, and the servers that tools come from."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pluto_duck_backend.app.api.answers.fault_answers import Fault


class AgentSummary(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str
    problem: str | None = Field(description="What is wrong with its file; null: it can be asked.")


class Agents(BaseModel):
    agents: list[AgentSummary]


class AgentDetails(AgentSummary):
    files: dict[str, str] = Field(description="Texts by name: agent.yaml, and Markdown beside it.")


class AgentName(BaseModel):
    name: str


class Deployed(AgentName):
    deployed: bool
    demands: list[str] = Field(description="What the agent is given, in sentences.")


class ActionSummary(BaseModel):
    name: str
    title: str
    description: str
    role: Literal["viewer", "analyst", "engineer", "admin"] = Field(description="The least role that may call it.")
    writes: bool = Field(description="It changes the warehouse, or what is outside.")
    approval: bool = Field(description="A person must approve each call.")
    timeout_s: float = Field(description="Seconds after which it is ended.")
    input_schema: dict[str, Any] = Field(description="What it takes, as JSON Schema.")


class ServerAway(Fault):
    server: str = Field(description="The MCP server of the agent's file.")


class Actions(BaseModel):
    actions: list[ActionSummary]
    away: list[ServerAway] = Field(description="MCP servers whose tools are missing, and why.")


class ActionFault(Fault):
    refused: bool = Field(description="A rule forbade it.")


class ActionResult(BaseModel):
    content: str = Field(description="Text for a reader or a model.")
    details: dict[str, Any] = Field(description="The same as data.")
    error: ActionFault | None = Field(description="Why it failed; null: it is done.")


class CallId(BaseModel):
    call_id: str
