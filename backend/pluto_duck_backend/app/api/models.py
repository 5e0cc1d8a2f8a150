"""What requests hold. Unknown fields are refused by name, so that a misspelt option never goes unnoticed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field, model_validator

from pluto_duck_backend.agent.boards.board import MAX_TILES, MAX_TITLE, Display
from pluto_duck_backend.agent.conversation import MAX_QUESTION
from pluto_duck_backend.app.services.transformation.metrics.query import GRAINS
from pluto_duck_backend.app.services.transformation.saving.service import ASSET_NAME

_DAY: dict[str, Any] = {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}


def writable(data: Any) -> Any:
    """JSON can say what no file takes: half a surrogate pair, an integer beyond 64 bits. Raises ValueError.

    A body that is not declared as JSON comes as bytes.
    """
    if isinstance(data, bytes):
        raise ValueError("is not declared as JSON: send it with the header Content-Type: application/json")
    try:
        orjson.dumps(data)
    except TypeError as error:
        raise ValueError(str(error)) from error
    return data


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _writable(cls, data: Any) -> Any:
        return writable(data)


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
    agent: str | None = Field(
        None, max_length=64, description="Who answers; empty: the conversation's, else whose scope fits best."
    )


class TaskBody(BaseModel):
    """A task of the Agent Protocol; what it may hold besides is kept and means nothing."""

    input: str | None = Field(None, max_length=MAX_QUESTION, description="The question, in plain words.")
    additional_input: dict[str, Any] | None = Field(
        None, description="What a question takes: agent, provider, model, max_rows, timeout_s."
    )

    @model_validator(mode="before")
    @classmethod
    def _kept(cls, data: Any) -> Any:
        return writable(data)

    @model_validator(mode="after")
    def _usable(self) -> TaskBody:
        self.options()
        return self

    def options(self) -> dict[str, Any]:
        """What of the additional input a question takes. Raises ValueError for what does not fit."""
        known = AskRequest.model_fields.keys() - {"question", "conversation_id"}
        given = {name: value for name, value in (self.additional_input or {}).items() if name in known}
        return AskRequest(question="?", **given).model_dump(include={*given})


class StepBody(BaseModel):
    """A step of a task."""

    input: str | None = Field(
        None, max_length=MAX_QUESTION, description="A reply, or the next question; empty: the task's own."
    )
    additional_input: dict[str, Any] | None = Field(None, description="Means nothing here.")

    @model_validator(mode="before")
    @classmethod
    def _kept(cls, data: Any) -> Any:
        return writable(data)


class ConfirmRequest(_Strict):
    """A person's word that an answer is right."""

    replace: bool = Field(False, description="Put it in the place of other SQL confirmed for the same question.")
    sql: str | None = Field(None, description="The right SQL where the answer's is not; it is run first.")


_Title = Annotated[str, Field(max_length=MAX_TITLE, json_schema_extra={"minLength": 1})]


class AgentBody(_Strict):
    """The files of an agent."""

    files: dict[str, str] = Field(description="Texts by name: agent.yaml, and Markdown beside it.")
    check: bool = Field(False, description="Only say what the agent would be given; nothing is kept.")


class BoardBody(_Strict):
    """A board to make."""

    title: _Title = Field(description="Its title; its id is made of it.")


class BoardChange(_Strict):
    """What of a board becomes another."""

    title: _Title | None = Field(None, description="Its title.")
    order: list[str] | None = Field(None, max_length=MAX_TILES, description="All tiles' ids, the first one first.")


class PinBody(_Strict):
    """What is pinned: the answer of a run, or the result of a query."""

    run_id: str | None = Field(None, description="The run.")
    job_id: str | None = Field(None, description="The query, where no run led to it.")
    title: _Title | None = Field(None, description="Empty: the question.")
    display: Display | None = Field(None, description="auto, table or a kind of chart.")

    @model_validator(mode="after")
    def _one(self) -> PinBody:
        if bool(self.run_id) == bool(self.job_id):
            raise ValueError("give either run_id or job_id")
        return self


class TileChange(_Strict):
    """What of a tile becomes another."""

    title: _Title | None = Field(None, description="Its title.")
    display: Display | None = Field(None, description="auto, table or a kind of chart.")


class SettingBody(_Strict):
    """A limit to change."""

    name: str = Field(description="The setting, as in config.toml: query.timeout_s.", max_length=200)
    value: float = Field(description="A number.", ge=0, le=1e15)


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


class ActionBody(_Strict):
    """A call of an action."""

    name: str = Field(max_length=100, description="The action, as GET /actions lists it.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="What it takes, by its input_schema.")
    timeout_s: float | None = Field(None, gt=0, le=86_400, description="Seconds it may take; never more than its own.")
    idempotency_key: str | None = Field(
        None,
        max_length=200,
        description="Under one key a thing is done once; kept for a day.",
        json_schema_extra={"minLength": 1},
    )
    agent: str | None = Field(None, max_length=64, description="The agent whose tools there are, too.")
    approved: bool = Field(False, description="A person has approved this call, as some tools want.")


class ScaffoldBody(_Strict):
    """For which tables a staging layer is proposed."""

    tables: list[str] = Field(default_factory=list, description="Loaded tables; empty: all that are no source yet.")
    project_dir: str | None = Field(None, description="Another project than the setting's.")


class SaveBody(_Strict):
    """What an answer becomes in a dbt project."""

    kind: Literal["model", "test", "metric", "analysis"] = Field(description="What it becomes.")
    name: str = Field(
        description="Its name: lower-case letters, digits, underscores.", json_schema_extra={"pattern": ASSET_NAME}
    )
    project_dir: str | None = Field(None, description="Another project than the setting's.")


class MetricBody(_Strict):
    """What is asked of metrics."""

    metrics: list[str] = Field(min_length=1, description="One metric or more, by name.")
    by: list[str] = Field(default_factory=list, description="Dimensions: country, customer__country; or grains: month.")
    grain: str | None = Field(None, description="Cuts their time.", json_schema_extra={"enum": [*GRAINS, None]})
    where: list[str] = Field(default_factory=list, description="Conditions on dimensions, in SQL; all must hold.")
    order: list[str] = Field(default_factory=list, description="Metrics or dimensions; -NAME falls.")
    limit: int | None = Field(None, ge=1, le=1_000_000, description="So many rows.")
    start: str | None = Field(None, description="The first day.", json_schema_extra=_DAY)
    end: str | None = Field(None, description="The last day.", json_schema_extra=_DAY)
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
