"""Asking through a client: start a run, follow it, cancel it on Ctrl-C, and say how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_backend.app.core.errors import PlutoDuckError, RemoteError
from pluto_duck_cli import render
from pluto_duck_cli.client import Client
from pluto_duck_cli.exit_codes import OF_STATUS


@dataclass(frozen=True)
class Question:
    """What is asked, and how."""

    question: str
    conversation_id: str | None = None
    provider: str | None = None
    model: str | None = None
    max_rows: int | None = None
    timeout_s: float | None = None
    agent: str | None = None

    def reply(self, message: str, conversation_id: str) -> Question:
        """The next message of the same conversation."""
        return replace(self, question=message, conversation_id=conversation_id)


@dataclass(frozen=True)
class End:
    """How a run ended: its status, its final object or its error."""

    status: str
    final: dict[str, Any] | None
    error: dict[str, Any] | None
    conversation_id: str
    run_id: str = ""

    @property
    def fault(self) -> PlutoDuckError | None:
        """What it failed with."""
        return RemoteError.from_job({"error": self.error}) if self.error else None

    @property
    def exit_code(self) -> int:
        """As the status says; that of its error where it failed."""
        return self.fault.exit_code if self.fault else OF_STATUS[self.status]


def follow(client: Client, asked: Question) -> Iterator[dict[str, Any]]:
    """The run's events; Ctrl-C cancels the run, whose last event still comes, and goes on to KeyboardInterrupt."""
    run_id, seen = client.ask(**asked.__dict__)["run_id"], 0
    try:
        for event in client.events(run_id):
            seen = event["seq"]
            yield event
    except KeyboardInterrupt:
        client.cancel_run(run_id)
        yield from client.events(run_id, seen)
        raise


def watch(client: Client, asked: Question) -> End:
    """Ask before the person's eyes: the live view, then the answer."""
    from pluto_duck_cli.live import watched

    end = end_of(watched(render.console(), asked.question, follow(client, asked)))
    render.outcome(end.final, end.error, has_shown_sql=True)
    return end


def end_of(events: Iterator[dict[str, Any]]) -> End:
    """Read all events and keep what matters at the end."""
    final, error, status, conversation, run_id = None, None, "failed", "", ""
    for event in events:
        kind, content = f"{event['type']}.{event['subtype']}", event["content"]
        if kind == "run.start":
            conversation, run_id = content["conversation_id"], event["run_id"]
        elif kind == "message.final":
            final = content
        elif kind == "run.end":
            status = content["status"]
        elif kind == "run.error":
            error = content
    return End(status, final, error, conversation, run_id)
