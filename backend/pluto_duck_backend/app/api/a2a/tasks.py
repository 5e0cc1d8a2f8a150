"""An exchange as a task of the protocol: state, messages, artifacts."""

from __future__ import annotations

from typing import Any

from pluto_duck_backend.agent.exchanges import Exchange, Run

STATES = {
    "running": "TASK_STATE_WORKING",
    "succeeded": "TASK_STATE_COMPLETED",
    "needs_input": "TASK_STATE_INPUT_REQUIRED",
    "cannot_answer": "TASK_STATE_REJECTED",
    "cancelled": "TASK_STATE_CANCELED",
    "failed": "TASK_STATE_FAILED",
}
NEVER = ("TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED", "TASK_STATE_AUTH_REQUIRED")
"""States of the protocol that no task of ours has; the first one stands for any."""
IS_OPEN = ("running", "needs_input")
"""What still can become something else."""
_IN_TEXT = ("finished", "answer", "chart", "next", "clarification")
_VEGA_LITE = "application/vnd.vegalite.v6+json"
Json = dict[str, Any]


def task_of(exchange: Exchange, history: int | None = None, *, has_artifacts: bool = True) -> Json:
    """The task; with the last `history` messages, None: all of them."""
    messages = [message for run in exchange.runs for message in _messages(exchange, run)]
    told = messages if history is None else messages[len(messages) - history :] if history else []
    task = {
        "id": exchange.task_id,
        "contextId": exchange.conversation_id,
        "status": status_of(exchange),
        "history": told,
        "metadata": {"runs": [run["run_id"] for run in exchange.runs], "agent": exchange.last["agent"]},
    }
    return {**task, "artifacts": artifacts_of(exchange)} if has_artifacts else task


def status_of(exchange: Exchange) -> Json:
    """The state, what it means in words, and since when."""
    last = exchange.last
    status = {"state": STATES[exchange.status], "timestamp": last["ended_at"] or last["created_at"]}
    said = _said(last)
    return {**status, "message": message(exchange, last["run_id"], said)} if said else status


def working(exchange: Exchange, event: Json, text: str) -> Json:
    """That a task is at work, in the words of an event."""
    said = message(exchange, f"{event['run_id']}-{event['seq']}", [{"text": text}])
    return {"state": STATES["running"], "timestamp": event["timestamp"], "message": said}


def message(exchange: Exchange, name: str, parts: list[Json], role: str = "ROLE_AGENT") -> Json:
    whose = {"contextId": exchange.conversation_id, "taskId": exchange.task_id}
    return {"messageId": name, **whose, "role": role, "parts": parts}


def artifacts_of(exchange: Exchange) -> list[Json]:
    """The answer in words and as data; its chart, where it has one."""
    final = exchange.last["final"]
    if exchange.status != "succeeded" or not final:
        return []
    data = {name: value for name, value in final.items() if name not in _IN_TEXT}
    text = {"text": final["answer"], "mediaType": "text/markdown"}
    parts = [text, {"data": data, "mediaType": "application/json"}]
    answer = {"artifactId": f"{final['job_id']}-answer", "name": "answer", "parts": parts}
    if not final["chart"]:
        return [answer]
    drawn = {"data": final["chart"], "mediaType": _VEGA_LITE}
    return [answer, {"artifactId": f"{final['job_id']}-chart", "name": "chart", "parts": [drawn]}]


def _messages(exchange: Exchange, run: Run) -> list[Json]:
    """What was asked, and what came back where that was a question."""
    asked = message(exchange, f"{run['run_id']}-asked", [{"text": run["question"]}], "ROLE_USER")
    is_question = run["status"] == "needs_input"
    return [asked, message(exchange, run["run_id"], _said(run))] if is_question else [asked]


def _said(run: Run) -> list[Json]:
    """What is said at the end of a run."""
    final, error = run["final"], run["error"]
    if error:
        return [{"text": error["message"]}, {"data": error, "mediaType": "application/json"}]
    if not final or run["status"] in ("running", "cancelled"):
        return []
    if run["status"] == "needs_input":
        asked = final["clarification"]
        lines = [asked["question"], *(f"- {option}" for option in asked["options"])]
        return [{"text": "\n".join(lines)}, {"data": asked, "mediaType": "application/json"}]
    return [{"text": final["answer"], "mediaType": "text/markdown"}]
