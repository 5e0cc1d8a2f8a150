"""A chat model as a provider: the question and what it needs of the schema go out, a decision comes back.

    link: the tables the question needs ─▶ write_sql: prompt ─▶ reply ─▶ decision ─▶ (verifier) ─┐
                                             ▲ the error of the query that failed ◀─────────────┘
    compose: where the model may see rows, it puts them in words; else our own words do

Which lane serves is found by asking: tools first; where they are rejected or ignored, one JSON object.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from pluto_duck_backend.agent.context import Context
from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.findings import Finding, Outcome, caveats, facts, is_broken, stopped, suspicious
from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.models.model import Call, Model
from pluto_duck_backend.agent.providers.contract import (
    Answer,
    Attempt,
    CannotAnswer,
    Clarify,
    Draft,
    Offer,
    RunContext,
    SchemaView,
)
from pluto_duck_backend.agent.providers.decisions import TOOLS, Decision, Read, Wanted, offered, read
from pluto_duck_backend.agent.providers.describing import day, earlier
from pluto_duck_backend.agent.providers.embedded import shown_tables, shown_values
from pluto_duck_backend.agent.providers.hearing import Hearing
from pluto_duck_backend.agent.providers.known import Known
from pluto_duck_backend.agent.providers.phrasing import Phrasing
from pluto_duck_backend.agent.providers.privacy import Sight
from pluto_duck_backend.agent.providers.prompting import PromptName, Prompts
from pluto_duck_backend.agent.providers.transcript import Exchange, Talk, as_messages, shortened
from pluto_duck_backend.agent.repair import repair
from pluto_duck_backend.app.services.execution.executor import QueryResult
from pluto_duck_text2sql.analysis import Links

_CORRECTIONS = 1
_HISTORY_SHARE = 0.2
_FAILED_SHARE = 0.4
#   at most so much of a prompt tells of what was tried; the data has the rest then
_FOR_QUESTION = 300
_LONGEST_MENDED = 1_000
#   characters of mended SQL that are told beside what was written
_LEANS_ON = 2
#   earlier questions, and messages, whose tables a follow-up may mean
_NOTHING: Mapping[str, bool] = {}
_LATE_FAULTS = ("nonsense", "wrong_tool")
#   the model can mend these when told


class ChatProvider:
    """One chat model that answers over one warehouse."""

    further_attempts = 0

    def __init__(
        self,
        model: Model,
        known: Callable[[], Known],
        prompts: Prompts,
        sight: Sight,
        phrasing: Phrasing,
    ) -> None:
        self._model = model
        self._known_now = known
        self._prompts = prompts
        self._sight = sight
        self._phrasing = phrasing

    @cached_property
    def _known(self) -> Known:
        return self._known_now()

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def model(self) -> str | None:
        return self._model.model

    def plan(self, ask: Ask) -> list[str]:
        return ["Find the tables, columns and values named", "Have the model write SQL", "Run and check it", "Answer"]

    def link(self, ask: Ask, run: RunContext) -> SchemaView:
        """`known` carries what the model will be told of the data."""
        context = self._context(ask, int(self._room() * (1 - _HISTORY_SHARE)))
        tables = tuple((table, 1.0) for table in context.tables)
        links = Links(tables, values=context.linked.values)
        return SchemaView(shown_tables(links), shown_values(links), known=context.text)

    def _context(self, ask: Ask, room: int) -> Context:
        """What is told of the data; of a follow-up, or words that answer a question back, also of what they lean on."""
        unanswered = [turn.message for turn in ask.turns[-_LEANS_ON:] if turn.status != "succeeded"]
        asked = " ".join(dict.fromkeys([*ask.before[-_LEANS_ON:], *unanswered, ask.as_meant]))
        return self._known.context(asked, room, values=self._sight.values)

    def write_sql(
        self, ask: Ask, view: SchemaView, failed: Sequence[Attempt], run: RunContext
    ) -> Draft | Clarify | CannotAnswer:
        tried = list(self._tried(failed))
        taken = sum(each.length for each in tried)
        question = self._question(ask, self._data(ask, view, taken), taken)
        if run.lookups:
            run.lookups.begin(run.token, run.emit, run.caveats)
        while True:
            decision = self._corrected([question, *self._looked(run), *tried], run)
            if not isinstance(decision, Wanted):
                return self._repaired(decision)
            assert run.lookups
            asked = run.lookups.look(decision.name, decision.arguments, run.token, run.emit, run.caveats)
            if asked:
                return asked

    def _tried(self, failed: Sequence[Attempt]) -> Sequence[Exchange]:
        """The drafts that failed and why, oldest first: as many of the last ones as fit."""
        most = int(self._room() * _FAILED_SHARE)
        kept = deque[Exchange]()
        for attempt in reversed(failed):
            exchange = Exchange.tried(attempt.draft, self._told(attempt), most // 2)
            most -= exchange.length
            if most < 0 and kept:
                break
            kept.appendleft(exchange)
        return kept

    def _data(self, ask: Ask, view: SchemaView, taken: int) -> str:
        """What the model is told of the data: less of it where what was tried before has `taken` the room."""
        room = int(self._room() * (1 - _HISTORY_SHARE)) - taken
        known = str(view.known)
        return known if len(known) <= room else self._context(ask, room).text

    def _corrected(self, talk: list[BaseMessage | Exchange], run: RunContext) -> Decision:
        """What it decides; where that cannot be read it is told so, once."""
        offers = run.lookups.offers() if run.lookups else []
        for correction in range(_CORRECTIONS + 1):
            try:
                return self._decide(talk, run, offers)
            except ModelFault as fault:
                if fault.kind not in _LATE_FAULTS or correction == _CORRECTIONS:
                    raise
                talk.append(HumanMessage(self._prompts.text("unreadable", why=fault.message)))
        raise AssertionError("unreachable")

    def _looked(self, run: RunContext) -> list[Exchange]:
        """The tools from outside that it had called, each with what came of it."""
        done = run.lookups.done if run.lookups else ()
        return [Exchange.looked(each, self._prompts.text("looked", tool=each.name, told=each.told)) for each in done]

    def second_opinion(self, ask: Ask, view: SchemaView, run: RunContext) -> Draft | None:
        """Another draft of the same question, from a prompt that has it read anew; None where it has none."""
        second = self._prompts.text("second")
        talk = [self._question(ask, str(view.known), len(second)), HumanMessage(second)]
        decision = self._decide(talk, run)
        decision = decision if isinstance(decision, Wanted) else self._repaired(decision)
        return decision if isinstance(decision, Draft) and not (decision.problem or decision.steps) else None

    def weigh(self, ask: Ask, draft: Draft, run: RunContext) -> Draft:
        return draft

    def mend(self, sql: str) -> tuple[str, Sequence[Finding]]:
        done = repair(sql, self._known.data)
        return done.sql, done.findings

    def look(self, ask: Ask, result: QueryResult) -> Sequence[Finding]:
        return suspicious(Outcome.of(ask.question, result), self._known.data)

    def seen(self, findings: Sequence[Finding]) -> str:
        return facts(findings, values=self._sight.values, rows=self._sight.rows)

    def compose(self, answer: Answer, run: RunContext) -> Iterator[str]:
        return self._phrasing.say(answer, run)

    def _decide(self, talk: Talk, run: RunContext, offers: Sequence[Offer] = ()) -> Decision:
        """In the lane of tools as long as the model keeps to it, else in that of one JSON object."""
        if not self._model.abilities.tools:
            return self._ask(talk, "lane_json", run, offers).decision
        try:
            found = self._ask(talk, "lane_tools", run, offers)
        except (ModelFault, NotImplementedError) as error:
            if isinstance(error, ModelFault) and error.kind != "rejected":
                raise
            return self._ask(talk, "lane_json", run, offers, lacking={"tools": False}).decision
        if not self._model.abilities.called:
            self._model.learn(**({"called": True} if found.by_tool else {"tools": False}))
        return found.decision

    def _repaired(self, decision: Draft | Clarify | CannotAnswer) -> Draft | Clarify | CannotAnswer:
        """A draft whose SQL is one statement that binds; what was changed is told with the answer.

        One with steps is mended when they are taken.
        """
        if not isinstance(decision, Draft) or decision.steps:
            return decision
        sql, findings = self.mend(decision.sql)
        if is_broken(findings):
            return replace(decision, problem=stopped(findings, self.seen(findings)))
        return replace(decision, sql=sql, written=decision, assumptions=(*decision.assumptions, *caveats(findings)))

    def _ask(
        self,
        talk: Talk,
        lane: PromptName,
        run: RunContext,
        offers: Sequence[Offer],
        lacking: Mapping[str, bool] = _NOTHING,
    ) -> Read:
        instructions = f"{self._prompts.text('write_sql')}\n\n{self._prompts.text(lane)}"
        if offers:
            instructions += f"\n\n{self._prompts.text('outside', tools=_described(offers))}"
        names, by_tool = {each.name for each in offers}, lane == "lane_tools"
        with Hearing(run) as hearing:
            call = Call(
                [SystemMessage(instructions), *as_messages(talk, by_tool=by_tool)],
                run.token,
                run.meter,
                [*TOOLS, *offered(offers)] if by_tool else (),
                hearing.hear,
                hearing.again,
                run.meanwhile,
                lacking,
            )
            return self._model.ask(call, lambda reply: read(reply, self.name, names))

    def _question(self, ask: Ask, told: str, taken: int) -> BaseMessage:
        """The question, with what is `told` of the data and the earlier turns that the room left has; `taken` of it is
        what was tried before."""
        said = " ".join([ask.question, *(turn.message for turn in ask.turns)])
        meant = f"\n(The reading meant: {self._sight.words(ask.choice, said)})" if ask.choice else ""
        question = f"{ask.question}{meant}"
        today = day(self._known.analyst.today)
        before = earlier(ask.turns, self._room() - len(told) - taken, self._sight)
        return HumanMessage(self._prompts.text("question", data=told, earlier=before, today=today, question=question))

    def _told(self, attempt: Attempt) -> str:
        """The error, or what is suspicious about the result; with the SQL that ran, where it was mended before."""
        draft, error = attempt.draft, attempt.error
        is_doubt = error.code == "result_doubtful"
        ran = f"{self._prompts.text('mended', sql=draft.sql)}\n\n" if self._is_shown_mended(draft) else ""
        why = error.message if is_doubt else self._sight.error(error, draft)
        return self._prompts.text("doubt" if is_doubt else "repair", ran=ran, error=shortened(why))

    def _is_shown_mended(self, draft: Draft) -> bool:
        """Whether the model is to see what was run for what it wrote: where that differs, and values may be seen."""
        differs = draft.written is not None and draft.sql != draft.written.sql and not draft.steps
        return self._sight.values and differs and len(draft.sql) <= _LONGEST_MENDED

    def _room(self) -> int:
        """Characters left of a prompt when its instructions are written."""
        instructions = len(self._prompts.text("write_sql")) + len(self._prompts.text("lane_json"))
        return max(self._model.endpoint.limits.prompt_chars - instructions - _FOR_QUESTION, 0)


def _described(offers: Sequence[Offer]) -> str:
    """A line of JSON for each: what a server says of its tool begins no line of ours."""
    told = ({"call": each.name, "about": each.description, "takes": each.schema} for each in offers)
    return "\n".join(json.dumps(each, ensure_ascii=False) for each in told)
