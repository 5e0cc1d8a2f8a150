"""A chosen chart as a Vega-Lite specification: data inlined, honest scales, no colours of its own (`themes.py`).

`usermeta` tells readers that draw by themselves (the terminal) what is on which channel, and pages which other kinds
fit. What must stay true: bars, areas and slices begin at zero, and what is left out is told in the subtitle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pluto_duck_backend.agent.charting import labels
from pluto_duck_backend.agent.charting.channels import HEIGHT, MEASURE, VALUE, WIDTH, Spec, title
from pluto_duck_backend.agent.charting.choice import Choice
from pluto_duck_backend.agent.charting.fields import Field
from pluto_duck_backend.agent.charting.marks import MAKERS, Drawing

__all__ = ["Drawing", "Spec", "spec_of"]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


def spec_of(drawing: Drawing, heading: str, kinds: Sequence[str], notes: Sequence[str] = ()) -> Spec:
    """The whole specification; `kinds` are all that fit, `notes` lines of the subtitle."""
    choice = drawing.choice
    cut, body = MAKERS[choice.kind](drawing)
    return {
        "$schema": SCHEMA,
        **_heading(choice, heading, [*notes, *filter(None, [cut.note, _not_drawn(drawing)])]),
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": cut.records},
        **body,
        "usermeta": {"kind": choice.kind, "kinds": list(kinds), **_channels(choice)},
    }


def _heading(choice: Choice, heading: str, lines: list[str]) -> Spec:
    """A number says beneath itself what it is."""
    text = "" if choice.kind == "number" else heading
    return {"title": {"text": text, **({"subtitle": lines} if lines else {})}} if text or lines else {}


def _not_drawn(drawing: Drawing) -> str:
    """What has no measure, and so no mark."""
    if not (measures := drawing.choice.measures):
        return ""
    without = sum(all(each[measure.name] is None for measure in measures) for each in drawing.records)
    return f"{without:,} not drawn, without {title(measures[0]).lower()}" if without else ""


def _channels(choice: Choice) -> dict[str, Any]:
    """By channel: the record's key, its title and its format, for those who draw without Vega."""
    of_many = len(choice.measures) > 1 and choice.kind in ("line", "grouped")
    found = {}
    for channel in ("x", "y", "color", "size", "label"):
        on_it = getattr(choice, channel)
        field = on_it[0] if isinstance(on_it, tuple) and on_it else on_it
        if isinstance(field, Field):
            found[channel] = _channel(field, is_folded=of_many and field.role == "measure")
    return found | ({"color": {"field": MEASURE, "title": "", "role": "category"}} if of_many else {})


def _channel(field: Field, is_folded: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"field": VALUE if is_folded else field.name, "title": "" if is_folded else title(field)}
    if field.role == "time":
        told["grain"] = field.grain
    return told | {"role": field.role, "format": labels.value_format(field) if field.role == "measure" else ""}
