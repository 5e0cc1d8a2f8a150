"""Which model a local server has, where none was chosen.

Those that speak OpenAI's protocol mostly hold one, and list it first. Ollama holds many and loads what is asked for: of
several a person chooses.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx

from pluto_duck_backend.agent.models.endpoints import Endpoint
from pluto_duck_backend.agent.models.faults import ModelFault

_TIMEOUT_S = 5.0
_ANY = "default"
#   what servers with a single model take for its name
_SHOWN = 10


def only_model(endpoint: Endpoint) -> Endpoint:
    """The endpoint with the model that its server lists. Raises ModelFault where Ollama has none, or several."""
    try:
        listed = _listed(endpoint)
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        listed = [_ANY]  # the call itself will tell what is wrong, if anything is
    if endpoint.family == "ollama" and len(listed) != 1:
        raise ModelFault("no_model", endpoint.name, f"it has {', '.join(listed[:_SHOWN]) or 'none yet'}")
    return replace(endpoint, model=next(iter(listed), _ANY))


def _listed(endpoint: Endpoint) -> list[str]:
    """The names of its server's models, in the server's order."""
    url = endpoint.base_url.rstrip("/")
    if endpoint.family == "ollama":
        return [str(each["model"]) for each in _get(f"{url}/api/tags", endpoint)["models"]]
    return [str(each["id"]) for each in _get(f"{url}/models", endpoint)["data"]]


def _get(url: str, endpoint: Endpoint) -> Any:
    key = endpoint.key.get_secret_value() if endpoint.key else ""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with httpx.Client(timeout=_TIMEOUT_S, trust_env=False, headers=headers) as client:
        return client.get(url).json()
