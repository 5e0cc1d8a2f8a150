"""The OpenAPI document: FastAPI's, with our problem documents and the token described."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from pluto_duck_backend.app.api.answers.fault_answers import Problem
from pluto_duck_backend.app.api.problems import MEDIA_TYPE

Documented = dict[int | str, dict[str, Any]]
_ALWAYS = (400, 401, 403, 413, 422, 429, 500, 503)
_TOKEN = {"type": "http", "scheme": "bearer", "description": "Only where the server was started with a token."}


def documented(*errors: int, status: int = 200, model: type[BaseModel] | None = None) -> Documented:
    """The `responses` of a route: `model` under `status`, problems under `errors` and what all calls meet."""
    answers: Documented = {status: {"model": model}} if model else {}
    return answers | {each: _problem(each) for each in sorted({*_ALWAYS, *errors})}


def bytes_of(*media_types: str) -> dict[str, Any]:
    """A documented answer that is no JSON."""
    return {"content": {each: {"schema": {"type": "string"}} for each in media_types}}


def install(app: FastAPI) -> None:
    """Serve the document with the schema of problems and the token's scheme in it."""

    def document() -> dict[str, Any]:
        app.openapi_schema = app.openapi_schema or _completed(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _completed(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    parts = made.setdefault("components", {})
    parts.setdefault("schemas", {})[Problem.__name__] = Problem.model_json_schema()
    parts["securitySchemes"] = {"token": _TOKEN}
    return {**made, "security": [{}, {"token": []}]}


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    return {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {"schema": schema}}}
