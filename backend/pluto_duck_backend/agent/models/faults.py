"""Every way a model's call can fail, as one closed list, and the border where foreign exceptions become these.

Who calls decides by `kind` what to do next: wait and try again, call differently, or ask the next provider.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
import ssl
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal

from pluto_duck_backend.app.core.errors import EnvironmentFault

if TYPE_CHECKING:
    from pluto_duck_backend.agent.models.endpoints import Endpoint

Kind = Literal[
    "rate_limited",
    "unavailable",
    "unreachable",
    "stalled",
    "too_slow",
    "cut",
    "cut_short",
    "too_long",
    "too_large",
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
    "too_slow": Fault(
        "took longer than one call may", "Raise providers.NAME.timeout_s, or choose a model that is faster."
    ),
    "cut": Fault("broke off in the middle of its reply", "Try again.", retried=True),
    "cut_short": Fault(
        "did not come to an end within the tokens of one reply",
        "Raise providers.NAME.max_output_tokens; what a model thinks counts, too.",
    ),
    "too_large": Fault(
        "has no room for so long a prompt and reply",
        "Lower providers.NAME.prompt_chars or providers.NAME.max_output_tokens, or serve it with a longer context.",
    ),
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
_REJECTED = (400, 413, 422)
_BY_WORDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("refused", re.compile(r"content[ _](?:filter|management policy)", re.IGNORECASE)),
    (
        "too_large",
        re.compile(r"context[ _]?(?:length|size|window|limit)|the context overflow|too (?:long|large)", re.IGNORECASE),
    ),
)
#   what providers say where they reject a request for what stands in it, or for its length
_SHOWN = 200
_SHORTEST_KEY = 8
#   what is shorter is no secret, and may be part of a word


def from_foreign(error: Exception, endpoint: Endpoint) -> ModelFault:
    """The fault for what a provider's library raised. A key that the provider repeats is not in it."""
    name, status = endpoint.name, _status_of(error)
    if status:
        said = _said(error, endpoint)
        detail = f"HTTP {status}" + (f", {said[:_SHOWN]!r}" if said else "")
        return ModelFault(_kind_of_status(status, said, error), name, detail, _retry_after(error))
    kind, said = _kind_of(error), _system_said(error) or type(error).__name__
    return ModelFault(kind, name, f"{said} at {endpoint.place}" if endpoint.place and kind == "unreachable" else said)


def _kind_of_status(status: int, said: str, error: Exception) -> Kind:
    """By its words, where a request was rejected for a reason that has a kind of its own."""
    if status in _REJECTED:
        coded = f"{said} {getattr(error, 'code', '')}"
        return next((kind for kind, words in _BY_WORDS if words.search(coded)), "rejected")
    if status < 400:
        return "unreachable"
    return _BY_STATUS.get(status, "unavailable" if status >= 500 else "rejected")


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
            if isinstance(value, int) and 300 <= value < 600:
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


def _said(error: Exception, endpoint: Endpoint) -> str:
    """The provider's own words, on one line: they may hold anything."""
    text = " ".join(next(filter(None, map(_words_of, _chain(error))), "").split())
    key = endpoint.key.get_secret_value() if endpoint.key else ""
    return text.replace(key, "…") if len(key) >= _SHORTEST_KEY else text


def _words_of(error: BaseException) -> str:
    """The message in the reply's body, which OpenAI's library has unwrapped; else what the library made of it."""
    body = getattr(error, "body", None)
    body = body.get("error", body) if isinstance(body, dict) else None
    said = body.get("message") if isinstance(body, dict) else body
    told = (said, *(getattr(error, name, None) for name in ("error", "message")))
    return next((each for each in told if isinstance(each, str) and each.strip()), "")
