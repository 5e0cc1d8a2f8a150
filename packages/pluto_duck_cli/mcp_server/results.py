"""What a tool gives back: an action's text for the model that reads it, and its details as data.

Only an answer and a question back are results; everything else is an error of the tool, so that none is taken for an
answer. An error's data is `{status: "failed", error: {code, kind, message, hint, retryable, refused}}`.
"""

from __future__ import annotations

from typing import Any

from mcp_types import CallToolResult, TextContent

from pluto_duck_backend.agent.actions.contract import Result
from pluto_duck_backend.app.core.errors import PlutoDuckError


def shown(result: dict[str, Any]) -> CallToolResult:
    """An action's `{content, details, error}`."""
    error, data = result["error"], result["details"]
    if error:
        data = {"status": "failed", **data, "error": error}
    text = TextContent(type="text", text=result["content"])
    return CallToolResult(content=[text], structured_content=data, is_error=error is not None)


def of_fault(fault: PlutoDuckError) -> CallToolResult:
    """What was never begun."""
    return shown(Result.failed(fault).to_dict())
