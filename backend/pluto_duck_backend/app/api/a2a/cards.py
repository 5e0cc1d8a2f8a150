"""Agent cards: who answers where, generated from an agent's file."""

from __future__ import annotations

from typing import Any

from pluto_duck_backend import __version__
from pluto_duck_backend.agent.agents.definition import Definition

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


def of_agent(name: str, agent: Definition, address: str, *, asks_for_token: bool) -> dict[str, Any]:
    """The card of one agent, as its file says."""
    return _card(name, agent.description or _WHAT, agent.examples, f"{address}/a2a/{name}", asks_for_token)


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
