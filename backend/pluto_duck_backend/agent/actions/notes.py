"""What a program wants to remember from one session to the next: a text of notes for each caller, nobody else's."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

import orjson
from pydantic import Field

from pluto_duck_backend.agent.actions.contract import Call, Details, action
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, NotFound
from pluto_duck_backend.app.services.execution.job import now

_MOST = 1000
_LONGEST = 2000
_TRIES = 20
_SCOPE = "artifacts/notes"


@action("Keep a note", "viewer")
def note(
    call: Call,
    text: Annotated[str, Field(min_length=1, max_length=_LONGEST, description="What is worth knowing next time.")],
) -> Details:
    """Keep a note for later sessions: what was found, what the user prefers. Only its caller reads it again."""
    kept = {"at": now(), "text": text}
    for _ in range(_TRIES):
        if _added(call, kept):
            return kept
    raise Conflict("Others keep notes at the same moment.", code="changed_meanwhile", hint="Call again.")


def _added(call: Call, note: Details) -> bool:
    """False where another call has added one meanwhile."""
    data, mark = _text(call)
    if data.count(b"\n") >= _MOST:
        raise InvalidInput(
            f"There are {_MOST:,} notes already.", code="too_many_notes", hint=f"Remove some lines of {_name(call)}."
        )
    try:
        call.workspace.places.memory.write(_SCOPE, _name(call), data + orjson.dumps(note) + b"\n", instead_of=mark)
    except Conflict:
        return False
    return True


@action("Read the notes", "viewer")
def notes(
    call: Call,
    like: Annotated[str, Field(description="Text that they hold; empty: all.")] = "",
    limit: Annotated[int, Field(ge=1, le=_MOST)] = 50,
) -> Details:
    """The notes of this caller, the latest first."""
    found = [each for each in reversed(_kept(call)) if like.casefold() in each["text"].casefold()]
    return {"notes": found[:limit]}


def _name(call: Call) -> str:
    """Readable, and one for each caller; none begins with a point, since such files are hidden."""
    name = quote(f"{call.who.name}@{call.who.agent}" if call.who.agent else call.who.name, safe="@")
    return f"{name.replace('.', '%2E', 1) if name.startswith('.') else name}.jsonl"


def _kept(call: Call) -> list[Details]:
    return [orjson.loads(line) for line in _text(call)[0].splitlines()]


def _text(call: Call) -> tuple[bytes, str]:
    """All notes, a line each, and their mark; nothing where there are none."""
    try:
        return call.workspace.places.memory.read(_SCOPE, _name(call))
    except NotFound:
        return b"", ""
