"""Responses: JSON through orjson (results are plain lists already), and what OpenAPI says of answers and errors."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import orjson
from fastapi import Response
from pydantic import BaseModel

from pluto_duck_backend.app.api.answers import Problem

Documented = dict[int | str, dict[str, Any]]


def as_json(content: Any, status: int = 200) -> Response:
    """`content` as a JSON response."""
    return Response(orjson.dumps(content, default=str), status, media_type="application/json")


def documented(*errors: int, status: int = 200, model: type[BaseModel] | None = None) -> Documented:
    """The `responses` of a route: `model` under `status`, problem documents under `errors` and those any call has."""
    always = (400, 401, 403, 413, 422, 500, 503)
    answers: Documented = {status: {"model": model}} if model else {}
    return answers | {each: _problem(each) for each in sorted({*always, *errors})}


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    return {
        "description": HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": schema}},
    }
