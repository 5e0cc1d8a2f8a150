"""Before any provider: a question about a metric that only its definition can compute is answered by that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.providers.contract import (
    Answer,
    Attempt,
    CannotAnswer,
    Clarify,
    Draft,
    Provider,
    RunContext,
    SchemaView,
)
from pluto_duck_backend.agent.wording import say
from pluto_duck_backend.app.services.execution.executor import QueryResult

Define = Callable[[str], Draft | None]


class ByDefinition:
    """Answers one run: the definition's SQL first, and where there is none or it fails whoever stands behind."""

    def __init__(self, behind: Provider, define: Define) -> None:
        self._behind = behind
        self._define = define
        self._draft: Draft | None = None
        self.name = behind.name
        self.further_attempts = behind.further_attempts

    @property
    def model(self) -> str | None:
        return self._behind.model

    def plan(self, ask: Ask) -> list[str]:
        return self._behind.plan(ask)

    def link(self, ask: Ask, run: RunContext) -> SchemaView:
        self._draft = self._define(ask.question)
        return self._behind.link(ask, run)

    def write_sql(
        self, ask: Ask, view: SchemaView, failed: Sequence[Attempt], run: RunContext
    ) -> Draft | Clarify | CannotAnswer:
        if self._draft and not failed:
            return self._draft
        return self._behind.write_sql(ask, view, [each for each in failed if each.draft is not self._draft], run)

    def weigh(self, ask: Ask, draft: Draft, run: RunContext) -> Draft:
        return draft if draft is self._draft else self._behind.weigh(ask, draft, run)

    def mend(self, sql: str) -> tuple[str, Sequence[Finding]]:
        return self._behind.mend(sql)

    def look(self, ask: Ask, result: QueryResult) -> Sequence[Finding]:
        return () if self._draft else self._behind.look(ask, result)

    def seen(self, findings: Sequence[Finding]) -> str:
        return self._behind.seen(findings)

    def compose(self, answer: Answer, run: RunContext) -> Iterator[str]:
        is_defined = self._draft is not None and answer.draft.sql == self._draft.sql
        return say(answer.draft.title, answer.result) if is_defined else self._behind.compose(answer, run)
