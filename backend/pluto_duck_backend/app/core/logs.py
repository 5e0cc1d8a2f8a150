"""The log of a server, on stderr: lines of text or a JSON object each, with the request's trace id and no secret.

`begin_trace` gives a request its id; threads that work for it are begun in its context. Masked are the secrets of the
settings, and what looks like a key, a token or a password, wherever they stand.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

import orjson
from pydantic import BaseModel, SecretStr

Form = Literal["text", "json"]
_HIDDEN = "***"
_LOOKS_SECRET = re.compile(
    r"(?<=Bearer )[\w.~+/=-]{8,}|\bpd_[\w-]{20,}|\b(?:sk|rk|pk)-[\w-]{16,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"
)
_SHORTEST = 6
#   characters: a shorter secret would mask words
_PARENT = re.compile(r"(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_trace: ContextVar[str] = ContextVar("the trace id of the request at hand", default="")
_parent: ContextVar[str] = ContextVar("the traceparent of the request at hand", default="")


def begin_trace(traceparent: str = "") -> None:
    """A trace id for what the task at hand does from now on: the caller's, by the W3C's header, or a new one."""
    given = _PARENT.fullmatch(traceparent)
    _trace.set(given[1] if given else secrets.token_hex(16))
    _parent.set(given[0] if given else "")


def trace_id() -> str:
    """That of the request at hand; a new one where there is none."""
    return _trace.get() or secrets.token_hex(16)


def parent() -> str:
    """The caller's `traceparent`; empty where it gave none."""
    return _parent.get()


def traceparent() -> str:
    """What is handed on with a call to ourselves, so that both log one trace id; empty where there is none."""
    return _parent.get() or (f"00-{_trace.get()}-{secrets.token_hex(8)}-00" if _trace.get() else "")


def install(form: Form, known: Iterable[str], stream: TextIO | None = None) -> logging.Handler:
    """Write what is logged to `stream` (stderr); `known` secrets are masked."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Masked(form, Mask(known)))
    handler.addFilter(_with_trace)
    logging.getLogger().addHandler(handler)
    return handler


def secrets_in(settings: Any) -> Iterator[str]:
    """Every secret that settings hold."""
    if isinstance(settings, SecretStr):
        yield settings.get_secret_value()
    elif isinstance(settings, BaseModel):
        for name in type(settings).model_fields:
            yield from secrets_in(getattr(settings, name))
    elif isinstance(settings, dict):
        for each in settings.values():
            yield from secrets_in(each)


def _with_trace(record: logging.LogRecord) -> bool:
    record.trace_id = _trace.get()
    return True


class Mask:
    """`mask(text)`: the text without the `known` secrets, and without what looks like one."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = sorted({each for each in known if len(each) >= _SHORTEST}, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        for each in self._known:
            text = text.replace(each, _HIDDEN)
        return _LOOKS_SECRET.sub(_HIDDEN, text)


class _Masked(logging.Formatter):
    def __init__(self, form: Form, mask: Mask) -> None:
        super().__init__("%(message)s")
        self._form, self._masked = form, mask

    def format(self, record: logging.LogRecord) -> str:
        return self._line(record) if self._form == "json" else self._masked(super().format(record))

    def _line(self, record: logging.LogRecord) -> str:
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._masked(record.getMessage()),
            "trace_id": getattr(record, "trace_id", "") or None,
            "error": self._masked(self.formatException(record.exc_info)) if record.exc_info else None,
        }
        return orjson.dumps(said).decode()
