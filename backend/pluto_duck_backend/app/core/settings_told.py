"""Every setting with its value and where it comes from, secrets masked; and changing those that are limits only.

The command line and the API tell settings from here. What must stay true: nothing here changes who sees what, where
anything listens, or where data goes; such settings are for whoever may edit config.toml.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, SecretStr, ValidationError

from pluto_duck_backend.app.core.config import BudgetSettings, Settings
from pluto_duck_backend.app.core.config_file import put, written
from pluto_duck_backend.app.core.errors import Conflict, InvalidInput, NotFound, Refused, did_you_mean
from pluto_duck_backend.app.core.secret_references import public

MASKED = "********"
CHANGEABLE = (
    *("agent.max_rows", "agent.max_attempts", "agent.timeout_s", "query.timeout_s", "query.max_rows"),
    *(f"budget.{name}" for name in BudgetSettings.model_fields),
)


@dataclass(frozen=True)
class Told:
    """One setting; `source` is environment, .env, config.toml, default or flag."""

    name: str
    value: str
    source: str
    description: str

    def to_dict(self) -> dict[str, Any]:
        changeable = self.name in CHANGEABLE and self.source != "environment"
        return {**vars(self), "changeable": changeable}


def every(settings: Settings) -> list[Told]:
    """All of them, in the order of their declaration."""
    file = written(settings.paths.config_file)
    root = "environment" if "PLUTODUCK_ROOT" in os.environ else "flag or default"
    found = [Told("root", str(settings.root), root, Settings.model_fields["root"].description or "")]
    for group in (name for name in Settings.model_fields if name != "root"):
        for name, value, holder in _leaves(group, getattr(settings, group)):
            found.append(Told(name, _shown(value), _source(name, holder, file), _described(name, holder)))
    return found


def change(settings: Settings, name: str, value: Any) -> Told:
    """Set one of CHANGEABLE, from now on and in config.toml. Raises NotFound, Refused, Conflict, InvalidInput."""
    before = _known(settings, name)
    if name not in CHANGEABLE:
        raise Refused(
            f"{name} is not changed over HTTP: it says who answers, who sees what, or where things are.",
            code="not_changeable",
            hint=f"Write it into {settings.paths.config_file} and start again.",
        )
    if before.source == "environment":
        raise Conflict(
            f"{name} comes from the environment, which goes before config.toml.",
            code="set_in_environment",
            hint=f"Change PLUTODUCK_{name.replace('.', '__').upper()} and start again.",
        )
    group, key = name.split(".")
    holder = getattr(settings, group)
    checked = _checked(holder, key, value)
    put(settings.paths.config_file, {(group, key): checked})
    setattr(holder, key, checked)
    return _known(settings, name)


def _known(settings: Settings, name: str) -> Told:
    found = {each.name: each for each in every(settings)}
    if name not in found:
        raise NotFound(
            f"There is no setting {name!r}. {did_you_mean(name, found)}".rstrip(),
            code="setting_not_found",
            hint="`pluto-duck config` lists them.",
        )
    return found[name]


def _checked(holder: BaseModel, key: str, value: Any) -> Any:
    try:
        return getattr(type(holder).model_validate({**holder.model_dump(), key: value}), key)
    except ValidationError as error:
        raise InvalidInput(f"{key}={value!r}: {error.errors()[0]['msg']}", code="bad_setting") from error


def _leaves(name: str, value: Any, holder: Any = None) -> Iterator[tuple[str, Any, Any]]:
    """`(dotted name, value, the group it stands in)` of each setting below `name`."""
    if isinstance(value, BaseModel):
        inner = {key: getattr(value, key) for key in type(value).model_fields}
    elif isinstance(value, dict) and all(isinstance(each, BaseModel) for each in value.values()):
        inner = value
    else:
        yield name, value, holder
        return
    for key, each in inner.items():
        yield from _leaves(f"{name}.{key}", each, value)


def _shown(value: Any) -> str:
    if isinstance(value, dict) and any(isinstance(each, SecretStr) for each in value.values()):
        value = dict.fromkeys(value, MASKED)
    if isinstance(value, str | dict | list):
        value = public(value)
    return MASKED if isinstance(value, SecretStr) else "" if value is None else str(value)


def _described(name: str, holder: Any) -> str:
    key = name.rpartition(".")[2]
    field = type(holder).model_fields.get(key) if isinstance(holder, BaseModel) else None
    return (field.description or "") if field else ""


def _source(name: str, holder: Any, file: dict[str, Any]) -> str:
    keys = name.split(".")
    if f"PLUTODUCK_{'__'.join(keys)}".upper() in {each.upper() for each in os.environ}:
        return "environment"
    for key in keys:
        file = file.get(key, {}) if isinstance(file, dict) else {}
    if file != {}:
        return "config.toml"
    given = holder.model_fields_set if isinstance(holder, BaseModel) else ()
    return ".env" if keys[-1] in given else "default"
