"""The seam between the graph and whoever understands the question.

The graph calls these four methods in order and knows nothing else of a provider. A provider never runs SQL that
counts (the verifier does) and never raises anything but PlutoDuckError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.events import Emit
from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.models.meter import Meter
from pluto_duck_backend.agent.steps.step import Step, Taken
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryResult


@dataclass(frozen=True)
class SchemaView:
    """The part of the catalog a question needs, as shown in the schema event."""

    tables: list[dict[str, Any]]
    #   {table, columns: [{name, type}], row_count, …}, the likeliest first
    values: list[dict[str, Any]]
    #   {table, column, value, score}: stored values that words of the question name
    known: Any = None
    #   what the provider itself wants to remember from linking to writing


@dataclass(frozen=True, kw_only=True)
class Signed:
    """Who decided, where it was not the provider that was asked."""

    provider: str = ""
    model: str | None = None


@dataclass(frozen=True)
class Draft(Signed):
    """SQL that may answer the question, and how the question was read."""

    sql: str
    confidence: float
    title: str = ""
    reading: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    problem: PlutoDuckError | None = None
    #   why it cannot be run, found without running it; None where it can
    steps: tuple[Step, ...] = ()
    #   what is to be done first; `sql` names them as tables
    taken: tuple[Taken, ...] = ()
    #   the steps when they were done; `sql` is then complete in itself
    written: Draft | None = None
    #   as it was written, where it was mended since
    others: tuple[str, ...] = ()
    #   what else the question may mean, where that is unsure; each can be chosen


@dataclass(frozen=True)
class Clarify(Signed):
    """The question has several readings; the user chooses."""

    question: str
    options: tuple[str, ...]

    approval: dict[str, Any] | None = None
    #   the call of a tool that a person is to approve: `{tool, arguments, before}`


@dataclass(frozen=True)
class CannotAnswer(Signed):
    """The data cannot answer; `message` says why and what is nearest."""

    message: str


@dataclass(frozen=True)
class Offer:
    """A tool from outside that a model may call."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True)
class Looked:
    """A call of such a tool, by the name it is offered by, and what the model is told of it: text of others."""

    name: str
    arguments: dict[str, Any]
    told: str

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "arguments": self.arguments, "told": self.told}


class Lookups(Protocol):
    """The tools from outside in one run."""

    done: list[Looked]

    def begin(self, token: CancelToken, emit: Emit, caveats: list[str]) -> None:
        """Find out what there is, once, and do what a person has approved."""

    def offers(self) -> list[Offer]:
        """What may be called now."""

    def look(
        self, name: str, arguments: dict[str, Any], token: CancelToken, emit: Emit, caveats: list[str]
    ) -> Clarify | None:
        """Do a call, which is then in `done`; or the question whether it may be done."""


@dataclass(frozen=True)
class RunContext:
    """The run that a provider works for: how to tell it something, whether it goes on, what it has used."""

    run_id: str
    who: Principal
    token: CancelToken
    emit: Emit
    hold: Emit
    #   tells an event with those that follow at once; before what takes time, `emit()` tells what is held
    meter: Meter
    caveats: list[str]
    #   what the user must be told with the answer; providers add to it
    is_last_attempt: bool = False
    lookups: Lookups | None = None
    #   the tools from outside; None: there are none
    meanwhile: Callable[[], None] | None = None
    #   what is done while a model takes its time


@dataclass(frozen=True)
class Attempt:
    """An earlier draft and the error its verification ended with."""

    draft: Draft
    error: PlutoDuckError


@dataclass(frozen=True)
class Doubted:
    """A result that ran, and that looked suspicious: it stands unless another attempt does better."""

    draft: Draft
    result: QueryResult
    told: tuple[str, ...]
    #   what the user hears of it where it stands


@dataclass(frozen=True)
class Answer:
    """What the graph hands over for the final words."""

    ask: Ask
    draft: Draft
    result: QueryResult
    failed: Sequence[Attempt] = field(default_factory=tuple)


class Provider(Protocol):
    """One way of understanding questions."""

    @property
    def name(self) -> str:
        """What it is called in `--provider`."""

    @property
    def model(self) -> str | None:
        """The model that answers, where it has one."""

    @property
    def further_attempts(self) -> int:
        """Attempts beyond `agent.max_attempts`: for who answers where the first one's SQL failed for good."""

    def plan(self, ask: Ask) -> list[str]:
        """The steps that will be taken, in words."""

    def link(self, ask: Ask, run: RunContext) -> SchemaView:
        """The tables, columns and values the question needs."""

    def write_sql(
        self, ask: Ask, view: SchemaView, failed: Sequence[Attempt], run: RunContext
    ) -> Draft | Clarify | CannotAnswer:
        """The next SQL to try, knowing what failed so far."""

    def weigh(self, ask: Ask, draft: Draft, run: RunContext) -> Draft:
        """The draft that stands, its steps taken, with the confidence that other readings of the question leave it."""

    def mend(self, sql: str) -> tuple[str, Sequence[Finding]]:
        """The SQL of a step as it can run, and what was changed, or is wrong, of it."""

    def look(self, ask: Ask, result: QueryResult) -> Sequence[Finding]:
        """What is suspicious about a result of its SQL; nothing where it would not do otherwise for that."""

    def seen(self, findings: Sequence[Finding]) -> str:
        """What it is told of findings, a line each."""

    def compose(self, answer: Answer, run: RunContext) -> Iterator[str]:
        """The answer in Markdown, piece by piece."""
