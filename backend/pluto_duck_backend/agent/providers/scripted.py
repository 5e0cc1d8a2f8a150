"""A provider that says what a script tells it: the fake at the model's seam, shipped for tests and for trying out.

`agent.script` names a JSON file: `{"plan": ["…"], "replies": [{"sql": "SELECT 1", "confidence": 0.9, "delay_s": 0},
{"clarify": {"question": "…", "options": ["…"]}}, {"cannot_answer": "…"}, {"fail": "…"}]}`. Reply n answers attempt
n; the last one answers all further attempts. What may be shown besides: `tables` and `values` of
the script, `title` and `reading` of a reply.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.findings.finding import Finding, facts
from pluto_duck_backend.agent.providers.contract import (
    Answer,
    Attempt,
    CannotAnswer,
    Clarify,
    Draft,
    RunContext,
    SchemaView,
)
from pluto_duck_backend.agent.wording import say
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.services.execution.executor import QueryResult


class ScriptedProvider:
    """Follows `script`; touches neither network nor data."""

    name = "scripted"
    model: str | None = None
    further_attempts = 0

    def __init__(self, script: dict[str, Any]) -> None:
        self._plan: list[str] = script.get("plan", ["Answer as scripted"])
        self._replies: list[dict[str, Any]] = script["replies"]
        self._view = SchemaView(script.get("tables", []), script.get("values", []))

    @classmethod
    def read(cls, path: Path) -> ScriptedProvider:
        """The provider for the script in `path`. Raises InvalidInput where it is none."""
        try:
            return cls(orjson.loads(path.read_bytes()))
        except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise InvalidInput(f"agent.script={path} is no script: {error}", code="bad_script") from error

    def plan(self, ask: Ask) -> list[str]:
        return self._plan

    def link(self, ask: Ask, run: RunContext) -> SchemaView:
        return self._view

    def write_sql(
        self, ask: Ask, view: SchemaView, failed: Sequence[Attempt], run: RunContext
    ) -> Draft | Clarify | CannotAnswer:
        reply = self._replies[min(len(failed), len(self._replies) - 1)]
        time.sleep(float(reply.get("delay_s", 0)))
        if "fail" in reply:
            raise EnvironmentFault(str(reply["fail"]), code="provider_failed", retryable=True)
        if "clarify" in reply:
            return Clarify(reply["clarify"]["question"], tuple(reply["clarify"]["options"]))
        if "cannot_answer" in reply:
            return CannotAnswer(str(reply["cannot_answer"]))
        confidence, reading = float(reply.get("confidence", 0.5)), tuple(reply.get("reading", ()))
        return Draft(str(reply["sql"]), confidence, title=str(reply.get("title", "")), reading=reading)

    def weigh(self, ask: Ask, draft: Draft, run: RunContext) -> Draft:
        return draft

    def mend(self, sql: str) -> tuple[str, Sequence[Finding]]:
        return sql, ()

    def look(self, ask: Ask, result: QueryResult) -> Sequence[Finding]:
        return ()

    def seen(self, findings: Sequence[Finding]) -> str:
        return facts(findings)

    def compose(self, answer: Answer, run: RunContext) -> Iterator[str]:
        return say(answer.draft.title, answer.result)
