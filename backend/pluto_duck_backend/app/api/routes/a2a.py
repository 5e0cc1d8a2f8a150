"""Agent2Agent: cards at their well-known addresses, and the JSON-RPC binding."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import orjson
from fastapi import APIRouter, Depends, Request, Response
from sse_starlette import EventSourceResponse
from starlette.concurrency import run_in_threadpool

from pluto_duck_backend.agent.exchanges import Exchange
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.a2a import cards, envelope, tasks
from pluto_duck_backend.app.api.a2a.envelope import Rpc, RpcError
from pluto_duck_backend.app.api.a2a.methods import Methods, wanted
from pluto_duck_backend.app.api.answers.protocol_answers import AgentCard, RpcAnswer
from pluto_duck_backend.app.api.openapi import Documented, bytes_of, documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.roles import permitted
from pluto_duck_backend.app.api.safety import CARD_PATH, Who
from pluto_duck_backend.app.api.sse import GOODBYE_S, PING_S
from pluto_duck_backend.app.api.waiting import Waiter
from pluto_duck_backend.app.core.errors import PlutoDuckError

_VERSION = "a2a-version"
_NO_PUSH = "PushNotificationConfig"
_REQUEST = {
    "type": "object",
    "required": ["jsonrpc", "method"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": ["string", "integer", "null"]},
        "method": {"type": "string"},
        "params": {"type": "object"},
    },
}
_BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": _REQUEST}}}}


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(tags=["a2a"])
    _add_cards(routes, workspace)
    _add_methods(routes, workspace)
    return routes


def _add_cards(routes: APIRouter, workspace: Workspace) -> None:
    @routes.get(CARD_PATH, responses=documented(model=AgentCard))
    def whole(request: Request) -> Response:
        """The server's agent card."""
        return as_json(cards.whole(_address(request), asks_for_token=request.state.asks_for_token))

    @routes.get(f"/a2a/{{agent}}{CARD_PATH}", responses=documented(404, model=AgentCard), dependencies=_PERMITTED)
    def of_agent(agent: str, request: Request, who: Who) -> Response:
        """The card of one agent."""
        workspace.agents.assign(agent, who)
        found = workspace.agents.files.get(agent)
        return as_json(cards.of_agent(found, _address(request), asks_for_token=request.state.asks_for_token))


def _add_methods(routes: APIRouter, workspace: Workspace) -> None:
    waiter = Waiter()

    @routes.post("/a2a", response_class=Response, responses=_ANSWERS, openapi_extra=_BODY, dependencies=_PERMITTED)
    async def call(request: Request, who: Who) -> Response:
        """A method of the protocol; the server chooses who answers."""
        return await _called(request, Methods(workspace.runs, who), waiter)

    @routes.post(
        "/a2a/{agent}", response_class=Response, responses=_ANSWERS, openapi_extra=_BODY, dependencies=_PERMITTED
    )
    async def call_agent(agent: str, request: Request, who: Who) -> Response:
        """A method of the protocol, answered by one agent."""
        await run_in_threadpool(workspace.agents.assign, agent, who)
        return await _called(request, Methods(workspace.runs, who, agent), waiter)


async def _called(request: Request, methods: Methods, waiter: Waiter) -> Response:
    try:
        rpc = envelope.read(await request.body())
    except RpcError as error:
        return as_json(envelope.failed(None, error), 400)
    try:
        _check_version(request)
        return await _answer(rpc, methods, waiter)
    except RpcError as error:
        return as_json(envelope.failed(rpc.id, error))
    except envelope.AS_HTTP:
        raise
    except PlutoDuckError as error:
        return as_json(envelope.failed(rpc.id, envelope.of_ours(error)))


async def _answer(rpc: Rpc, methods: Methods, waiter: Waiter) -> Response:
    params = rpc.params
    if rpc.method in ("SendStreamingMessage", "SubscribeToTask"):
        return _stream(rpc, await waiter.run(partial(_followed, rpc, methods)), methods)
    plain = {"GetTask": methods.get, "ListTasks": methods.listed, "CancelTask": methods.cancel}
    if rpc.method in plain:
        return as_json(envelope.answered(rpc, await waiter.run(partial(plain[rpc.method], params))))
    if rpc.method == "SendMessage":
        return as_json(envelope.answered(rpc, await waiter.run(partial(_sent, methods, params))))
    if rpc.method.endswith((_NO_PUSH, f"{_NO_PUSH}s")):
        raise RpcError(envelope.NO_PUSH, "Nothing is sent from here; follow a task with SubscribeToTask.")
    if rpc.method == "GetExtendedAgentCard":
        raise RpcError(envelope.NO_EXTENDED_CARD, "Each agent has one card.")
    raise RpcError(envelope.METHOD, f"There is no method {rpc.method!r}.")


def _sent(methods: Methods, params: dict[str, Any]) -> dict[str, Any]:
    """The task when it has ended or asks back; at once where that is wanted."""
    history, at_once = wanted(params)
    exchange = methods.send(params)
    return {"task": tasks.task_of(exchange if at_once else methods.until_open(exchange), history)}


def _followed(rpc: Rpc, methods: Methods) -> Exchange:
    if rpc.method == "SendStreamingMessage":
        wanted(rpc.params)
        return methods.send(rpc.params)
    exchange = methods.named(rpc.params)
    if exchange.status not in tasks.IS_OPEN:
        raise RpcError(envelope.UNSUPPORTED, f"The task is over: {exchange.status.replace('_', ' ')}.")
    return exchange


def _stream(rpc: Rpc, exchange: Exchange, methods: Methods) -> Response:
    history, _ = wanted(rpc.params)

    async def frames() -> AsyncIterator[bytes]:
        async for each in methods.follow(exchange, history):
            yield b"data: %s\n\n" % orjson.dumps(envelope.answered(rpc, each), default=str)

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return EventSourceResponse(frames(), ping=PING_S, headers=headers, shutdown_grace_period=GOODBYE_S)


def _check_version(request: Request) -> None:
    spoken = request.headers.get(_VERSION, cards.PROTOCOL)
    if spoken.split(".")[0] != cards.PROTOCOL.split(".")[0]:
        raise RpcError(envelope.VERSION, f"Version {spoken!r} is not spoken here, but {cards.PROTOCOL}.")


def _address(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def _answers() -> Documented:
    answers = documented(404, model=RpcAnswer)
    answers[200] |= bytes_of("text/event-stream")
    answers[400] = {"model": RpcAnswer, "description": "No request of JSON-RPC."}
    return answers


_ANSWERS = _answers()
_PERMITTED = [Depends(permitted)]
