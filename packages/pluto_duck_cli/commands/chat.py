"""`pluto-duck chat`: a conversation with your data; reads lines from stdin where no terminal is there."""

from __future__ import annotations

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import render
from pluto_duck_cli.asking import Question
from pluto_duck_cli.chat import Chat, lines
from pluto_duck_cli.client import connect
from pluto_duck_cli.files import said_lines
from pluto_duck_cli.options import Agent, Conversation, ExistingRoot, Json, Model, Provider, command_line

app = command_line("A conversation with your data.")


@app.command()
def chat(
    root: ExistingRoot = None,
    json: Json = False,
    provider: Provider = None,
    model: Model = None,
    conversation: Conversation = None,
    agent: Agent = None,
) -> int:
    """A conversation with your data: questions that lean on each other, and /sql, /chart, /export."""
    if json:
        raise typer.BadParameter("A conversation is for people; `pluto-duck agent --json` answers programs.")
    settings = load_settings(root)
    with connect(settings) as client:
        talk = Chat(client, Question("", conversation, provider, model, agent=agent))
        is_typed = render.is_talking()
        if is_typed:
            render.talk("Ask in plain words; /help tells more, Ctrl-D leaves.")
        said = lines(settings.paths.create().chat_history, sorted(set(talk.words()))) if is_typed else said_lines()
        for line in said:
            if not talk.read(line):
                break
    return 0
