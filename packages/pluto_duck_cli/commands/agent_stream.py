"""`pluto-duck agent-stream QUESTION`: every step as it happens; one JSON event a line when piped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import exit_codes, render
from pluto_duck_cli.asking import Question, end_of, follow
from pluto_duck_cli.client import connect
from pluto_duck_cli.options import Conversation, Json, MaxRows, Model, Provider, Root, Timeout, command_line

app = command_line("Ask, and watch every step.")


@app.command()
def agent_stream(
    question: Annotated[str, typer.Argument(help="The question.")],
    root: Root = None,
    json: Json = False,
    provider: Provider = None,
    model: Model = None,
    conversation: Conversation = None,
    max_rows: MaxRows = None,
    timeout: Timeout = None,
) -> int:
    """Ask, and watch every step: a live view in a terminal, one JSON event a line when piped or with --json."""
    asked = Question(question, conversation, provider, model, max_rows, timeout)
    show = render.json_line if json or not render.is_terminal() else render.step
    with connect(load_settings(root)) as client:
        end = end_of(_shown(follow(client, asked), show))
    if show is render.step:
        render.answer(end.final) if end.final else render.talk((end.error or {}).get("message", "cancelled"))
    return exit_codes.OF_STATUS[end.status]


def _shown(events: Iterator[dict[str, Any]], show: Any) -> Iterator[dict[str, Any]]:
    for event in events:
        show(event)
        yield event
