"""Every way a model's call can fail, as one closed list, and the border where foreign exceptions become these.

Who calls decides by `kind` what to do next: wait and try again, call differently, or ask the next provider.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from pluto_duck_backend.app.core.errors import EnvironmentFault

Kind = Literal[
    "rate_limited",
    "unavailable",
    "unreachable",
    "stalled",
    "cut",
    "too_long",
    "nonsense",
    "wrong_tool",
    "refused",
    "unauthorized",
    "unknown_model",
    "no_model",
    "rejected",
    "unpriced",
    "over_budget",
]


@dataclass(frozen=True)
class Fault:
    """What a kind of failure means: `says` completes "openai …", and whether trying again may help."""

    says: str
    hint: str
    retried: bool = False


FAULTS: dict[Kind, Fault] = {
    "rate_limited": Fault("is rate limited", "Wait a little, or add a provider to agent.chain.", retried=True),
    "unavailable": Fault("failed on its side", "Try again, or add a provider to agent.chain.", retried=True),
    "unreachable": Fault(
        "cannot be reached",
        "Start the server that listens there, or say where it is: providers.NAME.base_url.",
        retried=True,
    ),
    "stalled": Fault("stopped talking", "Try again, or raise providers.NAME.stall_s.", retried=True),
    "cut": Fault("broke off in the middle of its reply", "Try again.", retried=True),
    "too_long": Fault("wrote without end", "Another model may keep to the point."),
    "nonsense": Fault("replied with nothing usable", "Another model may do better."),
    "wrong_tool": Fault("called a tool that does not exist, or wrongly", "Another model may do better."),
    "refused": Fault("refused to answer", "Ask in other words, or choose another model."),
    "unauthorized": Fault("does not accept the key", "`pluto-duck config add NAME` sets a new one."),
    "unknown_model": Fault("does not have the model", "Choose one it has: --model, providers.NAME.model."),
    "no_model": Fault(
        "needs a model to be chosen",
        "Choose one with --model or providers.NAME.model; `ollama pull` loads one.",
    ),
    "rejected": Fault("rejected the request", "`pluto-duck doctor` tries one small call."),
    "unpriced": Fault(
        "may not be called, since budget.*_usd limits money",
        "Write its price into configs/prices.toml (docs/models.md), or limit tokens instead.",
    ),
    "over_budget": Fault("may not be called any more", "`pluto-duck runs usage` shows what was used; see budget.*."),
}


class ModelFault(EnvironmentFault):
    """A call to a model that failed; `retry_after` is the wait in seconds that the provider asked for."""

    def __init__(self, kind: Kind, provider: str, detail: str = "", retry_after: float | None = None) -> None:
        fault = FAULTS[kind]
        super().__init__(
            f"{provider} {fault.says}{f': {detail}' if detail else ''}.".replace("..", "."),
            code=f"model_{kind}",
            hint=fault.hint.replace("NAME", provider),
            retryable=fault.retried,
        )
        self.kind = kind
        self.provider = provider
        self.retry_after = retry_after


_BY_STATUS: dict[int, Kind] = {
    401: "unauthorized",
    402: "unauthorized",
    403: "unauthorized",
    404: "unknown_model",
    408: "unavailable",
    409: "unavailable",
    429: "rate_limited",
}
_SHOWN = 200


def from_foreign(error: Exception, provider: str, place: str = "") -> ModelFault:
    """The fault for what a provider's library raised; `place` is where the provider listens."""
    status = _status_of(error)
    if status:
        kind: Kind = _BY_STATUS.get(status, "unavailable" if status >= 500 else "rejected")
        return ModelFault(kind, provider, _detail(error, status), _retry_after(error))
    kind, said = _kind_of(error), _system_said(error) or type(error).__name__
    return ModelFault(kind, provider, f"{said} at {place}" if place and kind == "unreachable" else said)


def _system_said(error: Exception) -> str:
    """The system's words where it was the connection that failed: `Connection refused`, not the library's name for it.

    Of a failed look-up of a name, and of a certificate, the error itself has them. A reply that is no JSON is told so.
    """
    if {type(each).__name__ for each in _chain(error)} & {"JSONDecodeError", "UnknownApiResponseError"}:
        return "its reply is no JSON"
    for each in reversed(_chain(error)):
        if isinstance(each, ssl.SSLCertVerificationError):
            return f"its certificate is not accepted, {each.verify_message}"
        if isinstance(each, socket.gaierror):
            return str(each.strerror)
        if isinstance(each, OSError) and each.errno:
            return os.strerror(each.errno)
    return ""


def _kind_of(error: BaseException) -> Kind:
    """What broke where there was no status: the names are those of httpx and of the SDKs built on it."""
    names = {kind.__name__ for each in _chain(error) for kind in type(each).__mro__}
    if names & {"ConnectTimeout", "ConnectError", "ConnectionRefusedError", "gaierror"}:
        return "unreachable"
    if isinstance(error, asyncio.TimeoutError | TimeoutError) or names & {"TimeoutException", "APITimeoutError"}:
        return "stalled"
    if names & {"RemoteProtocolError", "ReadError", "APIConnectionError", "ConnectionError", "IncompleteRead"}:
        return "cut"
    return "unavailable"


def _chain(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _status_of(error: Exception) -> int | None:
    """The HTTP status, wherever the library keeps it."""
    for each in _chain(error):
        for name in ("status_code", "code"):
            value = getattr(each, name, None)
            if isinstance(value, int) and 400 <= value < 600:
                return value
    return None


def _retry_after(error: Exception) -> float | None:
    """The seconds that the provider asks for: told as milliseconds, as seconds, or as a date."""
    responses = (getattr(each, "response", None) for each in _chain(error))
    headers: Any = next((found for each in responses if (found := getattr(each, "headers", None))), {})
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with contextlib.suppress(ValueError):
            return float(headers.get(name, "")) * unit
    with contextlib.suppress(ValueError):
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    return None


def _detail(error: Exception, status: int) -> str:
    """The provider's own words, on one line and cut: they may hold anything."""
    body = getattr(error, "body", None)
    body = body.get("error", body) if isinstance(body, dict) else None  # OpenAI's library has unwrapped it
    said = body.get("message") if isinstance(body, dict) else None
    text = " ".join(str(said or getattr(error, "message", "") or "").split())
    return f"HTTP {status}" + (f", {text[:_SHOWN]!r}" if text else "")
