"""Which model a local server has, where none was chosen: such servers mostly hold one."""

from __future__ import annotations

from dataclasses import replace

import httpx

from pluto_duck_backend.agent.models.endpoints import Endpoint

_TIMEOUT_S = 5.0
_ANY = "default"
#   what servers with a single model take for its name


def only_model(endpoint: Endpoint) -> Endpoint:
    """The endpoint with the first model that its server lists."""
    key = endpoint.key.get_secret_value() if endpoint.key else ""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with httpx.Client(timeout=_TIMEOUT_S, trust_env=False, headers=headers) as client:
            listed = client.get(f"{endpoint.base_url.rstrip('/')}/models").json()["data"]
        return replace(endpoint, model=str(listed[0]["id"]))
    except (httpx.HTTPError, ValueError, KeyError, IndexError, TypeError):
        # It lists none. The call itself will tell what is wrong, if anything is.
        return replace(endpoint, model=_ANY)
