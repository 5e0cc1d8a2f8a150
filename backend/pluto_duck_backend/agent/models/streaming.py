"""One call of a chat model as an iterator of its pieces that can be stopped from outside at any moment.

The call runs on an event loop of its own thread, since only there can it be ended while it waits: ending it closes its
connection. The run's thread takes the pieces from a queue, so that a cancelled or stalled call holds up nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from itertools import takewhile
from typing import Any, NamedTuple

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk as create_tool_call_chunk
from langchain_core.prompt_values import ChatPromptValue, PromptValue
from langsmith import tracing_context

from pluto_duck_backend.agent.cancel import CancelToken
from pluto_duck_backend.agent.models.endpoints import Endpoint
from pluto_duck_backend.agent.models.faults import ModelFault, from_foreign

_END = object()
_starting = threading.Lock()
_Put = Callable[[Any], None]
PATIENCE_S = 0.1
"""So long a reply is waited for before something else is done meanwhile."""


class Patience(NamedTuple):
    """How many seconds a call may take: for its first piece, each further one, all of them; and what is raised then."""

    name: str
    first_s: float
    further_s: float
    whole_s: float
    late: Callable[[], ModelFault]


def stream(
    chat: BaseChatModel,
    messages: list[BaseMessage],
    options: dict[str, Any],
    *,
    endpoint: Endpoint,
    token: CancelToken,
    patience: Patience,
    in_pieces: bool = True,
    meanwhile: Callable[[], None] | None = None,
) -> Iterator[AIMessageChunk]:
    """The reply, piece by piece. Raises ModelFault, or the token's reason as soon as it is cancelled.

    `meanwhile` is called once where it takes longer than `PATIENCE_S`.
    """
    pieces: queue.SimpleQueue[Any] = queue.SimpleQueue()
    asked = ChatPromptValue.model_construct(messages=messages)  # ours are whole: looking at each again takes time
    source = chat.astream(asked, **options) if in_pieces else _whole(chat, asked, options)
    call = _Call(source, pieces.put)
    try:
        with token.interrupting(lambda: pieces.put(_END)):
            taken = _taken(pieces, patience, time.monotonic() + patience.whole_s, meanwhile)
            for piece in takewhile(lambda each: each is not _END, taken):
                token.check()
                if isinstance(piece, Exception):
                    raise from_foreign(piece, endpoint) from piece
                yield piece
            token.check()
    finally:
        call.cancel()


def _taken(
    pieces: queue.SimpleQueue[Any], patience: Patience, ends: float, meanwhile: Callable[[], None] | None
) -> Iterator[Any]:
    """Each piece as it comes."""
    wait_s = patience.first_s
    for piece in _early(pieces, meanwhile) if meanwhile else ():
        wait_s = patience.further_s
        yield piece
    while True:
        yield _next(pieces, patience, wait_s, ends)
        wait_s = patience.further_s


def _early(pieces: queue.SimpleQueue[Any], meanwhile: Callable[[], None]) -> Iterator[Any]:
    """The pieces until `PATIENCE_S` are over and the next one is to be waited for; then `meanwhile` is called."""
    soon = time.monotonic() + PATIENCE_S
    while True:
        try:
            yield pieces.get(timeout=max(0.0, soon - time.monotonic()))
        except queue.Empty:
            break
    meanwhile()


def _next(pieces: queue.SimpleQueue[Any], patience: Patience, wait_s: float, ends: float) -> Any:
    left = ends - time.monotonic()
    try:
        return pieces.get(timeout=max(0.0, min(wait_s, left)))
    except queue.Empty:
        if left > wait_s:
            raise ModelFault("stalled", patience.name, f"nothing for {wait_s:g} s") from None
        raise patience.late() from None


class _Call:
    """A call on the loop, begun and ended from a run's thread; a future for both would cost more than the queue."""

    def __init__(self, source: AsyncIterator[Any], put: _Put) -> None:
        self._source = source
        self._put = put
        self._is_over = False
        self._loop = _loop()
        self._loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._pump())

    def cancel(self) -> None:
        """It ends where it waits; one that is over stays as it is."""
        if not self._is_over:
            self._loop.call_soon_threadsafe(lambda: self._task.cancel())

    async def _pump(self) -> None:
        """Puts every piece, then the exception it ended with, if any, and the end."""
        with contextlib.suppress(asyncio.CancelledError):
            error = await _ended_with(self._source, self._put)
            if error is not None:
                self._put(error)
        self._is_over = True
        self._put(_END)


async def _ended_with(source: AsyncIterator[Any], put: _Put) -> Exception | None:
    """What the call raised: the error border of every provider's library, so all exceptions cross it."""
    try:
        # A tracing variable of the environment was set for other programs; questions and rows stay here.
        with tracing_context(enabled=False, parent=False):
            async for piece in source:
                put(_as_chunk(piece))
    except Exception as error:  # noqa: BLE001
        return error
    return None


async def _whole(chat: BaseChatModel, asked: PromptValue, options: dict[str, Any]) -> AsyncIterator[Any]:
    """The reply of a server that does not stream, as one piece."""
    yield await chat.ainvoke(asked, **options)


def _as_chunk(message: Any) -> AIMessageChunk:
    """A whole message, which models without streaming give, as a piece like any other."""
    if isinstance(message, AIMessageChunk):
        return message
    calls = [
        create_tool_call_chunk(name=each["name"], args=json.dumps(each["args"]), id=each["id"], index=n)
        for n, each in enumerate(message.tool_calls)
    ]
    return AIMessageChunk(
        content=message.content,
        additional_kwargs=message.additional_kwargs,
        response_metadata=message.response_metadata,
        usage_metadata=message.usage_metadata,
        tool_call_chunks=calls,
    )


def _loop() -> asyncio.AbstractEventLoop:
    """The one loop of the process that calls models; connections are kept on it."""
    with _starting:  # a cache alone would have two threads that ask first start one each
        return _started()


@cache
def _started() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="models", daemon=True).start()
    return loop
