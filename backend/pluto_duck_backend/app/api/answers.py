"""What answers hold: the OpenAPI document's own words for the JSON that services hand out.

Routes name these in `responses`; nothing is converted through them, since results are plain lists already. The tests
compare every answer with them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Problem(BaseModel):
    """RFC 9457, with our `code`, `hint` and `trace_id`."""

    type: str = Field(description="urn:pluto-duck:problem:<code>")
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field(description="What is wrong, naming the thing and its value.")
    code: str = Field(description="Stable; docs/errors.md lists them.")
    kind: str = Field("", description="Of an error of ours: docs/errors.md lists the codes of each kind.")
    hint: str = Field(description="The next step.")
    trace_id: str = Field(description="The server's log names it too.")
    instance: str = Field(description="The path that was called.")


class Fault(BaseModel):
    """Why a run or job failed."""

    code: str
    kind: str = Field("", description="What kind of error it is: docs/errors.md lists the codes of each.")
    message: str
    hint: str
    retryable: bool


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


class BoardSummary(BaseModel):
    board_id: str = Field(description="The name of its file.")
    title: str
    file: str = Field(description="Its file below the root.")
    tile_count: int
    error: Fault | None = Field(description="Why its file is no board; null: it is one.")


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


class Boards(BaseModel):
    boards: list[BoardSummary]


class BoardId(BaseModel):
    board_id: str


class TileResult(BaseModel):
    job_id: str
    ran_at: str
    elapsed_ms: float
    columns: list[dict[str, str]]
    rows: list[list[Any]] = Field(description="The first rows.")
    row_count: int
    tables: list[str]
    chart: dict[str, Any] | None = Field(description="A Vega-Lite specification with a theme's colours.")


class TileFailure(Fault):
    at: str


class Tile(BaseModel):
    tile_id: str
    title: str
    display: str = Field(description="auto, table or a kind of chart.")
    question: str
    reading: list[str]
    caveats: list[str]
    run_id: str
    pinned_at: str
    sql: str
    reads: list[str] = Field(description="Tables, as schema.table.")
    changed: str | None = Field(description="What of the tables is not as it was when it was pinned; null: nothing.")
    result: TileResult | None = Field(description="The last result there was; null: it never succeeded.")
    failure: TileFailure | None = Field(description="Why the last try failed, after `result`; null: it did not.")


class Board(BoardSummary):
    tiles: list[Tile]


class Setting(BaseModel):
    name: str = Field(description="As in config.toml: query.timeout_s.")
    value: str = Field(description="Secrets are masked.")
    source: str = Field(description="environment, .env, config.toml, default or flag.")
    description: str
    changeable: bool = Field(description="Whether PATCH /settings takes it.")


class SettingsTold(BaseModel):
    settings: list[Setting]
    file: str = Field(description="The config.toml.")


class Check(BaseModel):
    check: str
    ok: bool
    found: str
    hint: str = Field(description="The next step; empty: all is well.")


class Checks(BaseModel):
    checks: list[Check]


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


class JobId(BaseModel):
    job_id: str


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


class TableColumn(Column):
    nullable: bool
    comment: str
    n_distinct: int | None = Field(None, description="Distinct values; in GET /schema/{table} only, as all below.")
    minimum: Any = None
    maximum: Any = None
    null_fraction: float | None = None
    frequent: list[Any] = Field([], description="The values that most rows have; not where each row has its own.")


class ForeignKey(BaseModel):
    columns: list[str]
    references: str = Field(description="schema.table")
    ref_columns: list[str]
    inferred: bool = Field(description="Found in the data, not declared by its source.")


class DbtFacts(BaseModel):
    node: str = Field(description="dbt's unique_id.")
    materialized: str
    made_from: list[str] = Field(description="The tables it reads, as schema.table.")
    tags: list[str]
    exposures: list[str]
    built_at: str | None = Field(description="When its last build began; null: not known, or none of dbt's.")
    tests: dict[str, str] = Field(description="Each test and how it last ended; empty text: not run yet.")


class Table(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    schema_: str = Field(alias="schema")
    table: str
    kind: Literal["table", "view"]
    comment: str
    row_count: int
    columns: list[TableColumn]
    primary_key: list[str]
    foreign_keys: list[ForeignKey]
    dbt: DbtFacts | None = Field(description="What a dbt project says of it; null: none makes or reads it.")


class Term(BaseModel):
    term: str
    meaning: str
    place: str = Field(description="file:line")


class Glossary(BaseModel):
    terms: list[Term]
    warnings: list[str] = Field(description="Lines that mean nothing here, and why; empty for who is confined.")


class Value(BaseModel):
    schema_: str = Field(alias="schema")
    table: str
    column: str
    value: str = Field(description="As it is stored.")
    score: float = Field(description="1: as asked for; less: in another case or number, or misspelt.")


class Values(BaseModel):
    values: list[Value]


class Tables(BaseModel):
    tables: list[Table]
    glossary: Glossary = Field(description="What configs/knowledge/*.md says that words mean.")


class Scaffold(BaseModel):
    project: str = Field(description="The dbt project's folder.")
    files: list[str] = Field(description="What was written, within the project.")


class Asset(BaseModel):
    kind: Literal["model", "test", "metric", "analysis"]
    name: str
    project: str = Field(description="The dbt project's folder.")
    files: list[str] = Field(description="What was written, within the project.")


class Metric(BaseModel):
    name: str
    label: str
    description: str
    type: Literal["simple", "ratio", "derived", "cumulative", "conversion"]
    project: str
    metrics: list[str] = Field(description="The metrics that it is made of.")
    dimensions: list[str] = Field(description="What it can be cut by.")


class Metrics(BaseModel):
    metrics: list[Metric]


class Sources(BaseModel):
    sources: list[dict[str, Any]]


class Health(BaseModel):
    status: Literal["ok"]
    version: str
    warehouse: str = Field(description="The warehouse's file.")
