"""What an agent's skills say, read when it is needed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pluto_duck_backend.agent.actions.contract import Call, Details, Result, action
from pluto_duck_backend.agent.agents.skills import MAIN, Skill, body, skills_of
from pluto_duck_backend.app.core.errors import InvalidInput


@action("Read a skill", "viewer")
def skills(
    call: Call,
    name: Annotated[str | None, Field(description="The skill; none: all, with what each is about.")] = None,
    file: Annotated[str, Field(description="One of its files.")] = MAIN,
    agent: Annotated[str | None, Field(description="Whose; none: the agent that the token is bound to.")] = None,
) -> Details | Result:
    """What an agent has written down for certain questions: without a name what there is, with one its text."""
    assigned = call.workspace.agents.assign(agent, call.who).agent
    if not assigned:
        raise InvalidInput("Whose skills?", code="agent_needed", hint="Name an agent; `pluto-duck agents list`.")
    folder = call.workspace.agents.files.get(assigned).folder
    if name is None:
        return {"agent": assigned, "skills": [_listed(each) for each in skills_of(folder)]}
    text = body(folder, name, file)
    return Result(text, {"agent": assigned, "name": name, "file": file, "text": text})


def _listed(skill: Skill) -> Details:
    return {
        "name": skill.name,
        "description": skill.description,
        "files": skill.files(),
        "problem": skill.problem or None,
    }
