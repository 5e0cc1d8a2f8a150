"""Charts: a result and its question in, a Vega-Lite specification out, or None where nothing is to be seen.

    columns, rows ─▶ fields (roles) ─▶ shape ─▶ choice (what fits, the best first) ─▶ cutting ─▶ spec
                                        ▲ asked (the kind that the question names)         themes ─▶ images

`finalize` calls it for every answer, the API for every query; the page, the terminal and the notebook draw what comes
out. What must stay true: a chart shows the whole result or says what it leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pluto_duck_backend.agent.charting.adding import additive
from pluto_duck_backend.agent.charting.asked import KINDS, Asked, Kind, kind_asked
from pluto_duck_backend.agent.charting.choice import Choice, choose
from pluto_duck_backend.agent.charting.labels import inside, title_of_name
from pluto_duck_backend.agent.charting.shape import is_sorted, shape_of
from pluto_duck_backend.agent.charting.spec import Drawing, Spec, spec_of
from pluto_duck_backend.app.core.errors import NotFound

__all__ = ["CHART_ROWS", "KINDS", "Kind", "Spec", "chart_of", "chart_or_raise"]

CHART_ROWS = 5_000
"""Rows that a chart is made of at most; only a ranking may be drawn of the first rows of more."""
_LONGEST_NOTE = 90
_WHEN = "A chart needs at least one measure, and at most two columns that tell the rows apart."


def chart_of(
    question: str,
    columns: Sequence[dict[str, str]],
    rows: Sequence[Sequence[Any]],
    row_count: int,
    *,
    sql: str | None = None,
    title: str = "",
    kind: Kind | None = None,
) -> Spec | None:
    """The best chart of a result, or of the `kind` wanted; None where none fits."""
    if _are_called_alike(columns):
        return None
    shape = shape_of(question, columns, rows)
    may_add = additive(shape.measures, sql) if len(rows) > 1 else frozenset[str]()
    asked: Asked | None = kind or kind_asked(question)
    fitting = choose(question, shape, may_add, asked)
    best = next(iter(fitting.values()), None)
    if best is None or (row_count > len(rows) and not _is_ranking(best)):
        return None
    drawing = Drawing(best, _records(best, len(rows)), row_count, may_add)
    notes = [line for line in (_shortened(question), _missed(asked, best)) if line]
    return spec_of(drawing, title or _title(best), list(fitting), notes)


def _are_called_alike(columns: Sequence[dict[str, str]]) -> bool:
    names = [column["name"].casefold() for column in columns]
    return len(set(names)) < len(names)


def chart_or_raise(*result: Any, kind: Kind | None = None, **options: Any) -> Spec:
    """As `chart_of`, of exactly the `kind` where one is given. Raises NotFound where it does not fit."""
    spec = chart_of(*result, kind=kind, **options)
    if spec is None:
        raise NotFound("There is nothing in this result that a chart would show.", code="no_chart", hint=_WHEN)
    meta = spec["usermeta"]
    if kind and meta["kind"] != kind:
        fitting = ", ".join(meta["kinds"])
        raise NotFound(f"This result does not fit a {kind} chart.", code="no_chart", hint=f"These fit: {fitting}.")
    return spec


def _is_ranking(choice: Choice) -> bool:
    """Whether the first rows are the ones that its reader wants to see."""
    return choice.kind in ("bar", "column") and is_sorted(choice.measures[0])


def _shortened(question: str) -> str:
    """The question says what the rows are of: a chart travels without its answer."""
    return question if len(question) <= _LONGEST_NOTE else f"{question[:_LONGEST_NOTE]}…"


def _records(choice: Choice, n_rows: int) -> list[dict[str, Any]]:
    """Each row by the names of the chart's columns, with their values as the chart takes them."""
    fields = _fields(choice)
    return [{field.name: field.values[n] for field in fields} for n in range(n_rows)]


def _fields(choice: Choice) -> list[Any]:
    return [each for each in (*choice.x, *choice.y, choice.color, choice.size, choice.label) if each]


def _title(choice: Choice) -> str:
    """What is drawn, where nobody named it."""
    measured = [title_of_name(each.name) for each in _fields(choice) if each.role == "measure"]
    what = " and ".join([*measured[:1], *map(inside, measured[1:])])
    if choice.kind == "histogram":
        return f"Distribution of {inside(what)}"
    if choice.kind == "map":
        return f"Places{' and ' + inside(what) if what else ''}"
    by = [inside(title_of_name(each.name)) for each in _fields(choice) if each.role != "measure"]
    by = [] if choice.kind == "scatter" and not choice.color else by
    return f"{what} by {' and '.join(by)}" if by else what


def _missed(asked: Asked | None, choice: Choice) -> str:
    """A line where the kind asked for does not fit."""
    if asked is None or asked == choice.kind or (asked == "bar" and choice.kind == "column"):
        return ""
    return f"This result does not fit a {asked} chart."
