"""Names of settings: which there are, what was written and is none, and which may be shown with their value.

`config.py` asks before it takes what a file or the environment says, since a limit that is misspelt would be none. No
value of the environment is ever told: what stands under a wrong name may be a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

import orjson
from pydantic import BaseModel

from pluto_duck_backend.app.core.errors import did_you_mean

PREFIX, NESTED = "PLUTODUCK_", "__"
_NEAR = 0.75
Group = type[BaseModel]


def unknown(given: Mapping[str, Any], group: Group, above: str = "") -> Iterator[str]:
    """The names in `given` that the group lacks, each with the nearest that it has."""
    for name, value in given.items():
        place = f"{above}{name}"
        if name not in group.model_fields:
            yield f"{place}. {did_you_mean(name, group.model_fields)}".rstrip()
            continue
        for inner, its, kind in _groups_at(place, value, group.model_fields[name].annotation):
            yield from unknown(its, kind, f"{inner}.")


def unknown_variables(variables: Mapping[str, str | None], group: Group) -> Iterator[str]:
    """The variables that are meant as settings and are none, each with the nearest that is one."""
    for variable, value in variables.items():
        path = variable[len(PREFIX) :].lower().split(NESTED)
        if not variable.upper().startswith(PREFIX) or not _is_meant(path, group):
            continue
        if any(unknown(_nested(path, ""), group)):
            yield f"{variable}. {did_you_mean(variable, _variables(group, path, PREFIX), limit=1)}".rstrip()
        else:
            yield from (f"{variable}: {each}" for each in unknown(_nested(path, value or ""), group))


def may_be_shown(place: Sequence[Any], value: Any, group: Group) -> bool:
    """Whether an error may quote the value at a place: one plain value of a setting that holds no secret."""
    for n, name in enumerate(place):
        field = group.model_fields.get(str(name))
        if field is None:
            return False
        inner = _groups_at("", {"": {}}, field.annotation)
        if not inner:
            return isinstance(value, str | int | float) and "Secret" not in str(field.annotation)
        if not _is_group(field.annotation):
            return may_be_shown(place[n + 2 :], value, inner[0][2])
        group = inner[0][2]
    return False


def _is_meant(path: Sequence[str], group: Group) -> bool:
    """A nested name can be nothing else; others are where they begin with a group, or are nearly called as one."""
    begins = any(path[0].startswith(f"{name}_") for name in group.model_fields)
    return len(path) > 1 or begins or bool(get_close_matches(path[0], group.model_fields, n=1, cutoff=_NEAR))


def _nested(path: Sequence[str], value: str) -> dict[str, Any]:
    """What a variable says, as config.toml would: a group may be given whole, in JSON."""
    try:
        said = orjson.loads(value)
    except orjson.JSONDecodeError:
        said = value
    for name in reversed(path):
        said = {name: said}
    return {str(name): each for name, each in said.items()}


def _variables(group: Group, path: Sequence[str], above: str) -> Iterator[str]:
    """The variables of all settings; of those by a name that the user chooses, with the name that `path` has."""
    for name, field in group.model_fields.items():
        variable, rest = f"{above}{name.upper()}", path[1:]
        inner = _groups_at("", {"": {}}, field.annotation)
        if inner and not _is_group(field.annotation):
            variable, rest = f"{variable}{NESTED}{(rest or ['name'])[0].upper()}", rest[1:]
        yield from _variables(inner[0][2], rest, f"{variable}{NESTED}") if inner else [variable]


def _groups_at(place: str, value: Any, kind: Any) -> list[tuple[str, dict[str, Any], Group]]:
    """The groups of settings that stand at a place: one, or one for each name."""
    if _is_group(kind):
        return [(place, value, kind)] if isinstance(value, dict) else []
    named = get_args(kind)[-1:]
    if not named or not _is_group(named[0]) or not isinstance(value, dict):
        return []
    return [(f"{place}.{name}", each, named[0]) for name, each in value.items() if isinstance(each, dict)]


def _is_group(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
