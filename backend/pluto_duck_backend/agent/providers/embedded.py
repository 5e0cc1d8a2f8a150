"""The embedded analyst as a provider: no model, no network. Thin: the understanding lives in pluto_duck_text2sql."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from pluto_duck_backend.agent.charting.asked import without_kind
from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.findings import Finding, Outcome, suspicious
from pluto_duck_backend.agent.memory.example import Example
from pluto_duck_backend.agent.memory.similar import same
from pluto_duck_backend.agent.memory.store import Kept
from pluto_duck_backend.agent.providers.contract import (
    Answer,
    Attempt,
    CannotAnswer,
    Clarify,
    Draft,
    RunContext,
    SchemaView,
)
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.agent.steps.step import Step
from pluto_duck_backend.agent.wording import say
from pluto_duck_backend.app.services.execution.executor import QueryResult
from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.analysis import Analysis, Candidate, Links
from pluto_duck_text2sql.pool import Run

_SHOWN_COLUMNS = 12
_CONFIRMED = 0.99


class EmbeddedProvider:
    """Answers with what a person confirmed, else from the analyst's ranked candidates: attempt n is the n-th best."""

    name = "embedded"
    model: str | None = None
    further_attempts = 0

    def __init__(
        self,
        analyst: Callable[[], Analyst],
        probing: Callable[[], AbstractContextManager[Run]],
        confirmed: Callable[[], Sequence[Kept]],
        data: Callable[[], Data],
        blind: Callable[[], str] = lambda: "",
    ) -> None:
        """`probing` lends what runs guesses; `blind`: why no table is seen where there are some, else nothing."""
        self._analyst = analyst
        self._probing = probing
        self._confirmed = confirmed
        self._data = data
        self._blind = blind

    def plan(self, ask: Ask) -> list[str]:
        return ["Find the tables, columns and values named", "Write the SQL", "Run and check it", "Put it in words"]

    def link(self, ask: Ask, run: RunContext) -> SchemaView:
        """Understands the question once; `known` carries the analysis to `write_sql`."""
        run.emit()
        history = [replace(each, question=without_kind(each.question)) for each in ask.history]
        question = without_kind(ask.question)
        with self._probing() as probe:
            analysis = self._analyst().ask(question, history=history, run=probe, choice=ask.choice)
        links = analysis.links
        return SchemaView(shown_tables(links), shown_values(links), known=analysis)

    def write_sql(
        self, ask: Ask, view: SchemaView, failed: Sequence[Attempt], run: RunContext
    ) -> Draft | Clarify | CannotAnswer:
        analysis: Analysis = view.known
        remembered = self.remembered(ask, run)
        if remembered and not failed:
            return _remembered(remembered)
        failed = failed[1:] if remembered else failed
        if analysis.status == "needs_input" and analysis.clarification:
            return Clarify(analysis.clarification.question, analysis.clarification.options)
        untried = analysis.candidates[len(failed) :]
        if analysis.status == "cannot_answer" or not untried:
            return CannotAnswer(
                self._blind() or analysis.message or "No further reading of the question is left to try."
            )
        return replace(drafted(untried[0]), others=() if failed else analysis.others)

    def remembered(self, ask: Ask, run: RunContext) -> Example | None:
        """What a person confirmed for this very question; where it is not used any more the user is told why."""
        kept = [] if ask.choice else self._confirmed()
        found = same(ask.question, ask.before, [each.example for each in kept if not each.stale])
        stale = {each.example: each.stale for each in kept if each.stale and not found}
        if before := same(ask.question, ask.before, list(stale)):
            run.caveats.append(f"What {before.confirmed_by} confirmed for this question is not used: {stale[before]}.")
        return found

    def weigh(self, ask: Ask, draft: Draft, run: RunContext) -> Draft:
        return draft

    def mend(self, sql: str) -> tuple[str, Sequence[Finding]]:
        return sql, ()

    def look(self, ask: Ask, result: QueryResult) -> Sequence[Finding]:
        return suspicious(Outcome.of(ask.question, result), self._data())

    def seen(self, findings: Sequence[Finding]) -> str:
        """Nothing: it would read the question as before, so what is suspicious is for the user."""
        return ""

    def compose(self, answer: Answer, run: RunContext) -> Iterator[str]:
        return say(answer.draft.title, answer.result)


def _remembered(example: Example) -> Draft:
    """What the person said of this very question; it has been right once, so nearly certain."""
    moment = example.confirmed_at[:16].replace("T", " ")
    told = f"confirmed by {example.confirmed_by} at {moment} UTC"
    title = example.question[:1].upper() + example.question[1:].rstrip("?")
    return Draft(example.sql, _CONFIRMED, title, (told, *([example.reading] if example.reading else [])))


def drafted(candidate: Candidate) -> Draft:
    """A candidate as the graph knows it, with its parts as steps."""
    return Draft(
        candidate.last or candidate.sql,
        candidate.confidence,
        candidate.title,
        tuple(candidate.reading),
        tuple(candidate.assumptions),
        steps=tuple(Step(part.name, "query", part.sql, part.purpose) for part in candidate.parts),
    )


def shown_tables(links: Links) -> list[dict[str, Any]]:
    """The tables of the schema event."""
    linked = {(column.table, column.column) for column in links.columns}
    return [
        {
            "table": f"{table.schema}.{table.name}",
            "columns": _columns_first(table, linked),
            "row_count": table.row_count,
            "comment": table.comment,
            "score": round(score, 3),
        }
        for table, score in links.tables
    ]


def _columns_first(table: Any, linked: set[tuple[str, str]]) -> list[dict[str, str]]:
    """The columns the question names first, then the others, a handful altogether."""
    ordered = sorted(table.columns, key=lambda column: (table.name, column.name) not in linked)
    return [{"name": column.name, "type": column.type} for column in ordered[:_SHOWN_COLUMNS]]


def shown_values(links: Links) -> list[dict[str, Any]]:
    """The stored values of the schema event."""
    return [
        {"table": f"{hit.schema}.{hit.table}", "column": hit.column, "value": hit.value, "score": round(hit.score, 3)}
        for hit in links.values
    ]
