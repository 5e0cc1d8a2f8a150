"""Spans: what a request, a job, a run, a node, a model call or a query did and how long, told to who is installed.

Where nobody is, which is the default, a span is one shared object that does nothing. `telemetry.py` installs what sends
them. Names and attributes are OpenTelemetry's where it has some; what somebody typed is only ever quoted, never told.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, Protocol

Kind = Literal["internal", "server", "client"]
#   server: what somebody else waits for; client: what waits for somebody else
Attributes = Mapping[str, str | int | float | bool]


class Span(Protocol):
    """One piece of work; an exception that leaves its `with` fails it, without the exception's words."""

    def tell(self, attributes: Attributes) -> None: ...
    def rename(self, name: str) -> None: ...
    def quote(self, name: str, text: str) -> None:
        """Question text or SQL, which is sent only where a setting says so."""

    def fail(self, kind: str) -> None:
        """It went wrong; `kind` is an error's code, of a small set."""


class Tracer(Protocol):
    def span(self, name: str, attributes: Attributes, leaf: bool, kind: Kind) -> AbstractContextManager[Span]: ...
    def traceparent(self) -> str:
        """The span at hand, as the W3C's header; empty where there is none."""


class _Untold:
    def tell(self, attributes: Attributes) -> None: ...
    def rename(self, name: str) -> None: ...
    def quote(self, name: str, text: str) -> None: ...
    def fail(self, kind: str) -> None: ...


_UNTOLD: AbstractContextManager[Span] = nullcontext(_Untold())
_installed: list[Tracer] = []


def span(
    name: str, attributes: Attributes, *, leaf: bool = False, kind: Kind = "internal"
) -> AbstractContextManager[Span]:
    """`with span(…) as told:` around the work. A `leaf` has no spans within, and may be left in another context."""
    return _installed[-1].span(name, attributes, leaf, kind) if _installed else _UNTOLD


def traceparent() -> str:
    """What is handed on, so that another process's spans are within the one at hand; empty where nobody hears of it."""
    return _installed[-1].traceparent() if _installed else ""


def install(tracer: Tracer) -> None:
    _installed.append(tracer)


def remove(tracer: Tracer) -> None:
    _installed.remove(tracer)
