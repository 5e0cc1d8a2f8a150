"""What a tool gives back: text for the model that reads it, and the same as data.

Only an answer and a question back are results; everything else is an error of the tool, so that none is taken for an
answer. An error's data is `{status: "failed", error: {code, message, hint, retryable}}`.
"""

from __future__ import annotations

import json
from typing import Any

from mcp_types import CallToolResult, TextContent

from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_cli.asking import End

_NOT_SHOWN = ("finished", "chart", "next")
_ROWS_IN_TEXT = 20


def of_data(data: dict[str, Any]) -> CallToolResult:
    """A result that speaks for itself."""
    return _result(json.dumps(data, ensure_ascii=False, default=str), data)


def of_error(error: dict[str, Any]) -> CallToolResult:
    """An error: message, next step, code."""
    lines = [f"error: {error['message']}", f"hint: {error['hint']}" if error["hint"] else "", f"code: {error['code']}"]
    return _result("\n".join(filter(None, lines)), {"status": "failed", "error": error}, is_error=True)


def of_fault(fault: PlutoDuckError) -> CallToolResult:
    return of_error(fault.to_dict())


def of_end(end: End) -> CallToolResult:
    """How a run ended: the final object with `run_id` and `conversation`, or its error."""
    names = {"run_id": end.run_id, "conversation": end.conversation_id}
    if end.final is None:
        error = end.error or {"code": end.status, "message": f"The run was {end.status}.", "hint": ""}
        failed = of_error(error)
        return failed.model_copy(update={"structured_content": {"status": end.status, **names, "error": error}})
    final = {name: value for name, value in end.final.items() if name not in _NOT_SHOWN}
    is_error = end.status not in ("succeeded", "needs_input")
    return _result(_TEXT.get(end.status, _refusal)(end, final), {**names, **final}, is_error=is_error)


def _answer(end: End, final: dict[str, Any]) -> str:
    shown = final["rows"][:_ROWS_IN_TEXT]
    rows = {"columns": [column["name"] for column in final["columns"]], "rows": shown, "row_count": final["row_count"]}
    lines = [
        final["answer"],
        f"```sql\n{final['sql']}\n```",
        json.dumps(rows, ensure_ascii=False, default=str),
        *(f"Note: {caveat}" for caveat in final["caveats"]),
        f"confidence {final['confidence']:.0%}, job {final['job_id']}, conversation {end.conversation_id}",
    ]
    return "\n\n".join(lines)


def _question(end: End, final: dict[str, Any]) -> str:
    asked = final["clarification"]
    lines = [f"Not answered yet. {asked['question']}", *(f"- {option}" for option in asked["options"])]
    return "\n".join([*lines, f"Call ask with the choice as question and conversation={end.conversation_id!r}."])


def _refusal(end: End, final: dict[str, Any]) -> str:
    return f"{end.status.replace('_', ' ')}: {final['answer']}"


_TEXT = {"succeeded": _answer, "needs_input": _question}


def _result(text: str, data: dict[str, Any], is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data, is_error=is_error)
