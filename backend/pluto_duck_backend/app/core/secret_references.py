"""Passwords of sources and of places of state: named by reference, put in at the opening, never shown or kept.

Ingestion resolves a request's config with it and records only what `public` leaves; `services/state` resolves the
settings state.*. A reference stands anywhere in a text: `${env:PGPASSWORD}`, `${keyring:SERVICE/USER}`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, PlutoDuckError

_REFERENCE = re.compile(r"\$\{(\w+):([^}]+)\}")
_SHOWN = re.compile(rf"(?:(?:bearer|basic|token) )?{_REFERENCE.pattern}", re.IGNORECASE)
#   a text that names a secret without holding one
_SECRET = re.compile(
    r"passw|pwd|secret|token|credential|authorization|cookie|signature|^sig$|(?:api|private|access)[-_]?key",
    re.IGNORECASE,
)
_PARAMETER = re.compile(r"(?<=[?&;])([^=&;#]+)=([^&;#]*)")
HIDDEN = "***"


def resolve(value: Any) -> Any:
    """`value` with every reference in its texts replaced. Raises EnvironmentFault for one that leads nowhere."""
    if isinstance(value, str):
        return _REFERENCE.sub(lambda found: _looked_up(found[1], found[2]), value)
    if isinstance(value, Mapping):
        return {name: resolve(each) for name, each in value.items()}
    return [resolve(each) for each in value] if isinstance(value, list) else value


def _looked_up(kind: str, name: str) -> str:
    if kind == "env":
        return _from_environment(name)
    if kind == "keyring":
        return _from_keyring(name)
    raise InvalidInput(
        f"${{{kind}:{name}}} is no reference to a secret.",
        code="bad_secret_reference",
        hint="Write ${env:NAME} or ${keyring:SERVICE/USER}.",
    )


def _from_environment(name: str) -> str:
    if name not in os.environ:
        raise EnvironmentFault(
            f"The environment variable {name}, which a source or setting refers to, is not set.",
            code="secret_missing",
            hint=f"Set it for the process that needs it: export {name}=…",
        )
    return os.environ[name]


def _from_keyring(name: str) -> str:
    service, _, user = name.rpartition("/")
    try:
        keyring = import_module("keyring")
    except ImportError as error:
        raise EnvironmentFault(
            "A source or setting refers to the system's keyring, and the package keyring is not installed.",
            code="secret_missing",
            hint="pip install 'pluto-duck[keyring]'",
        ) from error
    found: str | None = keyring.get_password(service, user)
    if found is None:
        raise EnvironmentFault(
            f"The keyring holds nothing for user {user!r} of {service!r}.",
            code="secret_missing",
            hint=f"keyring set {service} {user}",
        )
    return found


def public(value: Any, name: str = "") -> Any:
    """`value` as it may be shown and kept: references stay, what looks like a secret is hidden."""
    if isinstance(value, Mapping):
        return {key: public(each, str(key)) for key, each in value.items()}
    if isinstance(value, list):
        return [public(each, name) for each in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    if not isinstance(value, str):
        return f"a {type(value).__name__} of this process"
    if _SECRET.search(name) and not _SHOWN.fullmatch(value):
        return HIDDEN
    return public_url(value)


def public_url(text: str) -> str:
    """A URL without its password and what looks like a secret among its parameters; any other text as it is."""
    if "://" not in text:
        return text
    text = _PARAMETER.sub(lambda found: f"{found[1]}={public(found[2], found[1])}", text)
    try:
        parts = urlsplit(text)
    except ValueError:
        return f"{text.partition('://')[0]}://{HIDDEN}"
    if not parts.password or _REFERENCE.search(parts.password):
        return text
    at = parts.netloc.rindex("@")
    return urlunsplit(parts._replace(netloc=f"{parts.username}:{HIDDEN}{parts.netloc[at:]}"))


def without_password(text: str, url: str) -> str:
    """`text`, which a library may have written, without the password and the secret parameters of `url`."""
    try:
        password = urlsplit(url).password
    except ValueError:
        return HIDDEN
    secrets = [value for name, value in _PARAMETER.findall(url) if _SECRET.search(name)]
    for secret in filter(None, [password, *secrets]):
        text = text.replace(secret, HIDDEN).replace(unquote(secret), HIDDEN)
    return text


def without(error: PlutoDuckError, secrets: Mapping[str, str]) -> str:
    """The error's message with every one of these values hidden."""
    message = error.message
    for secret in secrets.values():
        message = message.replace(secret, HIDDEN) if secret else message
    return message
