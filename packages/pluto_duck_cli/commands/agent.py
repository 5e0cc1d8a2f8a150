"""`pluto-duck agent QUESTION` (alias `ask`): the answer, its rows, its SQL, how it was read."""

from __future__ import annotations

from typing import Annotated

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.asking import Question, end_of, follow
from pluto_duck_cli.client import Client, connect
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

app = command_line("Ask a question in plain words.")


@app.command()
def agent(
    question: Annotated[list[str], typer.Argument(help="The question; quotes are needed for ? * ' and the like only.")],
    root: ExistingRoot = None,
    json: Json = False,
    provider: Provider = None,
    model: Model = None,
    conversation: Conversation = None,
    agent_name: Agent = None,
    max_rows: MaxRows = None,
    timeout: Timeout = None,
) -> int:
    """Ask a question in plain words; exits 0 answered, 3 asked back, 4 cannot answer."""
    asked = Question(" ".join(question), conversation, provider, model, max_rows, timeout, agent_name)
    with connect(load_settings(root)) as client:
        return _converse(client, asked, json)


def _converse(client: Client, asked: Question, as_json: bool) -> int:
    """Ask; where the question comes back and a person is there, let them choose."""
    end = end_of(follow(client, asked))
    if as_json:
        told = end.final or {"status": end.status, "error": end.error}
        render.json_line({**told, "run_id": end.run_id, "conversation_id": end.conversation_id})
        return end.exit_code
    render.outcome(end.final, end.error)
    if render.is_talking():
        render.talk(f"{end.run_id}: pluto-duck runs show|confirm|save|export {end.run_id}")
    if end.status == "needs_input" and render.is_talking():
        reply = typer.prompt("Your choice", err=True)
        return _converse(client, asked.reply(reply, end.conversation_id), as_json)
    if end.status == "needs_input":
        render.talk(f"answer with: pluto-duck ask --conversation {end.conversation_id} 'your choice'")
    return end.exit_code
