"""Whether a plan can be taken as it stands, found before its first step is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pluto_duck_backend.agent.steps.step import KINDS, Step
from pluto_duck_backend.app.core.errors import QueryFailed

_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
_NOT_NAMES = frozenset("select from where group order limit table with result pl polars math statistics".split())


def check(steps: Sequence[Step], tables: Collection[str], most: int) -> None:
    """Nothing, where every step has a name of its own and is of a known kind. Raises QueryFailed."""
    if len(steps) > most:
        raise _unusable(f"it has {len(steps)} steps, at most {most} (agent.max_steps)")
    taken = {name.rpartition(".")[2].casefold() for name in tables}
    for step in steps:
        if not _NAME.fullmatch(step.name) or step.name in _NOT_NAMES:
            raise _unusable(f"{step.name!r} is no name for a step; small letters, digits and _ make one")
        if step.name in taken:
            raise _unusable(f"{step.name!r} is the name of a table or of another step")
        if step.kind not in KINDS:
            raise _unusable(f"step {step.name} is of the kind {step.kind!r}; there are {', '.join(KINDS)}")
        taken.add(step.name)


def _unusable(why: str) -> QueryFailed:
    return QueryFailed(f"The plan cannot be followed: {why}.", code="plan_unusable", hint="Plan the steps anew.")
