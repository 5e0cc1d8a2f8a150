"""The server: the API and the page over one workspace. `serve` is what `pluto-duck serve` runs."""

from __future__ import annotations

import contextlib
import gc
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NoReturn

import uvicorn
from fastapi import FastAPI

from pluto_duck_backend import __version__
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api import openapi, problems
from pluto_duck_backend.app.api.routes import agent, health, jobs, memory, metrics, query, schema
from pluto_duck_backend.app.api.safety import Safety
from pluto_duck_backend.app.api.sse import GOODBYE_S
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.listening import address_of, is_loopback, listen
from pluto_duck_backend.app.services.execution.executor import end_process
from pluto_duck_backend.app.supervisor import RESTART, Handed

_COLLECT_AFTER = (50_000, 20, 20)  # a result of a thousand rows is not garbage
_ROUTERS = (
    *(agent.router, memory.router, query.router, metrics.router, schema.router),
    *(jobs.ingest_router, jobs.dbt_router),
)


def create_app(workspace: Workspace, token: str = "") -> FastAPI:
    """The application; with a `token`, every call but /health needs it or one of the setting server.tokens."""
    app = FastAPI(
        title="Pluto-Duck", version=__version__, summary="Ask your data in plain words.", docs_url=None, redoc_url=None
    )
    for router in _ROUTERS:
        app.include_router(router(workspace), prefix="/api/v1")
    app.include_router(health.router(workspace))
    problems.install(app)
    openapi.install(app)
    app.add_middleware(Safety, tokens=_tokens(workspace.settings, token))
    return app


def serve(settings: Settings, *, tell: Callable[[str], None], handed: Handed | None = None) -> None:
    """Own the root's warehouse and answer until interrupted. Raises before it listens where it may not.

    With `handed` a supervisor is there: a query that cannot be stopped ends this process, which is started again.
    """
    token = _token(settings)
    listener = handed.listener if handed else listen(settings.server.host, settings.server.port)
    workspace = Workspace.open(
        settings,
        on_wait=tell,
        resume=bool(handed and handed.resumed),
        last_resort=_end_to_restart if handed else end_process,
    )
    try:
        address = address_of(listener)
        workspace.serve_at(address, token)
        threading.Thread(target=_warm, args=(workspace,), daemon=True).start()
        tell(f"Pluto-Duck {__version__} at {address} over {workspace.paths.warehouse}")
        config = uvicorn.Config(
            create_app(workspace, token), log_level="warning", timeout_graceful_shutdown=GOODBYE_S + 1
        )
        with _unwinding_on_sigterm():
            _Server(config, workspace).run(sockets=[listener])
    finally:
        workspace.close()
        listener.close()


def _warm(workspace: Workspace) -> None:
    """Load what the first request would wait for, and keep the collector from looking at all of it ever again."""
    workspace.warm()
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
    """Ends runs and jobs first, so that readers get their last event instead of a cut connection."""

    def __init__(self, config: uvicorn.Config, workspace: Workspace) -> None:
        super().__init__(config)
        self._workspace = workspace

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._workspace.runs.stop()
        self._workspace.jobs.stop()
        await super().shutdown(sockets)


def _tokens(settings: Settings, token: str) -> dict[str, Principal]:
    """Who each token stands for; none: no token is asked for."""
    named = settings.server.tokens.items()
    found = {each.token.get_secret_value(): Principal(name, each.rights) for name, each in named}
    return {**found, token: OWNER} if token else found


def _token(settings: Settings) -> str:
    """The owner's token: none on loopback unless some are set, a set one elsewhere."""
    given = settings.server.token.get_secret_value() if settings.server.token else ""
    if given or (is_loopback(settings.server.host) and not settings.server.tokens):
        return given
    if is_loopback(settings.server.host) and not settings.server.token_file:
        return secrets.token_urlsafe(32)
    if settings.server.token_file:
        return _kept_token(settings.root / settings.server.token_file)
    raise InvalidInput(
        f"server.host={settings.server.host!r} is reachable from outside, and there is no token.",
        code="token_needed",
        hint="Set PLUTODUCK_SERVER__TOKEN, or server.token_file to have one made, or listen on 127.0.0.1.",
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
