"""A chat model that can be asked: one reply at a time, streamed, tried again where that may help, and counted.

ask ─▶ one call (streaming.py) ─▶ gathered reply ─▶ `read` makes sense of it ─▶ what it said
  ▲                                                   │ a fault that passes: wait, then again
  └───────────────────────────────────────────────────┘ a fault that stays: raised
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeGuard, TypeVar, cast

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.runnables import RunnableBinding

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.models.abilities import Abilities, AbilityStore
from pluto_duck_backend.agent.models.build import build
from pluto_duck_backend.agent.models.discover import only_model
from pluto_duck_backend.agent.models.endpoints import Endpoint
from pluto_duck_backend.agent.models.faults import FAULTS, ModelFault
from pluto_duck_backend.agent.models.meter import Meter
from pluto_duck_backend.agent.models.otherwise import otherwise, shown, tokens_for
from pluto_duck_backend.agent.models.prices import Prices
from pluto_duck_backend.agent.models.reply import Gathering, Reply
from pluto_duck_backend.agent.models.streaming import Patience, stream
from pluto_duck_backend.agent.models.usage import Usage
from pluto_duck_backend.app.core import counts, spans
from pluto_duck_backend.app.core.errors import Cancelled
from pluto_duck_backend.app.core.spans import Span

T = TypeVar("T")
MOST_CHARS = 64_000
_FIRST_WAIT_S = 0.5
_CHARS_PER_TOKEN = 4
_MOST_COUNTED = 100_000_000
#   tokens of one call: more is no count


class Listener(Protocol):
    """Hears a reply while it is written."""

    def __call__(self, text: str, thought: str) -> None: ...


@dataclass(frozen=True)
class Call:
    """What is asked, and on whose behalf."""

    messages: Sequence[BaseMessage]
    token: CancelToken
    meter: Meter
    tools: Sequence[dict[str, Any]] = ()
    hear: Listener = field(default=lambda text, thought: None)
    again: Callable[[], None] = field(default=lambda: None)
    #   what was heard is void, since the call is tried again
    meanwhile: Callable[[], None] | None = None
    #   done once where the reply takes its time
    lacking: Mapping[str, bool] = field(default_factory=dict)
    #   what a reply shows of the model's abilities, since it rejected the same call with these


class Model:
    """One endpoint's model. Thread-safe; connections are kept."""

    def __init__(self, endpoint: Endpoint, abilities: AbilityStore, prices: Prices) -> None:
        self.endpoint = endpoint
        self._abilities = abilities
        self._prices = prices
        self._chats: dict[int, BaseChatModel] = {}
        #   by the tokens that a reply may have

    @property
    def name(self) -> str:
        return self.endpoint.name

    @property
    def model(self) -> str | None:
        return self.endpoint.model or None

    @property
    def abilities(self) -> Abilities:
        """What it is known to do; where a server in the house is to be asked for its model, that comes first."""
        if not self.endpoint.model:
            self.endpoint = only_model(self.endpoint)
        return self._abilities.of(self._key)

    def learn(self, **abilities: bool) -> None:
        """Remember what a call showed it to do, or not to."""
        self._abilities.learn(self._key, **abilities)

    @property
    def _key(self) -> str:
        return f"{self.name} {self.endpoint.base_url} {self.endpoint.model}"

    def ask(self, call: Call, read: Callable[[Reply], T]) -> T:
        """What `read` makes of the reply. Raises ModelFault when trying again did not help, or would not."""
        tried, can = 0, self.abilities
        while True:
            try:
                return read(self._reply(call, can))
            except ModelFault as fault:
                if differently := otherwise(can, self.endpoint.family, fault):
                    can = differently
                    call.again()
                    continue
                if not FAULTS[fault.kind].retried or tried >= self.endpoint.limits.retries:
                    raise
                call.again()
                call.token.wait(self._patience(fault, tried))
                tried += 1

    def speak(self, call: Call, most_chars: int) -> Iterator[str]:
        """The reply's text as it is written, at most so much of it; tried once. Raises ModelFault."""
        can = self.abilities
        pieces, written = self._pieces(call, can), 0
        with self._counted(call, can) as gathering:
            for piece in pieces:
                text = gathering.add(piece)[0]
                yield text
                written += len(text)
                if written > most_chars or gathering.size > MOST_CHARS:
                    return
            yield gathering.rest()[0]

    def _patience(self, fault: ModelFault, tried: int) -> float:
        """Seconds until the next try. Raises the fault where the provider asks for more than is allowed."""
        most = self.endpoint.limits.max_wait_s
        if fault.retry_after is not None:
            if fault.retry_after > most:
                raise fault
            return fault.retry_after
        return min(most, _FIRST_WAIT_S * 2**tried * random.uniform(0.5, 1.0))  # noqa: S311

    def _reply(self, call: Call, can: Abilities) -> Reply:
        pieces = self._pieces(call, can)
        with self._counted(call, can) as gathering:
            reply = self._gathered(call, can, pieces, gathering)
        if call.lacking or can != self.abilities:
            self.learn(**shown(can, self.endpoint.family), **call.lacking)
        return reply

    @contextmanager
    def _counted(self, call: Call, can: Abilities) -> Iterator[Gathering]:
        """A call within the budget, counted however it ends. Raises ModelFault where there is none left."""
        expected = self._expected(call, can)
        call.meter.admit(self.name, self.endpoint.is_local, expected)
        gathering, began, outcome = Gathering(), time.perf_counter(), "ok"
        asked = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": self.name}
        with spans.span("model call", asked, leaf=True, kind="client") as span:
            try:
                yield gathering
            except BaseException as raised:
                outcome = _outcome(raised)
                raise
            finally:
                used = self._usage(call, gathering, time.perf_counter() - began)
                call.meter.add(self.name, self.endpoint.model, used, expected)
                self._tell(used, outcome, span)

    def _expected(self, call: Call, can: Abilities) -> Usage:
        """The most that a call is likely to use. Raises ModelFault where money is limited, and its price unknown."""
        asked, written = _tokens(call.messages), self._most_tokens(can)
        cost = self.cost(asked, written)
        if cost is None and call.meter.limits_money:
            raise ModelFault("unpriced", self.name, f"nobody says what {self.endpoint.model} costs")
        return Usage(asked, written, cost or 0.0, 1)

    def _tell(self, used: Usage, outcome: str, span: Span) -> None:
        """Count a call; callers may name any model, so only one that has answered is told by its name."""
        model = self.endpoint.model if outcome == "ok" else "unknown"
        span.tell({"gen_ai.request.model": model})
        span.tell({"gen_ai.usage.input_tokens": used.input_tokens, "gen_ai.usage.output_tokens": used.output_tokens})
        if outcome != "ok":
            span.fail(outcome)
        counts.MODEL_CALLS.add(used.elapsed_s, self.name, model, outcome)
        counts.MODEL_TOKENS.add(self.name, model, "input", by=used.input_tokens)
        counts.MODEL_TOKENS.add(self.name, model, "output", by=used.output_tokens)

    def _gathered(self, call: Call, can: Abilities, pieces: Iterator[AIMessageChunk], gathering: Gathering) -> Reply:
        try:
            for piece in pieces:
                call.hear(*gathering.add(piece))
                if gathering.size > MOST_CHARS:
                    return gathering.reply("too_long")
        except ModelFault as fault:
            if not (can.streaming and _streamed_nothing(fault)):
                raise
            self.learn(streaming=False)
            whole = replace(can, streaming=False)
            return self._gathered(call, whole, self._pieces(call, whole), gathering)
        call.hear(*gathering.rest())
        return gathering.reply()

    def _pieces(self, call: Call, can: Abilities) -> Iterator[AIMessageChunk]:
        """The reply in pieces, sent for when the first is taken.

        Raises NotImplementedError where tools are to be called and the model's class takes none.
        """
        chat = self._made(self._most_tokens(can))
        return stream(
            chat,
            list(call.messages),
            self._options(chat, call, can),
            endpoint=self.endpoint,
            token=call.token,
            patience=self._may_take(call, can),
            in_pieces=can.streaming,
            meanwhile=call.meanwhile,
        )

    def _may_take(self, call: Call, can: Abilities) -> Patience:
        """How long it is waited for: what reads the prompt at this machine's speed may take its time to begin."""
        limits, left = self.endpoint.limits, call.meter.seconds_left()

        def late() -> ModelFault:
            if left < limits.timeout_s:
                return ModelFault("over_budget", self.name, f"budget.run_s={call.meter.budget.run_s:g} is used up")
            return ModelFault("too_slow", self.name, f"providers.{self.name}.timeout_s")

        return Patience(
            self.name,
            limits.timeout_s if self.endpoint.is_local or not can.streaming else limits.stall_s,
            limits.stall_s if can.streaming else limits.timeout_s,
            min(left, limits.timeout_s),
            late,
        )

    def _options(self, chat: BaseChatModel, call: Call, can: Abilities) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if call.tools:
            choice = {"tool_choice": "any"} if self.endpoint.family in ("openai", "azure") else {}
            options |= cast("RunnableBinding[Any, Any]", chat.bind_tools(list(call.tools), **choice)).kwargs
        if self.endpoint.family == "openai" and can.stream_options and can.streaming:
            options["stream_usage"] = True
        if self.endpoint.family == "ollama" and can.thinking:
            options["reasoning"] = True
        return options

    def _most_tokens(self, can: Abilities) -> int:
        return tokens_for(can, self.endpoint.limits.max_output_tokens)

    def _made(self, tokens: int) -> BaseChatModel:
        """The chat model whose replies have at most so many tokens."""
        if tokens not in self._chats:
            limits = self.endpoint.limits.model_copy(update={"max_output_tokens": tokens})
            self._chats[tokens] = build(replace(self.endpoint, limits=limits))
        return self._chats[tokens]

    def _usage(self, call: Call, gathering: Gathering, elapsed_s: float) -> Usage:
        """What the provider counted; where it did not, what the characters come to. A call refused costs nothing."""
        asked, written = gathering.tokens if _are_counted(gathering.tokens) else (0, 0)
        if not _are_counted(gathering.tokens) and gathering.size:
            asked = _tokens(call.messages)
            written = gathering.size // _CHARS_PER_TOKEN
        return Usage(asked, written, self.cost(asked, written) or 0.0, 1, elapsed_s)

    def cost(self, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars; nothing for a model in the house, None where nobody says what it costs."""
        if self.endpoint.is_local:
            return 0.0
        family = self.endpoint.family
        providers = (self.name, family, *(["openai"] if family == "azure" else []))
        return self._prices.cost(providers, self.endpoint.model, input_tokens, output_tokens)


def _outcome(raised: BaseException) -> str:
    if isinstance(raised, ModelFault):
        return raised.kind
    return "cancelled" if isinstance(raised, Cancelled | GeneratorExit) else "failed"


def _are_counted(tokens: tuple[int, int] | None) -> TypeGuard[tuple[int, int]]:
    """Whether a provider's count is one: fewer than none would make room in a budget, endless ones close a day's."""
    return tokens is not None and all(0 <= each <= _MOST_COUNTED for each in tokens)


def _streamed_nothing(fault: ModelFault) -> bool:
    """Whether the server sent no piece at all, as one does that answers a wish for a stream with the whole."""
    cause = fault.__cause__
    return isinstance(cause, ValueError) and "No generation" in str(cause)


def _tokens(messages: Sequence[BaseMessage]) -> int:
    """About how many tokens messages have."""
    return sum(len(str(message.content)) for message in messages) // _CHARS_PER_TOKEN
