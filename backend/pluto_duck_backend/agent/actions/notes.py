"""What a program wants to remember from one session to the next: a file of notes for each caller, nobody else's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import orjson
from pydantic import Field

from pluto_duck_backend.agent.actions.contract import Call, Details, action
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.lines import Lines
from pluto_duck_backend.app.services.execution.job import now

_MOST = 1000
_LONGEST = 2000


@action("Keep a note", "viewer")
def note(
    call: Call,
    text: Annotated[str, Field(min_length=1, max_length=_LONGEST, description="What is worth knowing next time.")],
) -> Details:
    """Keep a note for later sessions: what was found, what the user prefers. Only its caller reads it again."""
    path = _file(call)
    if len(_kept(path)) >= _MOST:
        raise InvalidInput(
            f"There are {_MOST:,} notes already.", code="too_many_notes", hint=f"Remove some lines of {path.name}."
        )
    kept = {"at": now(), "text": text}
    Lines(path).append(orjson.dumps(kept))
    return kept


@action("Read the notes", "viewer")
def notes(
    call: Call,
    like: Annotated[str, Field(description="Text that they hold; empty: all.")] = "",
    limit: Annotated[int, Field(ge=1, le=_MOST)] = 50,
) -> Details:
    """The notes of this caller, the latest first."""
    found = [each for each in reversed(_kept(_file(call))) if like.casefold() in each["text"].casefold()]
    return {"notes": found[:limit]}


def _file(call: Call) -> Path:
    name = quote(f"{call.who.name}@{call.who.agent}" if call.who.agent else call.who.name, safe="@")
    return call.workspace.paths.notes / f"{name}.jsonl"


def _kept(path: Path) -> list[Details]:
    try:
        return [orjson.loads(line) for line in path.read_bytes().splitlines()]
    except FileNotFoundError:
        return []
