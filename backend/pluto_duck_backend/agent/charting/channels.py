"""Channels of a chart: axes, colours and tooltips of a column, in Vega-Lite's words.

`marks.py` puts them together. Titles and formats come from `labels.py`, times from `times.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pluto_duck_backend.agent.charting import labels
from pluto_duck_backend.agent.charting import times as clock
from pluto_duck_backend.agent.charting.cutting import Record
from pluto_duck_backend.agent.charting.fields import Field
from pluto_duck_backend.agent.charting.shape import text_of

Spec = dict[str, Any]
WIDTH = 560
HEIGHT = 300
MEASURE, VALUE = "measure", "value"
#   the columns that several measures on one scale are folded into
_MOST_TICKS = 14
_LETTER = 7
_SLANT = -40


def title(field: Field) -> str:
    return labels.title_of(field)


def escaped(name: str) -> str:
    """A column's name as Vega-Lite takes it: dots and brackets would reach into the value."""
    return "".join(f"\\{each}" if each in ".[]\\'\"" else each for each in name)


def amount(field: Field, *, key: str = "", zero: bool = True, title_: str | None = None) -> Spec:
    form = labels.axis_format(field)
    axis: Spec = {"format": form, "tickCount": 5}
    if form == "~s":
        axis["labelExpr"] = "datum.value === 0 ? '0' : datum.label"
    name = escaped(key or field.name)
    shown = title(field) if title_ is None else title_
    return {"field": name, "type": "quantitative", "title": shown, "axis": axis, "scale": {"zero": zero, "nice": True}}


_END = 16
#   letters that stay at either end of a long label, since such names often differ at their end only
_ENDS = f"slice(datum.label, 0, {_END}) + '…' + slice(datum.label, -{_END})"
_MIDDLE_LEFT_OUT = f"length(datum.label) > {2 * _END} ? {_ENDS} : datum.label"


def named(field: Field, order: Sequence[str] | None, *, title_: str | None = None) -> Spec:
    """A discrete axis in a given order, its labels level where they fit."""
    axis: Spec = {"labelLimit": 220, "labelOverlap": True}
    if any(len(str(each)) > 2 * _END for each in field.known):
        axis["labelExpr"] = _MIDDLE_LEFT_OUT
    return {"field": escaped(field.name), "type": "nominal", "sort": order, "title": title_, "axis": axis}


def upright(field: Field, order: Sequence[str]) -> Spec:
    longest = max(map(len, order), default=0) * len(order)
    angle = 0 if longest * _LETTER <= WIDTH else _SLANT
    made = named(field, order, title_=None if field.role == "time" else title(field))
    return made | {"axis": {**made["axis"], "labelAngle": angle, **({"labelPadding": 4} if angle else {})}}


def time_axis(field: Field) -> Spec:
    """A continuous axis; a tick for each time where they are few, so that none is told twice."""
    axis: Spec = {"labelOverlap": True, "labelFlush": False, "grid": False}
    form = clock.axis_format(field.grain, field.ordered)
    if form:
        axis["format"] = form
    if field.grain != "time" and len(field.distinct) <= _MOST_TICKS:
        axis["values"] = list(field.ordered)
    return {"field": escaped(field.name), "type": "temporal", "title": None, "axis": axis}


def tooltip(*fields: Field | None, folded: Field | None = None) -> list[Spec]:
    shown: list[Spec] = []
    for field in fields:
        if field is None:
            continue
        told: Spec = {"field": escaped(field.name), "title": title(field)}
        if field.role == "measure":
            told |= {"type": "quantitative", "format": labels.value_format(field)}
        shown.append(told)
    if folded:
        shown += [
            {"field": MEASURE, "title": "Measure"},
            {"field": VALUE, "title": "Value", "type": "quantitative", "format": labels.value_format(folded)},
        ]
    return shown


def colored(field: Field | None, order: Sequence[str] = ()) -> Spec:
    if field is None:
        return {}
    return {"color": {"field": escaped(field.name), "type": "nominal", "sort": list(order), "title": title(field)}}


def texts(field: Field) -> list[str]:
    return [text_of(field, value) for value in field.ordered]


def with_texts(records: list[Record], *fields: Field | None) -> list[Record]:
    """The records with labels instead of the raw values of these dimensions."""
    chosen = [field for field in fields if field]
    return [{**each, **{field.name: text_of(field, each[field.name]) for field in chosen}} for each in records]
