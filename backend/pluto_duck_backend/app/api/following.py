"""A call of an action as server-sent events: `call.start`, a `call.chunk` for each piece of progress, and at the end
`call.end` with the result. What was never begun is a problem document instead.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import orjson
from fastapi import Response
from sse_starlette import EventSourceResponse

from pluto_duck_backend.agent.actions.contract import Result
from pluto_duck_backend.app.api.sse import GOODBYE_S, PING_S
from pluto_duck_backend.app.api.waiting import Waiter
from pluto_duck_backend.app.core.errors import InternalFault, NotFound, PlutoDuckError
from pluto_duck_backend.app.services.execution.job import now

Work = Callable[..., Result]
_Told = tuple[str, dict[str, Any]]
_Queue = asyncio.Queue["_Told | Exception"]
_logger = logging.getLogger(__name__)


async def follow(call_id: str, work: Work, abandoned: Callable[[], object], waiter: Waiter) -> Response:
    """The stream of a call; `abandoned` is called where its reader goes away before. Raises what `work` does."""
    told: _Queue = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(each: _Told | Exception) -> None:
        loop.call_soon_threadsafe(told.put_nowait, each)

    task = asyncio.create_task(waiter.run(lambda: put(_end(work, put))))
    first = await told.get()
    if isinstance(first, Exception):
        raise first
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    frames = _frames(call_id, first, told, task, abandoned)
    return EventSourceResponse(frames, ping=PING_S, headers=headers, shutdown_grace_period=GOODBYE_S)


def _end(work: Work, put: Callable[[_Told], None]) -> _Told | Exception:
    try:
        done = work(begun=lambda: put(("start", {})), tell=lambda message: put(("chunk", {"message": message})))
    except Exception as error:  # noqa: BLE001 - raised or told where the stream is made
        return error
    return "end", done.to_dict()


async def _next(told: _Queue) -> _Told:
    """Of what had begun, an error is its end, too."""
    each = await told.get()
    if not isinstance(each, Exception):
        return each
    if not isinstance(each, PlutoDuckError):
        _logger.error("a call failed after it had begun", exc_info=each)
        each = InternalFault(f"{type(each).__name__}: {each}", hint="Please report this.")
    return "end", Result.failed(each).to_dict()


async def _frames(
    call_id: str,
    first: _Told,
    told: _Queue,
    task: asyncio.Task[None],
    abandoned: Callable[[], object],
) -> AsyncIterator[bytes]:
    seq, (kind, content) = 1, first
    try:
        while kind != "end":
            yield _frame(call_id, seq, kind, content)
            seq, (kind, content) = seq + 1, await _next(told)
        yield _frame(call_id, seq, kind, content)
        await task
    finally:
        if kind != "end":
            asyncio.get_running_loop().run_in_executor(None, _gone, abandoned)


def _gone(abandoned: Callable[[], object]) -> None:
    with contextlib.suppress(NotFound):  # it has ended meanwhile
        abandoned()


def _frame(call_id: str, seq: int, kind: str, content: dict[str, Any]) -> bytes:
    event = {"call_id": call_id, "seq": seq, "type": "call", "subtype": kind, "content": content, "timestamp": now()}
    return b"id: %d\ndata: %s\n\n" % (seq, orjson.dumps(event, default=str))
