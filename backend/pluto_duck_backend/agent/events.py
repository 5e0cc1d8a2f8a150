"""The events of a run, typed. Nodes tell them; the event log numbers them; SSE, CLI and page replay them.

Each class is one row of the table in docs/events.md; its fields are the event's `content`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol

Decision = Literal["planner", "schema", "sql", "steps", "verifier", "finalize"]
Status = Literal["succeeded", "needs_input", "cannot_answer", "cancelled"]


@dataclass(frozen=True)
class Event:
    """Base: `type` and `subtype` name it, `content()` is what it carries."""

    type: ClassVar[str]
    subtype: ClassVar[str]
    optional: ClassVar[tuple[str, ...]] = ()

    def content(self) -> dict[str, Any]:
        """The fields by name, without optional ones that hold nothing."""
        return {name: value for name, value in vars(self).items() if name not in self.optional or value}


class Emit(Protocol):
    """Tells events as they happen, several of one moment at once."""

    def __call__(self, *events: Event) -> object: ...


@dataclass(frozen=True)
class RunStart(Event):
    type, subtype = "run", "start"
    optional = ("agent", "role")
    question: str
    conversation_id: str
    provider: str
    model: str | None
    max_rows: int | None = None
    timeout_s: float | None = None
    who: str = "local"
    rights: str = ""
    agent: str = ""
    role: str = ""


@dataclass(frozen=True)
class RunChunk(Event):
    type, subtype = "run", "chunk"
    optional = ("route", "agent", "bids")
    message: str
    resumed: bool = False
    route: dict[str, Any] = field(default_factory=dict)
    agent: str = ""
    bids: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class ReasoningStart(Event):
    type, subtype = "reasoning", "start"
    decision: Decision


@dataclass(frozen=True)
class ReasoningChunk(Event):
    type, subtype = "reasoning", "chunk"
    decision: Decision
    message: str


@dataclass(frozen=True)
class ReasoningEnd(Event):
    type, subtype = "reasoning", "end"
    optional = ("message",)
    decision: Decision
    message: str = ""


@dataclass(frozen=True)
class ToolStart(Event):
    type, subtype = "tool", "start"
    optional = ("attempt", "sql")
    tool: Decision
    attempt: int = 0
    sql: str = ""


@dataclass(frozen=True)
class ToolChunk(Event):
    type, subtype = "tool", "chunk"
    optional = ("replaces",)
    tool: Decision
    text: str
    replaces: bool = False


@dataclass(frozen=True)
class PlannerEnd(Event):
    type, subtype = "tool", "end"
    plan: list[dict[str, Any]]
    tool: Decision = "planner"


@dataclass(frozen=True)
class SchemaEnd(Event):
    type, subtype = "tool", "end"
    schema_preview: list[dict[str, Any]]
    values: list[dict[str, Any]]
    tool: Decision = "schema"


@dataclass(frozen=True)
class SqlEnd(Event):
    type, subtype = "tool", "end"
    sql: str
    attempt: int
    reading: list[str] = field(default_factory=list)
    confidence: float | None = None
    tool: Decision = "sql"


@dataclass(frozen=True)
class StepStart(Event):
    type, subtype = "tool", "start"
    step: str
    kind: str
    purpose: str
    attempt: int
    tool: Decision = "steps"


@dataclass(frozen=True)
class StepEnd(Event):
    type, subtype = "tool", "end"
    step: str
    kind: str
    attempt: int
    elapsed_ms: float
    text: str
    sql: str = ""
    job_id: str | None = None
    columns: list[dict[str, str]] = field(default_factory=list)
    rows_affected: int | None = None
    told: list[str] = field(default_factory=list)
    error: dict[str, Any] | None = None
    tool: Decision = "steps"


@dataclass(frozen=True)
class LookupStart(Event):
    type, subtype = "tool", "start"
    name: str
    arguments: dict[str, Any]
    tool: str = "lookup"


@dataclass(frozen=True)
class LookupEnd(Event):
    type, subtype = "tool", "end"
    name: str
    text: str
    error: dict[str, Any] | None = None
    tool: str = "lookup"


@dataclass(frozen=True)
class VerifierEnd(Event):
    type, subtype = "tool", "end"
    job_id: str
    result_table: str | None
    rows_affected: int | None
    error: dict[str, Any] | None
    elapsed_ms: float
    attempt: int
    tool: Decision = "verifier"


@dataclass(frozen=True)
class MessageChunk(Event):
    type, subtype = "message", "chunk"
    text: str


@dataclass(frozen=True)
class MessageFinal(Event):
    """The final object of the contract."""

    type, subtype = "message", "final"
    status: Status
    answer: str
    sql: str | None = None
    job_id: str | None = None
    columns: list[dict[str, str]] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    row_count: int = 0
    truncated: bool = False
    chart: dict[str, Any] | None = None
    confidence: float = 0.0
    provider: str = ""
    model: str | None = None
    caveats: list[str] = field(default_factory=list)
    reading: list[str] = field(default_factory=list)
    clarification: dict[str, Any] | None = None
    next: list[str] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)
    finished: bool = True


@dataclass(frozen=True)
class RunEnd(Event):
    type, subtype = "run", "end"
    optional = ("usage",)
    status: Status
    usage: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RunError(Event):
    type, subtype = "run", "error"
    optional = ("kind", "refused", "usage")
    code: str
    message: str
    hint: str
    retryable: bool
    kind: str = ""
    refused: bool = False
    usage: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class JobStart(Event):
    type, subtype = "job", "start"
    optional = ("title",)
    kind: str
    title: str = ""


@dataclass(frozen=True)
class JobChunk(Event):
    type, subtype = "job", "chunk"
    progress: dict[str, Any]

    def content(self) -> dict[str, Any]:
        return self.progress


@dataclass(frozen=True)
class JobEnd(Event):
    type, subtype = "job", "end"
    status: Literal["succeeded", "failed", "cancelled"]
    result: dict[str, Any] | None


@dataclass(frozen=True)
class JobError(Event):
    type, subtype = "job", "error"
    optional = ("kind",)
    code: str
    message: str
    hint: str
    retryable: bool
    kind: str = ""
