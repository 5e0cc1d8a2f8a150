"""`pluto-duck agent-stream QUESTION`: every step as it happens; one JSON event a line when piped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.asking import Question, end_of, follow, watch
from pluto_duck_cli.client import connect
from pluto_duck_cli.options import (
    Agent,
    Conversation,
    ExistingRoot,
    Json,
    MaxRows,
    Model,
    Provider,
    Timeout,
    command_line,
)

app = command_line("Ask, and watch every step.")


@app.command()
def agent_stream(
    question: Annotated[list[str], typer.Argument(help="The question; quotes are needed for ? * ' and the like only.")],
    root: ExistingRoot = None,
    json: Json = False,
    provider: Provider = None,
    model: Model = None,
    conversation: Conversation = None,
    agent: Agent = None,
    max_rows: MaxRows = None,
    timeout: Timeout = None,
) -> int:
    """Ask, and watch every step: a live view in a terminal, one JSON event a line when piped or with --json."""
    asked = Question(" ".join(question), conversation, provider, model, max_rows, timeout, agent)
    with connect(load_settings(root)) as client:
        is_watched = render.is_terminal() and not json
        end = watch(client, asked) if is_watched else end_of(_as_lines(follow(client, asked)))
    return end.exit_code


def _as_lines(events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for event in events:
        render.json_line(event)
        yield event
