"""Errors as RFC 9457 problem documents, with our `code`, `hint` and a `trace_id` that the log also names."""

from __future__ import annotations

import http
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.core.logs import trace_id

MEDIA_TYPE = "application/problem+json"
_CODES = {400: "bad_request", 404: "no_such_path", 405: "method_not_allowed"}
_logger = logging.getLogger(__name__)


def problem(
    status: int, code: str, detail: str, *, hint: str = "", headers: Mapping[str, str] | None = None, **more: Any
) -> Response:
    """A problem document; `title` is the status's own phrase."""
    body = {
        "type": f"urn:pluto-duck:problem:{code}",
        "title": http.HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "hint": hint,
        "trace_id": more.pop("trace_id", None) or trace_id(),
        **more,
    }
    return Response(orjson.dumps(_encodable(body)), status, headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem document."""
    app.add_exception_handler(PlutoDuckError, _ours)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _invalid)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, _http)  # type: ignore[arg-type]
    app.add_exception_handler(Exception, _bug)


def of_error(error: PlutoDuckError, path: str) -> Response:
    """An error of ours as the answer to a call of `path`."""
    told = error.to_dict()
    return problem(error.status, told.pop("code"), told.pop("message"), **told, instance=path)


def _ours(request: Request, error: PlutoDuckError) -> Response:
    return of_error(error, request.url.path)


def _invalid(request: Request, error: RequestValidationError) -> Response:
    errors = [
        {"field": _field(each["loc"]), "message": each["msg"].removeprefix("Value error, ")} for each in error.errors()
    ]
    detail = "; ".join(f"{each['field']}: {each['message']}" for each in errors)
    hint = "See /docs for what this call takes."
    return problem(422, "invalid_request", detail, hint=hint, errors=errors, instance=request.url.path)


def _field(place: Sequence[str | int]) -> str:
    """`question` for ("body", "question"); a whole body, or a place in text that is no JSON, is `body`."""
    inner = [each for each in place[1:] if isinstance(each, str)] if place[0] == "body" else place[1:]
    return ".".join(map(str, inner)) or str(place[0])


def _http(request: Request, error: HTTPException) -> Response:
    code = _CODES.get(error.status_code, "http_error")
    detail = f"{request.method} {request.url.path}: {error.detail}"
    path = request.url.path
    return problem(error.status_code, code, detail, hint="/docs lists the calls.", headers=error.headers, instance=path)


def _bug(request: Request, error: Exception) -> Response:
    traced = trace_id()
    _logger.error("trace_id %s: %s %s", traced, request.method, request.url.path, exc_info=error)
    detail = "Pluto-Duck failed; its log has the trace_id."
    hint = "Please report this with the lines of the log."
    return problem(500, "internal", detail, hint=hint, trace_id=traced, instance=request.url.path)


def _encodable(value: Any) -> Any:
    """`value` without what UTF-8 can't hold: a client may send half a surrogate pair and gets it back as `?`."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_encodable(each) for each in value]
    return {key: _encodable(each) for key, each in value.items()} if isinstance(value, dict) else value
