"""Several providers behind one: the router's order is followed until one of them answers, the embedded analyst last.

link: the embedded analyst reads the question ─▶ router ─▶ the order, told as an event
      (what a person confirmed for this very question is answered by it, before any model)
write_sql: the first of the order ─▶ its decision    (a model takes its time: the embedded analyst reads meanwhile)
             │ it fails, or has no attempt left
             └▶ the next, and a caveat
weigh: its draft, all steps taken, compared with the embedded analyst's where that is worth it
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.events import RunChunk
from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.providers.chat import ChatProvider
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
from pluto_duck_backend.agent.providers.embedded import EmbeddedProvider
from pluto_duck_backend.agent.providers.router import EMBEDDED, Facts, Route, complexity, from_memory
from pluto_duck_backend.agent.providers.voting import Voting
from pluto_duck_backend.app.services.execution.executor import QueryResult
from pluto_duck_text2sql.analysis import Analysis

Decide = Callable[[Facts], Route]


class RoutedProvider:
    """Answers one run: it remembers who is left to ask."""

    further_attempts = 1

    def __init__(
        self,
        name: str,
        embedded: EmbeddedProvider,
        chat: Callable[[str], ChatProvider],
        decide: Decide | Route,
        voting: Voting,
    ) -> None:
        """`decide` chooses the order for a question; or it is chosen already, since the user named who answers."""
        self.name = name
        self._embedded = embedded
        self._chat_of = chat
        self._chats: dict[str, ChatProvider] = {}
        self._decide = decide
        self._voting = voting
        self._route = decide if isinstance(decide, Route) else None
        self._is_named = self._route is not None
        self._left: list[str] = []
        self._views: dict[str, SchemaView] = {}

    def _chat(self, name: str) -> ChatProvider:
        return self._chats.get(name) or self._chats.setdefault(name, self._chat_of(name))

    @property
    def model(self) -> str | None:
        """The model of the provider that the user named; of whom the router chooses the answer tells."""
        return self._chat(self.name).model if self._is_named else None

    def plan(self, ask: Ask) -> list[str]:
        return ["Read the question", "Choose who answers", "Have the SQL written", "Run and check it", "Answer"]

    def link(self, ask: Ask, run: RunContext) -> SchemaView:
        """Chooses the order, having the embedded analyst read the question first where that decides."""
        if not isinstance(self._decide, Route):
            self._route = self._decide(_facts(ask, self._view(EMBEDDED, ask, run).known))
        assert self._route is not None
        if self._embedded.remembered(ask, run):
            self._route = from_memory(self._route)
        self._left = list(self._route.order)
        if self._route.barred:
            run.caveats.append(f"No model was asked: {'; '.join(self._route.barred)}.")
        run.hold(RunChunk(f"Asked first: {self._left[0]}.", route=self._route.to_dict()))
        return self._view(self._left[0], ask, run)

    def _view(self, name: str, ask: Ask, run: RunContext) -> SchemaView:
        if name not in self._views:
            self._views[name] = self._provider(name).link(ask, run)
        return self._views[name]

    def _provider(self, name: str) -> Provider:
        return self._embedded if name == EMBEDDED else self._chat(name)

    def write_sql(
        self, ask: Ask, view: SchemaView, failed: Sequence[Attempt], run: RunContext
    ) -> Draft | Clarify | CannotAnswer:
        self._drop_spent(failed, run)
        while True:
            name = self._left[0]
            try:
                return self._ask(name, ask, failed, run)
            except ModelFault as fault:
                self._left.pop(0)
                if not self._left:
                    raise
                run.caveats.append(f"{fault.message} {_titled(self._left[0])} was asked instead.")
                run.emit(RunChunk(f"{fault.message} Asked next: {self._left[0]}."))

    def compose(self, answer: Answer, run: RunContext) -> Iterator[str]:
        return self._provider(answer.draft.provider).compose(answer, run)

    def mend(self, sql: str) -> tuple[str, Sequence[Finding]]:
        return self._provider(self._left[0]).mend(sql)

    def look(self, ask: Ask, result: QueryResult) -> Sequence[Finding]:
        return self._provider(self._left[0]).look(ask, result)

    def seen(self, findings: Sequence[Finding]) -> str:
        return self._provider(self._left[0]).seen(findings)

    def _drop_spent(self, failed: Sequence[Attempt], run: RunContext) -> None:
        """The last attempt is the next one's, if there is one: whoever failed so often would fail again."""
        tried_last = failed[-1].draft.provider if failed else ""
        is_done = run.is_last_attempt or tried_last == EMBEDDED
        if failed and tried_last == self._left[0] and is_done and len(self._left) > 1:
            self._left.pop(0)
            run.caveats.append(f"The SQL of {tried_last} failed. {_titled(self._left[0])} was asked instead.")

    def _ask(self, name: str, ask: Ask, failed: Sequence[Attempt], run: RunContext) -> Draft | Clarify | CannotAnswer:
        mine = [each for each in failed if each.draft.provider == name]
        waiting = replace(run, meanwhile=partial(self._read_meanwhile, ask, run)) if self._is_named else run
        decision = self._provider(name).write_sql(ask, self._view(name, ask, run), mine, waiting)
        return replace(decision, provider=name, model=self._provider(name).model)

    def _read_meanwhile(self, ask: Ask, run: RunContext) -> None:
        self._view(EMBEDDED, ask, run)

    def weigh(self, ask: Ask, draft: Draft, run: RunContext) -> Draft:
        """The draft, or the embedded analyst's, by what their rows say."""
        if draft.provider == EMBEDDED or not self._compares(ask):
            return draft
        chat, analysis = self._chat(draft.provider), self._views[EMBEDDED].known
        again = (
            (lambda: chat.second_opinion(ask, self._view(chat.name, ask, run), run)) if self._is_worth_more else None
        )
        return self._voting.judge(draft, analysis, run, again)

    def _compares(self, ask: Ask) -> bool:
        """Whether the route wants it, or the embedded analyst had the time to read and has something to say."""
        read = self._views.get(EMBEDDED)
        if self._is_named:
            return read is not None and _facts(ask, read.known).is_worth_comparing
        return self._route is not None and self._route.compares

    @property
    def _is_worth_more(self) -> bool:
        """Whether a second call is worth it where two readings differ."""
        return self._route is not None and self._route.policy == "best"


def _facts(ask: Ask, analysis: Analysis) -> Facts:
    best = analysis.candidates[0] if analysis.candidates else None
    is_clear = analysis.status == "answered"
    confidence = best.confidence if best and is_clear else 0.0
    return Facts(confidence, is_clear, complexity(ask.question, len(best.tables) if best else 0))


def _titled(name: str) -> str:
    return "The embedded analyst" if name == EMBEDDED else name
