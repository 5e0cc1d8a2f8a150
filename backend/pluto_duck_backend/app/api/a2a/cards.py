"""Agent cards: who answers where, generated from an agent's file."""

from __future__ import annotations

from typing import Any

from pluto_duck_backend import __version__
from pluto_duck_backend.agent.agents.files import Agent
from pluto_duck_backend.agent.agents.skills import skills_of

PROTOCOL = "1.0"
_WHAT = "Answers questions about the data of a DuckDB warehouse; each answer names the query that ran."
_TAGS = ["analytics", "data", "sql"]
_SECURITY = {
    "securitySchemes": {"token": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
    "securityRequirements": [{"schemes": {"token": {"list": []}}}],
}


def whole(address: str, *, asks_for_token: bool) -> dict[str, Any]:
    """The card of the server: it chooses who answers. It tells nothing of the data, so that anybody may load it."""
    return _card("Pluto-Duck", _WHAT, [], f"{address}/a2a", asks_for_token)


def of_agent(agent: Agent, address: str, *, asks_for_token: bool) -> dict[str, Any]:
    """The card of one agent, as its files say."""
    said, url = agent.definition, f"{address}/a2a/{agent.name}"
    card = _card(agent.name, said.description or _WHAT, said.examples, url, asks_for_token)
    known = [
        {"id": each.name, "name": each.name, "description": each.description, "tags": ["skill"]}
        for each in skills_of(agent.folder)
        if not each.problem
    ]
    return {**card, "skills": [*card["skills"], *known]}


def _card(name: str, what: str, examples: list[str], url: str, asks_for_token: bool) -> dict[str, Any]:
    skill = {"id": "answer", "name": "Answer questions", "description": what, "tags": _TAGS, "examples": examples}
    return {
        "name": name,
        "description": what,
        "version": __version__,
        "supportedInterfaces": [{"url": url, "protocolBinding": "JSONRPC", "protocolVersion": PROTOCOL}],
        "capabilities": {"streaming": True, "pushNotifications": False, "extendedAgentCard": False},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/markdown", "application/json"],
        "skills": [skill],
        **(_SECURITY if asks_for_token else {}),
    }
