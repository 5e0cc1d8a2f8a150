"""Runs, what they used, and what a person has confirmed of them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from pluto_duck_backend.app.api.answers.fault_answers import Fault


class RunStarted(BaseModel):
    run_id: str
    conversation_id: str
    events_url: str


class Usage(BaseModel):
    input_tokens: int
    output_tokens: int
    cost_usd: float
    calls: int
    elapsed_s: float


class UsageOfDay(Usage):
    day: str
    provider: str
    model: str


class UsageSummary(BaseModel):
    usage: list[UsageOfDay]


class RunSummary(BaseModel):
    run_id: str
    conversation_id: str
    question: str
    status: Literal["running", "succeeded", "needs_input", "cannot_answer", "cancelled", "failed"]
    created_at: str
    ended_at: str | None
    usage: Usage | None = Field(description="What models have used for it; null where none was called.")


class Run(RunSummary):
    agent: str | None = Field(description="Who answers; null: nobody in particular.")
    final: dict[str, Any] | None = Field(description="The final object, as in docs/events.md.")
    error: Fault | None


class Runs(BaseModel):
    runs: list[RunSummary]
    next: str | None = Field(description="The `before` of the next page; null: there is none.")


class RunId(BaseModel):
    run_id: str


class Confirmed(BaseModel):
    question: str
    after: list[str] = Field(description="The questions before it in its conversation.")
    reading: str | None = Field(description="The option chosen, where the question had several readings.")
    sql: str
    run_id: str | None
    confirmed_at: str | None
    confirmed_by: str | None
    file: str = Field(description="Its file below the root; delete it to forget it.")
    stale: str | None = Field(description="Why it is not used any more; null: it is.")


class Memory(BaseModel):
    confirmed: list[Confirmed]


class Asset(BaseModel):
    kind: Literal["model", "test", "metric", "analysis"]
    name: str
    project: str = Field(description="The dbt project's folder.")
    files: list[str] = Field(description="What was written, within the project.")
