"""What `pluto-duck config add` does: check, try one small call, then write; nothing is kept of a model that fails.

The key goes from the terminal or stdin into the keyring, and into nothing else.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from pluto_duck_backend.app.core.config import ProviderSettings, Settings
from pluto_duck_backend.app.core.config_file import Place, put
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_cli import render

if TYPE_CHECKING:
    from pathlib import Path

    from pluto_duck_backend.agent.models.trying import Tried


@dataclass(frozen=True)
class Wanted:
    """The provider to set up; None keeps what is known of it."""

    name: str
    model: str | None
    base_url: str | None
    kind: str | None
    use: bool
    is_local: bool | None = None

    def given(self) -> dict[str, Any]:
        """What was said of it, by the names of the settings."""
        every = {"kind": self.kind, "model": self.model, "base_url": self.base_url, "is_local": self.is_local}
        return {name: value for name, value in every.items() if value not in (None, "")}


def set_up(settings: Settings, wanted: Wanted, key_stdin: bool) -> Tried:
    """Try the model, then write it down. Raises what the model or the file makes fail."""
    from pluto_duck_backend.agent.models import endpoints, keys
    from pluto_duck_backend.agent.models.abilities import AbilityStore
    from pluto_duck_backend.agent.models.trying import try_out

    own = settings.providers.get(wanted.name, ProviderSettings()).model_copy(update=wanted.given())
    key = _read_key() if key_stdin else None
    planned = settings.model_copy(update={"providers": {**settings.providers, wanted.name: own}})
    try:
        endpoint = endpoints.resolve(wanted.name, _with_key(planned, wanted.name, key))
    except EnvironmentFault as fault:
        if fault.code != "no_key" or not sys.stdin.isatty():
            raise
        key = _ask_key(wanted.name)
        endpoint = endpoints.resolve(wanted.name, _with_key(planned, wanted.name, key))
    tried = try_out(endpoint)
    if key:
        keys.store(wanted.name, key)
    paths = settings.paths.create()
    _write(paths.config_file, wanted)
    AbilityStore(paths.models / "abilities.json").forget(wanted.name)
    return tried


def _with_key(settings: Settings, name: str, key: SecretStr | None) -> Settings:
    if key is None:
        return settings
    own = settings.providers[name].model_copy(update={"api_key": key})
    return settings.model_copy(update={"providers": {**settings.providers, name: own}})


def _read_key() -> SecretStr:
    key = sys.stdin.readline().strip()
    if not key:
        raise InvalidInput(
            "There is no key on stdin.", code="no_key", hint='printf %s "$KEY" | pluto-duck config add …'
        )
    return SecretStr(key)


def _ask_key(name: str) -> SecretStr:
    import typer

    render.talk(f"{name} needs a key; it is kept in the system's keyring.")
    return SecretStr(typer.prompt("Key", hide_input=True, err=True).strip())


def _write(path: Path, wanted: Wanted) -> None:
    places: dict[Place, Any] = {("providers", wanted.name, name): value for name, value in wanted.given().items()}
    if wanted.use:
        places["agent", "provider"] = wanted.name
    put(path, places)
