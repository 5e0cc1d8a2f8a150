"""A run as its events tell it: how it is shown, whose it is, what a later message of its conversation may lean on."""

from __future__ import annotations

from typing import Any

import orjson

from pluto_duck_backend.agent.conversation import Turn, others_in
from pluto_duck_backend.agent.event_log import shape
from pluto_duck_backend.agent.events import RunStart
from pluto_duck_backend.app.core.principal import OWNER, ROLES, Principal

Told = dict[str, Any]
_REMEMBERED_ROWS = 10
_OF_ERROR = ("code", "kind", "message", "hint", "retryable")


def run_of(events: list[Told]) -> Told:
    """The run as `GET /agent/{run_id}` shows it."""
    first, last = events[0], events[-1]
    final = next((each["content"] for each in reversed(events) if is_event(each, "message", "final")), None)
    failed = is_event(last, "run", "error")
    error = {name: last["content"][name] for name in _OF_ERROR if name in last["content"]} if failed else None
    return {**summary(first, last), "agent": _agent_in(events), "final": final, "error": error}


def summary(first: Told, last: Told) -> Told:
    """The run by its first and its last event so far."""
    status = _status(last)
    return {
        "run_id": first["run_id"],
        "conversation_id": first["content"]["conversation_id"],
        "question": first["content"]["question"],
        "status": status,
        "created_at": first["timestamp"],
        "ended_at": None if status == "running" else last["timestamp"],
        "usage": None if status == "running" else last["content"].get("usage"),
    }


def _status(last: Told) -> str:
    if is_event(last, "run", "error"):
        return "failed"
    return str(last["content"]["status"]) if is_event(last, "run", "end") else "running"


def is_event(event: Told, kind: str, subtype: str) -> bool:
    return bool(event["type"] == kind and event["subtype"] == subtype)


def owner_of(first: Told) -> str:
    """Whose a run is, by its first event."""
    return str(first["content"].get("who", OWNER.name))


def asker(begun: RunStart) -> Principal:
    """Who a run works for, with the role of then, which its agent's tools ask for; the least one where none is told."""
    role = next((each for each in ROLES if each == begun.role), ROLES[0])
    return Principal(begun.who, begun.rights, role, begun.agent)


def thread_of(conversation_id: str, owner: str) -> str:
    """A conversation is its user's own."""
    return orjson.dumps([conversation_id, owner]).decode()


RUN_SHAPE = shape(lambda first: thread_of(first["content"]["conversation_id"], owner_of(first)))
"""What a session service must know of runs."""


def turn_of(run: Told) -> Turn:
    """A run as a turn of its conversation."""
    final = run["final"] or {}
    clarification = final.get("clarification") or {}
    return Turn(
        run["question"],
        run["status"],
        tuple(clarification.get("options", ())),
        final.get("sql"),
        clarification.get("question", ""),
        tuple(str(column["name"]) for column in final.get("columns", ())),
        tuple(map(tuple, final.get("rows", ())[:_REMEMBERED_ROWS])),
        final.get("row_count", 0),
        run["agent"],
        clarification.get("approval"),
        others_in(final.get("next", ())),
    )


def _agent_in(events: list[Told]) -> str | None:
    """The agent that answers a run: named at its start, or chosen after it."""
    told = (event["content"].get("agent") for event in events if event["type"] == "run")
    return next(filter(None, told), None)
