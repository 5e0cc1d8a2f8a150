"""Where a key comes from: the settings, the environment, the system's keyring. A key is never shown and never logged.

Who opens an endpoint asks here; `pluto-duck config` stores here.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

from pydantic import SecretStr

from pluto_duck_backend.app.core.errors import EnvironmentFault

_SERVICE = "pluto-duck"


def find(provider: str, variable: str, given: SecretStr | None) -> SecretStr | None:
    """The key of a provider, the nearest first: given in the settings, the environment, the keyring."""
    if given and given.get_secret_value():
        return given
    if variable and os.environ.get(variable):
        return SecretStr(os.environ[variable])
    return _from_keyring(provider)


def store(provider: str, key: SecretStr) -> None:
    """Keep a key in the system's keyring. Raises EnvironmentFault where there is none."""
    keyring = _library()
    if keyring is None:
        raise EnvironmentFault(
            "There is no library `keyring` to keep the key with.",
            code="no_keyring",
            hint="pip install 'pluto-duck[keyring]', or put the key into the environment.",
        )
    from keyring.errors import KeyringError

    try:
        keyring.set_password(_SERVICE, provider, key.get_secret_value())
    except KeyringError as error:
        raise EnvironmentFault(
            f"The system's keyring does not take the key: {type(error).__name__}.",
            code="no_keyring",
            hint="Put the key into the environment instead.",
        ) from error


def _from_keyring(provider: str) -> SecretStr | None:
    keyring = _library()
    if keyring is None:
        return None
    from keyring.errors import KeyringError

    try:
        found = keyring.get_password(_SERVICE, provider)
    except KeyringError:
        # A machine without a keyring, or with a locked one, has no key in it.
        return None
    return SecretStr(found) if found else None


def _library() -> Any:
    if find_spec("keyring") is None:
        return None
    import keyring

    return keyring
