"""What requests hold. Unknown fields are refused by name, so that a misspelt option never goes unnoticed."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, model_validator

from pluto_duck_backend.agent.runs import MAX_QUESTION


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _writable(cls, data: Any) -> Any:
        """JSON can say what no file takes: half a surrogate pair, an integer beyond 64 bits."""
        try:
            orjson.dumps(data)
        except TypeError as error:
            raise ValueError(str(error)) from error
        return data


class AskRequest(_Strict):
    """A question."""

    question: str = Field(
        description="The question, in plain words.", json_schema_extra={"minLength": 1, "maxLength": MAX_QUESTION}
    )
    conversation_id: str | None = Field(None, description="Goes on with this conversation.")
    provider: str | None = Field(None, description="Who answers; empty: the setting agent.provider.")
    model: str | None = Field(None, description="The provider's model.")
    max_rows: int | None = Field(None, ge=0, le=10_000, description="Rows shown in the answer.")
    timeout_s: float | None = Field(None, gt=0, le=86_400, description="Seconds the run may take.")


class ConfirmRequest(_Strict):
    """A person's word that an answer is right."""

    replace: bool = Field(False, description="Put it in the place of other SQL confirmed for the same question.")


class QueryRequest(_Strict):
    """SQL to run, read-only."""

    sql: str = Field(description="One SELECT statement (or DESCRIBE, SUMMARIZE, SHOW TABLES, EXPLAIN).")
    timeout_s: float | None = Field(None, gt=0, le=86_400, description="Seconds the query may take.")
    max_rows: int | None = Field(None, ge=0, le=100_000, description="Rows of the preview.")


class IngestBody(_Strict):
    """A source to load."""

    connector: str = Field("auto", description="The connector's name, or auto.")
    config: dict[str, Any] = Field(
        description="What the connector takes, such as {path}.", json_schema_extra={"minProperties": 1}
    )
    target: str | None = Field(None, description="The table, `name` or `schema.name`; empty: from the source.")
    mode: Literal["replace", "append", "incremental", "merge"] = Field("replace", description="How rows are added.")
    cursor: str | None = Field(None, description="Incremental: the column that rises with each new or changed row.")
    key: str | list[str] | None = Field(None, description="Merge: the columns that name a row.")
    look_back: str | float | None = Field(None, description="Incremental: how far below the cursor rows come late.")
    delete_missing: bool = Field(False, description="Merge: delete rows that the source has no more.")
    columns: Literal["evolve", "contract"] = Field("evolve", description="contract: refuse other columns.")
    max_rejects: int | None = Field(None, ge=0, description="Rows that may be put aside as unreadable.")
    retries: int | None = Field(None, ge=0, description="How often it is tried again after a passing fault.")


class ScaffoldBody(_Strict):
    """For which tables a staging layer is proposed."""

    tables: list[str] = Field(default_factory=list, description="Loaded tables; empty: all that are no source yet.")
    project_dir: str | None = Field(None, description="Another project than the setting's.")


class SaveBody(_Strict):
    """What an answer becomes in a dbt project."""

    kind: Literal["model", "test", "metric", "analysis"] = Field(description="What it becomes.")
    name: str = Field(
        description="Its name: lower-case letters, digits, underscores.", pattern="^[a-z][a-z0-9_]{0,60}$"
    )
    project_dir: str | None = Field(None, description="Another project than the setting's.")


class MetricBody(_Strict):
    """What is asked of metrics."""

    metrics: list[str] = Field(min_length=1, description="One metric or more, by name.")
    by: list[str] = Field(default_factory=list, description="Dimensions: country, customer__country; or grains: month.")
    grain: Literal["day", "week", "month", "quarter", "year"] | None = Field(None, description="Cuts their time.")
    where: list[str] = Field(default_factory=list, description="Conditions on dimensions, in SQL; all must hold.")
    order: list[str] = Field(default_factory=list, description="Metrics or dimensions; -NAME falls.")
    limit: int | None = Field(None, ge=1, le=1_000_000, description="So many rows.")
    start: date | None = Field(None, description="The first day.")
    end: date | None = Field(None, description="The last day.")
    timeout_s: float | None = Field(None, gt=0, le=86_400, description="Seconds the query may take.")
    max_rows: int | None = Field(None, ge=0, le=100_000, description="Rows of the preview.")


class DbtBody(_Strict):
    """Options of a dbt command."""

    select: str | list[str] | None = Field(None, description="dbt's node selection.")
    exclude: str | list[str] | None = Field(None, description="Nodes left out.")
    vars: dict[str, Any] | None = Field(None, description="dbt vars.")
    full_refresh: bool = Field(False, description="Rebuild incremental models.")
    args: list[str] = Field(default_factory=list, description="Further flags of dbt's own.")
    project_dir: str | None = Field(None, description="Another project than the setting's.")
