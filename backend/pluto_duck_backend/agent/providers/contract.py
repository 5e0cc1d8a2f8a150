"""The seam between the graph and whoever understands the question.

The graph calls these four methods in order and knows nothing else of a provider. A provider never runs SQL that
counts (the verifier does) and never raises anything but PlutoDuckError.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.app.core.errors import PlutoDuckError
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


@dataclass(frozen=True)
class Draft:
    """SQL that may answer the question, and how the question was read."""

    sql: str
    confidence: float
    title: str = ""
    reading: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Clarify:
    """The question has several readings; the user chooses."""

    question: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class CannotAnswer:
    """The data cannot answer; `message` says why and what is nearest."""

    message: str


@dataclass(frozen=True)
class Attempt:
    """An earlier draft and the error its verification ended with."""

    draft: Draft
    error: PlutoDuckError


@dataclass(frozen=True)
class Answer:
    """What the graph hands over for the final words."""

    ask: Ask
    draft: Draft
    result: QueryResult
    failed: Sequence[Attempt] = field(default_factory=tuple)


class Provider(Protocol):
    """One way of understanding questions."""

    name: str
    model: str | None

    def plan(self, ask: Ask) -> list[str]:
        """The steps that will be taken, in words."""

    def link(self, ask: Ask) -> SchemaView:
        """The tables, columns and values the question needs."""

    def write_sql(self, ask: Ask, view: SchemaView, failed: Sequence[Attempt]) -> Draft | Clarify | CannotAnswer:
        """The next SQL to try, knowing what failed so far."""

    def compose(self, answer: Answer) -> Iterator[str]:
        """The answer in Markdown, piece by piece."""
