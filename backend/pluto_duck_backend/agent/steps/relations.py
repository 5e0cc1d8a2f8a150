"""What a step comes to as SQL: an expression over steps of one row, a statistic of a step, a table of given rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pluto_duck_backend.agent.steps.sandbox import Frame
from pluto_duck_backend.agent.steps.step import Step, Taken
from pluto_duck_backend.app.core.errors import QueryFailed
from pluto_duck_text2sql.plans.composing import is_named, quoted
from pluto_duck_text2sql.plans.statistics import STATISTICS

_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)


def calculation(step: Step, before: Mapping[str, Taken]) -> str:
    """A query of one value. Raises QueryFailed where it names a step of several rows."""
    used = [each for name, each in before.items() if is_named(name, step.text)]
    for each in used:
        if each.row_count != 1:
            rows = "several rows" if each.row_count else "no row"
            raise _failed(step, f"{each.step.name} has {rows}; a calculation takes steps of one row")
    source = f" FROM {', '.join(each.step.name for each in used)}" if used else ""
    return f"SELECT ({step.text.strip()}) AS {quoted(step.name)}{source}"


def statistic(step: Step, before: Mapping[str, Taken]) -> str:
    """A query for `name(step, column, …)`. Raises QueryFailed naming what there is."""
    called = _CALL.fullmatch(step.text)
    name = called[1] if called else step.text
    if called is None or name not in STATISTICS:
        raise _failed(step, f"{name!r} is no statistic; there are {', '.join(STATISTICS)}")
    make, expected = STATISTICS[name]
    given = [each.strip().strip('"') for each in called[2].split(",")]
    if len(given) != len(expected):
        raise _failed(step, f"{name} takes ({', '.join(expected)})")
    source = before.get(given[0])
    if source is None:
        raise _failed(step, f"there is no step {given[0]!r} before it")
    columns = [column["name"] for column in source.columns]
    for column in given[1:]:
        if column not in columns:
            raise _failed(step, f"{given[0]} has no column {column!r}; it has {', '.join(columns)}")
    return make(*given)


def table(frame: Frame) -> str:
    """The rows of a frame as a query."""
    names = ", ".join(quoted(name) for name, _ in frame.columns)
    kinds = [kind for _, kind in frame.columns]
    rows = frame.rows or ((None,) * len(kinds),)
    values = ", ".join(f"({', '.join(map(_cell, row, kinds))})" for row in rows)
    return f"SELECT * FROM (VALUES {values}) AS given({names}){'' if frame.rows else ' WHERE false'}"


def _cell(value: Any, kind: str) -> str:
    if value is None:
        return f"CAST(NULL AS {kind})"
    if isinstance(value, str):
        text = value.replace("'", "''")
        return f"CAST('{text}' AS {kind})"
    return f"CAST({str(value).upper() if isinstance(value, bool) else repr(value)} AS {kind})"


def _failed(step: Step, why: str) -> QueryFailed:
    return QueryFailed(f"{step.text!r} cannot be taken: {why}.", code="step_failed", hint="Plan that step otherwise.")
