"""JSON through orjson: results are plain lists already, so nothing walks them twice."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import Response


def as_json(content: Any, status: int = 200) -> Response:
    """`content` as a JSON response."""
    return Response(orjson.dumps(content, default=str), status, media_type="application/json")
