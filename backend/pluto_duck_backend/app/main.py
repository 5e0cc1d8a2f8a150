"""The server: the API and the page over one workspace. `serve` is what `pluto-duck serve` runs."""

from __future__ import annotations

import contextlib
import gc
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn, Protocol

import uvicorn
from fastapi import Depends, FastAPI
from starlette.types import Receive, Scope, Send

from pluto_duck_backend import __version__
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api import openapi, problems
from pluto_duck_backend.app.api.auditing import Audited
from pluto_duck_backend.app.api.callers import Callers
from pluto_duck_backend.app.api.counting import Counted
from pluto_duck_backend.app.api.rates import RateLimit
from pluto_duck_backend.app.api.roles import permitted
from pluto_duck_backend.app.api.routes import (
    a2a,
    actions,
    agent,
    agent_protocol,
    agents,
    boards,
    configuration,
    health,
    jobs,
    memory,
    metrics,
    page,
    prometheus,
    query,
    schema,
)
from pluto_duck_backend.app.api.safety import MCP_PATH, Safety
from pluto_duck_backend.app.api.sse import GOODBYE_S
from pluto_duck_backend.app.api.tracing import Traced
from pluto_duck_backend.app.core import logs, telemetry
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.core.logs import secrets_in
from pluto_duck_backend.app.core.tokens import TokenFile
from pluto_duck_backend.app.listening import address_of, is_loopback, listen
from pluto_duck_backend.app.services.execution.executor import end_process
from pluto_duck_backend.app.supervisor import RESTART, Handed

_COLLECT_AFTER = (50_000, 20, 20)  # a result of a thousand rows is not garbage
_ROUTERS = (
    *(agent.router, agents.router, boards.router, memory.router, query.router, metrics.router, schema.router),
    actions.router,
    *(jobs.jobs_router, jobs.ingest_router, jobs.dbt_router, configuration.router),
)
_ROUTERS_OF_OTHERS = (a2a.router, agent_protocol.router, health.router, prometheus.router)
#   whose addresses a protocol or a habit says


class Mcp(Protocol):
    """What answers at /mcp: an ASGI application that serves within `running`, until it is told to `stop`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...
    def running(self) -> contextlib.AbstractAsyncContextManager[None]: ...
    def stop(self) -> None: ...


def create_app(workspace: Workspace, token: str = "", *, is_asked: bool = True, mcp: Mcp | None = None) -> FastAPI:
    """The application, with the owner's `token`.

    A call needs it or another where `is_asked` and there is one; else from the first token on that is set or made.
    """
    app = FastAPI(
        title="Pluto-Duck",
        version=__version__,
        summary="Ask your data in plain words.",
        docs_url=None,
        redoc_url=None,
        lifespan=(lambda app: mcp.running()) if mcp else None,
    )
    if mcp:
        app.router.add_route(MCP_PATH, mcp, include_in_schema=False)  # type: ignore[arg-type]
    _add_routes(app, workspace)
    app.state.check_tool = workspace.agents.check_tool
    problems.install(app)
    openapi.install(app)
    _add_middleware(app, workspace, token, is_asked and bool(token))
    return app


def _add_routes(app: FastAPI, workspace: Workspace) -> None:
    app.include_router(page.router(workspace))  # first: what follows is made ready only when it is first called
    for router in _ROUTERS:
        app.include_router(router(workspace), prefix="/api/v1", dependencies=[Depends(permitted)])
    for router in _ROUTERS_OF_OTHERS:
        app.include_router(router(workspace))


def _add_middleware(app: FastAPI, workspace: Workspace, token: str, is_asked: bool) -> None:
    """From the inside out: a call comes in by the last."""
    app.add_middleware(Audited, audit=workspace.queries.audit)
    callers = Callers(workspace.settings, TokenFile(workspace.paths.tokens), token, is_asked)
    app.add_middleware(Safety, callers=callers, rates=RateLimit(workspace.settings.server.calls_per_minute))
    app.add_middleware(Counted)
    app.add_middleware(Traced)


def serve(
    settings: Settings, *, tell: Callable[[str], None], handed: Handed | None = None, mcp: Mcp | None = None
) -> None:
    """Own the root's warehouse and answer until interrupted. Raises before it listens where it may not.

    With `handed` a supervisor is there: a query that cannot be stopped ends this process, which is started again.
    """
    token = _token(settings)
    logs.install(settings.server.log, secrets_in(settings))
    with (
        telemetry.sending(settings, tell),
        _listening(settings, handed) as listener,
        _opened(settings, handed, tell) as workspace,
    ):
        _Serving(workspace, listener, token, mcp, tell).run()


def _listening(settings: Settings, handed: Handed | None) -> socket.socket:
    return handed.listener if handed else listen(settings.server.host, settings.server.port)


@contextlib.contextmanager
def _opened(settings: Settings, handed: Handed | None, tell: Callable[[str], None]) -> Iterator[Workspace]:
    workspace = Workspace.open(
        settings,
        on_wait=tell,
        resume=bool(handed and handed.resumed),
        last_resort=_end_to_restart if handed else end_process,
    )
    with contextlib.closing(workspace):
        yield workspace


@dataclass(frozen=True)
class _Serving:
    """A workspace over a socket that listens; `asked` is the token that calls need, empty where none is asked for."""

    workspace: Workspace
    listener: socket.socket
    asked: str
    mcp: Mcp | None
    tell: Callable[[str], None]

    def run(self) -> None:
        """Answer until interrupted."""
        token = self.asked or secrets.token_urlsafe(32)
        config = uvicorn.Config(
            create_app(self.workspace, token, is_asked=bool(self.asked), mcp=self.mcp),
            log_config=None,
            log_level="warning",
            timeout_graceful_shutdown=GOODBYE_S + 1,
        )
        with _unwinding_on_sigterm():
            _Server(config, self._stops(), lambda: self._announce(token)).run(sockets=[self.listener])

    def _stops(self) -> list[Callable[[], object]]:
        made = self.workspace
        return [made.runs.stop, made.jobs.stop, made.actions.stop, *([self.mcp.stop] if self.mcp else [])]

    def _announce(self, token: str) -> None:
        address = address_of(self.listener)
        self.workspace.serve_at(address, token)
        self.workspace.warming.served()
        threading.Thread(target=_warm, args=(self.workspace,), daemon=True).start()
        self.tell(f"Pluto-Duck {__version__} at {address} over {self.workspace.paths.warehouse}")


def _warm(workspace: Workspace) -> None:
    """Load what the first request would wait for, and keep the collector from looking at all of it ever again."""
    workspace.warm()
    workspace.warming.wait()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


def _end_to_restart(stuck: str) -> NoReturn:
    """The last resort of a supervised server: what else runs is begun again by the next process."""
    os.write(2, f"{stuck} could not be stopped.\n".encode())
    os._exit(RESTART)


@contextlib.contextmanager
def _unwinding_on_sigterm() -> Iterator[None]:
    """uvicorn sends itself the signal again when it is done; the warehouse must be closed all the same."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGTERM, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)


class _Server(uvicorn.Server):
    """Ends runs and jobs first, so that readers get their last event instead of a cut connection.

    It is announced when it serves, so that who finds it can also end it: uvicorn handles signals from then on.
    """

    def __init__(
        self, config: uvicorn.Config, stops: Sequence[Callable[[], object]], announce: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._stops, self._announce = stops, announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._announce()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for stop in self._stops:
            stop()
        await super().shutdown(sockets)


def _token(settings: Settings) -> str:
    """The owner's token where one is asked for: none on loopback unless some are set, a set one elsewhere."""
    given = settings.server.token.get_secret_value() if settings.server.token else ""
    if given or (is_loopback(settings.server.host) and not settings.server.tokens):
        return given
    if settings.server.token_file:
        return _kept_token(settings.root / settings.server.token_file)
    if is_loopback(settings.server.host) or TokenFile(settings.paths.tokens).every():
        return secrets.token_urlsafe(32)
    raise InvalidInput(
        f"server.host={settings.server.host!r} is reachable from outside, and there is no token.",
        code="token_needed",
        hint="Make one with `pluto-duck tokens create NAME --role admin`, or set PLUTODUCK_SERVER__TOKEN or "
        "server.token_file, or listen on 127.0.0.1.",
    )


def _kept_token(path: Path) -> str:
    """The token in `path`, made on the first start and readable by its owner only."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=True)
        token = path.read_text().strip()
        if not token:
            token = secrets.token_urlsafe(32)
            path.write_text(token + "\n")
    except OSError as error:
        raise EnvironmentFault(
            f"server.token_file={str(path)!r} is not usable: {error}", code="bad_token_file"
        ) from error
    return token
