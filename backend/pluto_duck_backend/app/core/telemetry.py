"""Whether a server sends traces and metrics by OpenTelemetry: only where its standard variable names an endpoint.

`sending` is a server's, `where` is doctor's. The libraries are loaded by `sending` alone, where there is an endpoint;
nothing that is wrong with them or with the collector keeps a server from serving.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from pluto_duck_backend.app.core import counts, spans
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.logs import Mask, secrets_in

if TYPE_CHECKING:
    from pluto_duck_backend.app.core.otlp import Sender

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
HINT = "pip install 'pluto-duck[otel]', or unset it."
_LIBRARY = "opentelemetry-exporter-otlp-proto-http"


def where() -> str:
    """The endpoint, without a password; empty where none is set."""
    return Mask(())(os.environ.get(ENDPOINT, "").strip())


def missing() -> str:
    """What keeps from sending to the endpoint that is set; empty where nothing does."""
    try:
        version(_LIBRARY)
    except PackageNotFoundError:
        return f"{ENDPOINT} is set, but {_LIBRARY} is not installed: nothing is sent"
    return ""


@contextmanager
def sending(settings: Settings, tell: Callable[[str], None]) -> Iterator[None]:
    """Within, spans and counts are sent where there is an endpoint; what keeps from it is told."""
    sender = _sender(settings, tell) if where() else None
    if sender is None:
        yield
        return
    spans.install(sender)
    counts.listen(sender.count)
    try:
        yield
    finally:
        counts.leave(sender.count)
        spans.remove(sender)
        sender.close()


def _sender(settings: Settings, tell: Callable[[str], None]) -> Sender | None:
    if why := missing():
        tell(f"{why}. {HINT}")
        return None
    from pluto_duck_backend.app.core.otlp import Sender

    try:
        sender = Sender(settings.server.trace_text, Mask(secrets_in(settings)))
    except ValueError as wrong:
        tell(f"OpenTelemetry's variables cannot be used, so nothing is sent: {wrong}")
        return None
    tell(f"Traces and metrics go to {where()}")
    return sender
