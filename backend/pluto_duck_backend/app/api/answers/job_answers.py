"""Loads and dbt commands, and what dbt has built."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pluto_duck_backend.app.api.answers.fault_answers import Fault


class JobId(BaseModel):
    job_id: str


class JobSummary(BaseModel):
    job_id: str
    kind: Literal["ingest", "dbt"]
    title: str = Field(description="What it does: the source, or dbt's command line.")
    status: Literal["running", "succeeded", "failed", "cancelled"]
    created_at: str
    ended_at: str | None


class Job(JobSummary):
    result: dict[str, Any] | None
    error: Fault | None


class Jobs(BaseModel):
    jobs: list[JobSummary]
    next: str | None = Field(description="The `before` of the next page; null: there is none.")


class TestCounts(BaseModel):
    passed: int
    failed: int
    not_run: int


class DbtNode(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    node: str = Field(description="dbt's unique_id.")
    name: str
    kind: Literal["model", "seed", "snapshot", "source"]
    schema_: str = Field(alias="schema")
    table: str
    materialized: str
    description: str
    inputs: list[str] = Field(description="The nodes it reads; what is ephemeral is seen through.")
    state: Literal["loaded", "built", "failed", "not built"] = Field(description="How its last build ended.")
    built_at: str | None
    failed_at: str | None
    tests: TestCounts


class DescribedColumn(BaseModel):
    name: str
    description: str


class DbtNodeDetails(DbtNode):
    columns: list[DescribedColumn] = Field(description="Those that the project describes.")
    path: str = Field(description="Its file, within the project.")
    code: str = Field(description="Its SQL as written; empty: it has none.")
    compiled: str = Field(description="Its SQL as dbt last compiled it; empty: not compiled.")
    test_results: dict[str, str] = Field(description="Each test and how it last ended; empty text: not run yet.")


class Graph(BaseModel):
    nodes: list[DbtNode]


class JobIds(BaseModel):
    job_ids: list[str]


class Recipes(BaseModel):
    recipes: list[str] = Field(description="Names of configs/sources/NAME.yaml.")


class Scaffold(BaseModel):
    project: str = Field(description="The dbt project's folder.")
    files: list[str] = Field(description="What was written, within the project.")


class Sources(BaseModel):
    sources: list[dict[str, Any]]
