"""The actions there are: ours and any installed package's, through the same door.

A package adds one under the entry-point group `pluto_duck.actions`: its name, and what `contract.action` made.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from pluto_duck_backend.agent.actions.contract import Action
from pluto_duck_backend.app.core.errors import NotFound, did_you_mean

GROUP = "pluto_duck.actions"
_HERE = "pluto_duck_backend.agent.actions"
_BUILT_IN = {
    "ask": "asking:ask",
    "query": "data:query",
    "schema": "data:schema",
    "values": "data:values",
    "metrics": "data:metrics",
    "chart": "results:chart",
    "export": "results:export",
    "calculator": "calculator:calculator",
    "note": "notes:note",
    "notes": "notes:notes",
    "skills": "skills:skills",
    "ingest": "loading:ingest",
    "dbt": "loading:dbt",
}
_OF_AN_AGENT = " A tool of an agent's server is called with its agent: `agent`, or --agent NAME."
_logger = logging.getLogger(__name__)


@cache
def installed() -> Mapping[str, Action]:
    """Every action by name; ours first. One of a plug-in that cannot be loaded is told in the log and left out."""
    ours = {name: EntryPoint(name, f"{_HERE}.{value}", GROUP).load() for name, value in _BUILT_IN.items()}
    return {**ours, **_of_plugins(entry_points(group=GROUP), ours)}


def get(name: str) -> Action:
    """The action called `name`. Raises NotFound with the nearest names."""
    if name not in installed():
        raise NotFound(
            f"There is no action {name!r}. {did_you_mean(name, installed())}".rstrip(),
            code="action_not_found",
            hint=f"There are: {', '.join(installed())}.{_OF_AN_AGENT if '.' in name else ''}",
        )
    return installed()[name]


def _of_plugins(doors: Any, ours: Mapping[str, Action]) -> dict[str, Action]:
    found = {}
    for door in doors:
        made = _loaded(door)
        if made is not None and made.name not in ours:
            found[made.name] = made
        elif made is not None:
            _logger.error("The plug-in %s names an action %r, which is ours.", door.value, made.name)
    return found


def _loaded(door: EntryPoint) -> Action | None:
    """A package of others may raise anything; what is ours must go on."""
    try:
        made = door.load()
    except Exception:
        _logger.exception("The plug-in %s cannot be loaded.", door.value)
        return None
    if not isinstance(made, Action):
        _logger.error("The plug-in %s is no action, but %r.", door.value, made)
        return None
    return made
