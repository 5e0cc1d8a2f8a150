"""A chat model that can be asked: one reply at a time, streamed, tried again where that may help, and counted.

ask ─▶ one call (streaming.py) ─▶ gathered reply ─▶ `read` makes sense of it ─▶ what it said
  ▲                                                   │ a fault that passes: wait, then again
  └───────────────────────────────────────────────────┘ a fault that stays: raised
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast

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
from pluto_duck_backend.agent.models.presets import Family
from pluto_duck_backend.agent.models.prices import Prices
from pluto_duck_backend.agent.models.reply import Gathering, Reply
from pluto_duck_backend.agent.models.streaming import stream
from pluto_duck_backend.agent.models.usage import Usage
from pluto_duck_backend.app.core import counts, spans
from pluto_duck_backend.app.core.errors import Cancelled
from pluto_duck_backend.app.core.spans import Span

T = TypeVar("T")
MOST_CHARS = 64_000
_FIRST_WAIT_S = 0.5
_CHARS_PER_TOKEN = 4
_ASKED_OF: dict[Family, tuple[str, ...]] = {"openai": ("stream_options",), "ollama": ("thinking",)}
#   what is asked beyond the plain protocol, which not every server and model takes


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


class Model:
    """One endpoint's model. Thread-safe; connections are kept."""

    def __init__(self, endpoint: Endpoint, abilities: AbilityStore, prices: Prices) -> None:
        self.endpoint = endpoint
        self._abilities = abilities
        self._prices = prices
        self._chat: BaseChatModel | None = None

    @property
    def name(self) -> str:
        return self.endpoint.name

    @property
    def model(self) -> str | None:
        return self.endpoint.model or None

    @property
    def abilities(self) -> Abilities:
        return self._abilities.of(self._key)

    def lacks(self, **abilities: bool) -> None:
        """Remember what a call showed it not to do."""
        self._abilities.lacks(self._key, **abilities)

    @property
    def _key(self) -> str:
        return f"{self.name} {self.endpoint.base_url} {self.endpoint.model}"

    def ask(self, call: Call, read: Callable[[Reply], T]) -> T:
        """What `read` makes of the reply. Raises ModelFault when trying again did not help, or would not."""
        tried = 0
        while True:
            try:
                return read(self._reply(call))
            except ModelFault as fault:
                if fault.kind == "rejected" and self._asks_for_less(fault):
                    continue
                if not FAULTS[fault.kind].retried or tried >= self.endpoint.limits.retries:
                    raise
                call.again()
                call.token.wait(self._patience(fault, tried))
                tried += 1

    def _asks_for_less(self, fault: ModelFault) -> bool:
        """Whether there is something that the next try leaves out, now that the server rejected a request."""
        asked, can = _ASKED_OF.get(self.endpoint.family, ()), self.abilities
        left = [name for name in asked if getattr(can, name)]
        named = [name for name in left if name.partition("_")[0][:5] in fault.message.casefold()]
        if not left or (not named and "tool" in fault.message.casefold()):
            return False
        self.lacks(**{(named or left)[0]: False})
        return True

    def speak(self, call: Call, most_chars: int) -> Iterator[str]:
        """The reply's text as it is written, at most so much of it; tried once. Raises ModelFault."""
        pieces = self._pieces(call)
        with self._counted(call) as gathering:
            for piece in pieces:
                yield gathering.add(piece)[0]
                if gathering.size > most_chars:
                    return

    def _patience(self, fault: ModelFault, tried: int) -> float:
        """Seconds until the next try. Raises the fault where the provider asks for more than is allowed."""
        most = self.endpoint.limits.max_wait_s
        if fault.retry_after is not None:
            if fault.retry_after > most:
                raise fault
            return fault.retry_after
        return min(most, _FIRST_WAIT_S * 2**tried * random.uniform(0.5, 1.0))  # noqa: S311

    def _reply(self, call: Call) -> Reply:
        pieces = self._pieces(call)
        with self._counted(call) as gathering:
            return self._gathered(call, pieces, gathering)

    @contextmanager
    def _counted(self, call: Call) -> Iterator[Gathering]:
        """A call within the budget, counted however it ends. Raises ModelFault where there is none left."""
        expected = self._expected(call)
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

    def _expected(self, call: Call) -> Usage:
        """The most that a call is likely to use. Raises ModelFault where money is limited, and its price unknown."""
        asked, written = _tokens(call.messages), self.endpoint.limits.max_output_tokens
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

    def _gathered(self, call: Call, pieces: Iterator[AIMessageChunk], gathering: Gathering) -> Reply:
        try:
            for piece in pieces:
                call.hear(*gathering.add(piece))
                if gathering.size > MOST_CHARS:
                    return gathering.reply("too_long")
        except ModelFault as fault:
            if not (self.abilities.streaming and _streamed_nothing(fault)):
                raise
            self.lacks(streaming=False)
            return self._gathered(call, self._pieces(call), gathering)
        return gathering.reply()

    def _pieces(self, call: Call) -> Iterator[AIMessageChunk]:
        """The reply in pieces, sent for when the first is taken.

        Raises NotImplementedError where tools are to be called and the model's class takes none.
        """
        limits, chat = self.endpoint.limits, self._made()
        return stream(
            chat,
            list(call.messages),
            self._options(chat, call),
            name=self.name,
            place=self.endpoint.place,
            token=call.token,
            stall_s=limits.stall_s if self.abilities.streaming else limits.timeout_s,
            timeout_s=limits.timeout_s,
            in_pieces=self.abilities.streaming,
            meanwhile=call.meanwhile,
        )

    def _options(self, chat: BaseChatModel, call: Call) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if call.tools:
            choice = {"tool_choice": "any"} if self.endpoint.family in ("openai", "azure") else {}
            options |= cast("RunnableBinding[Any, Any]", chat.bind_tools(list(call.tools), **choice)).kwargs
        can = self.abilities
        if self.endpoint.family == "openai" and can.stream_options and can.streaming:
            options["stream_usage"] = True
        if self.endpoint.family == "ollama" and can.thinking:
            options["reasoning"] = True
        return options

    def _made(self) -> BaseChatModel:
        if self._chat is None:
            if not self.endpoint.model:
                self.endpoint = only_model(self.endpoint)
            self._chat = build(self.endpoint)
        return self._chat

    def _usage(self, call: Call, gathering: Gathering, elapsed_s: float) -> Usage:
        """What the provider counted; where it did not, what the characters come to. A call refused costs nothing."""
        asked, written = gathering.tokens or (0, 0)
        if gathering.tokens is None and gathering.size:
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


def _streamed_nothing(fault: ModelFault) -> bool:
    """Whether the server sent no piece at all, as one does that answers a wish for a stream with the whole."""
    cause = fault.__cause__
    return isinstance(cause, ValueError) and "No generation" in str(cause)


def _tokens(messages: Sequence[BaseMessage]) -> int:
    """About how many tokens messages have."""
    return sum(len(str(message.content)) for message in messages) // _CHARS_PER_TOKEN
