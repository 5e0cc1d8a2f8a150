"""A chat model that can be asked: one reply at a time, streamed, tried again where that may help, and counted.

ask ─▶ one call (streaming.py) ─▶ gathered reply ─▶ `read` makes sense of it ─▶ what it said
  ▲                                                   │ a fault that passes: wait, then again
  └───────────────────────────────────────────────────┘ a fault that stays: raised
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
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
from pluto_duck_backend.agent.models.meter import Meter, Usage
from pluto_duck_backend.agent.models.reply import Gathering, Reply
from pluto_duck_backend.agent.models.streaming import stream

T = TypeVar("T")
MOST_CHARS = 64_000
_FIRST_WAIT_S = 0.5
_CHARS_PER_TOKEN = 4


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


class Model:
    """One endpoint's model. Thread-safe; connections are kept."""

    def __init__(self, endpoint: Endpoint, abilities: AbilityStore) -> None:
        self.endpoint = endpoint
        self._abilities = abilities
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
                if not FAULTS[fault.kind].retried or tried >= self.endpoint.limits.retries:
                    raise
                call.token.wait(self._patience(fault, tried))
                tried += 1

    def speak(self, call: Call, most_chars: int) -> Iterator[str]:
        """The reply's text as it is written, at most so much of it; tried once. Raises ModelFault."""
        gathering = Gathering()
        try:
            for piece in self._pieces(call):
                yield gathering.add(piece)[0]
                if gathering.size > most_chars:
                    return
        finally:
            call.meter.add(self._usage(call, gathering))

    def _patience(self, fault: ModelFault, tried: int) -> float:
        """Seconds until the next try. Raises the fault where the provider asks for more than is allowed."""
        most = self.endpoint.limits.max_wait_s
        if fault.retry_after is not None:
            if fault.retry_after > most:
                raise fault
            return fault.retry_after
        return min(most, _FIRST_WAIT_S * 2**tried * random.uniform(0.5, 1.0))  # noqa: S311

    def _reply(self, call: Call) -> Reply:
        gathering = Gathering()
        try:
            return self._gathered(call, gathering)
        finally:
            call.meter.add(self._usage(call, gathering))

    def _gathered(self, call: Call, gathering: Gathering) -> Reply:
        try:
            for piece in self._pieces(call):
                call.hear(*gathering.add(piece))
                if gathering.size > MOST_CHARS:
                    return gathering.reply("too_long")
        except ModelFault as fault:
            if not (self.abilities.streaming and _streamed_nothing(fault)):
                raise
            self.lacks(streaming=False)
            return self._gathered(call, gathering)
        return gathering.reply()

    def _pieces(self, call: Call) -> Iterator[AIMessageChunk]:
        limits, chat = self.endpoint.limits, self._made()
        return stream(
            chat,
            list(call.messages),
            self._options(chat, call),
            name=self.name,
            token=call.token,
            stall_s=limits.stall_s if self.abilities.streaming else limits.timeout_s,
            timeout_s=limits.timeout_s,
            in_pieces=self.abilities.streaming,
        )

    def _options(self, chat: BaseChatModel, call: Call) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if call.tools:
            choice = {"tool_choice": "any"} if self.endpoint.family in ("openai", "azure") else {}
            options |= cast("RunnableBinding[Any, Any]", chat.bind_tools(list(call.tools), **choice)).kwargs
        if self.endpoint.family == "openai" and self.abilities.stream_options and self.abilities.streaming:
            options["stream_usage"] = True
        return options

    def _made(self) -> BaseChatModel:
        if self._chat is None:
            if not self.endpoint.model:
                self.endpoint = only_model(self.endpoint)
            self._chat = build(self.endpoint)
        return self._chat

    def _usage(self, call: Call, gathering: Gathering) -> Usage:
        """What the provider counted; where it did not, what the characters come to."""
        asked, written = gathering.tokens or (
            sum(len(str(message.content)) for message in call.messages) // _CHARS_PER_TOKEN,
            gathering.size // _CHARS_PER_TOKEN,
        )
        return Usage(asked, written, 0.0, 1)


def _streamed_nothing(fault: ModelFault) -> bool:
    """Whether the server sent no piece at all, as one does that answers a wish for a stream with the whole."""
    cause = fault.__cause__
    return isinstance(cause, ValueError) and "No generation" in str(cause)
