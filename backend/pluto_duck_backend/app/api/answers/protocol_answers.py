"""What Agent2Agent and the Agent Protocol say."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class AgentCard(BaseModel):
    """An agent card of A2A."""

    model_config = ConfigDict(extra="allow")

    name: str
    description: str
    version: str
    supportedInterfaces: list[dict[str, str]]
    skills: list[dict[str, Any]]


class Pagination(BaseModel):
    total_items: int
    total_pages: int
    current_page: int
    page_size: int


class ProtocolArtifact(BaseModel):
    artifact_id: str
    agent_created: bool
    file_name: str
    relative_path: str | None
    created_at: str


class ProtocolTask(BaseModel):
    """A task of the Agent Protocol."""

    task_id: str
    input: str
    additional_input: dict[str, Any]
    artifacts: list[ProtocolArtifact]


class ProtocolStep(BaseModel):
    """A step of the Agent Protocol: a run."""

    task_id: str
    step_id: str = Field(description="The run's id.")
    name: str = Field(description="How the run ended, in words.")
    input: str
    additional_input: dict[str, Any]
    status: Literal["created", "running", "completed"]
    output: str | None = Field(description="The answer, the question back, or why there is none.")
    additional_output: dict[str, Any] = Field(description="The same as data.")
    artifacts: list[ProtocolArtifact]
    is_last: bool = Field(description="Nothing is left to do; false: it runs, or asks back.")


class ProtocolTasks(BaseModel):
    tasks: list[ProtocolTask]
    pagination: Pagination


class ProtocolSteps(BaseModel):
    steps: list[ProtocolStep]
    pagination: Pagination


class ProtocolArtifacts(BaseModel):
    artifacts: list[ProtocolArtifact]
    pagination: Pagination


class RpcAnswer(BaseModel):
    """An answer of JSON-RPC 2.0."""

    jsonrpc: Literal["2.0"]
    id: str | int | None
    result: dict[str, Any] | None = Field(None, description="What the method gives.")
    error: dict[str, Any] | None = Field(None, description="`{code, message, data}` in the place of a result.")
