"""Queries: a result's columns, rows and figures."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from pluto_duck_backend.app.api.answers.fault_answers import Fault


class Column(BaseModel):
    name: str
    type: str = Field(description="DuckDB's name of the type.")


class ColumnProfile(BaseModel):
    name: str
    nulls: int
    distinct: int | None = Field(description="Different values, estimated.")
    least: Any
    greatest: Any


class QueryJob(BaseModel):
    job_id: str
    status: Literal["running", "succeeded", "failed", "cancelled"]
    sql: str
    columns: list[Column]
    rows: list[list[Any]] = Field(description="A preview; cells in column order.")
    row_count: int | None
    truncated: bool = Field(description="Whether there are more rows than the preview has.")
    elapsed_ms: float
    error: Fault | None
    refused: bool = Field(description="It failed because a rule forbade it.")
    tables: list[str] = Field(description="What it reads, as schema.table, through views too.")
    run_id: str | None = Field(description="The run that asked, if one did.")
    created_at: str
    who: str = Field(description="Who asked: the token's name, or local.")
    plan: list[str] = Field(description="DuckDB's operators, from the scans up.")
    profile: list[ColumnProfile] | None = Field(description="Of each result column; null until the result is kept.")
    result_bytes: int | None = Field(description="Size of the kept result; null: not kept (yet).")
    keep_error: Fault | None = Field(description="Why the result of an answered query is not on disk.")


class ResultWindow(BaseModel):
    rows: list[list[Any]]
    row_count: int = Field(description="Rows behind the filter, of which these are some.")
