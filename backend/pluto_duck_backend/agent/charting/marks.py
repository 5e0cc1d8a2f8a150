"""The marks of each kind of chart: one function a kind, from a drawing to its records and its body in Vega-Lite.

What must stay true: bars, areas and slices begin at zero, and what is left out is told by the cut.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from pluto_duck_backend.agent.charting import cutting, labels, places
from pluto_duck_backend.agent.charting import times as clock
from pluto_duck_backend.agent.charting.channels import (
    MEASURE,
    VALUE,
    WIDTH,
    Spec,
    amount,
    colored,
    escaped,
    named,
    texts,
    time_axis,
    title,
    tooltip,
    upright,
    with_texts,
)
from pluto_duck_backend.agent.charting.choice import Choice
from pluto_duck_backend.agent.charting.cutting import Cut, Record
from pluto_duck_backend.agent.charting.fields import Field
from pluto_duck_backend.agent.charting.shape import is_sorted

_BAR_STEP = 24
_MOST_LABELLED = 20
_MOST_DOTS = 40
_WIDEST = 900
_HALF = 0.5
_WIDEST_COLUMN = 90


@dataclass(frozen=True)
class Drawing:
    """What is drawn: a choice, its records, and what of the whole they are."""

    choice: Choice
    records: list[Record]
    total: int
    #   rows of the whole result
    additive: Collection[str]


def _line(drawing: Drawing) -> tuple[Cut, Spec]:
    choice, (axis, *_) = drawing.choice, drawing.choice.x
    records, value, color = _series(drawing)
    cut = Cut(records) if color else cutting.line(records, axis.name, value)
    if not _is_on_a_clock(axis):
        cut = Cut(with_texts(cut.records, axis), cut.note)
    mark = {"type": "line", "point": len(axis.distinct) <= _MOST_DOTS, "interpolate": "linear"}
    encoding = {"x": _across(axis), "y": _height(choice.y, value), **color, "tooltip": _line_told(choice, axis, value)}
    return cut, {"mark": mark, "encoding": encoding}


def _series(drawing: Drawing) -> tuple[list[Record], str, Spec]:
    """The records, which of their values is drawn, and what colours the lines."""
    choice = drawing.choice
    if len(choice.y) > 1:
        return _folded(drawing), VALUE, _fold_color(choice.y)
    color = colored(choice.color, texts(choice.color) if choice.color else ())
    return with_texts(drawing.records, choice.color), choice.y[0].name, color


def _height(measures: Sequence[Field], value: str) -> Spec:
    """From zero where the least is not far above it."""
    known = [each for measure in measures for each in measure.known]
    zero = min(known) <= _HALF * max(known)
    return amount(measures[0], key=value, zero=zero, title_=None if len(measures) == 1 else "")


def _line_told(choice: Choice, axis: Field, value: str) -> list[Spec]:
    told = tooltip(axis, folded=choice.y[0]) if value == VALUE else tooltip(axis, choice.color, *choice.y)
    if _is_on_a_clock(axis):
        told[0] |= {"type": "temporal", "format": clock.tooltip_format(axis.grain)}
    return told


def _is_on_a_clock(axis: Field) -> bool:
    """Whether it is drawn as time goes; quarters have no format there."""
    return axis.role == "time" and axis.grain != "quarter"


def _across(axis: Field) -> Spec:
    return time_axis(axis) if _is_on_a_clock(axis) else upright(axis, texts(axis))


def _folded(drawing: Drawing) -> list[Record]:
    """A record for each measure of each row."""
    measures = drawing.choice.measures
    others = [{key: each[key] for key in each if key not in {m.name for m in measures}} for each in drawing.records]
    return [
        {**rest, MEASURE: title(measure), VALUE: row[measure.name]}
        for rest, row in zip(others, drawing.records, strict=True)
        for measure in measures
    ]


def _fold_color(measures: Sequence[Field]) -> Spec:
    order = [title(each) for each in measures]
    return {"color": {"field": MEASURE, "type": "nominal", "sort": order, "title": None}}


def _area(drawing: Drawing) -> tuple[Cut, Spec]:
    choice, (axis, *_) = drawing.choice, drawing.choice.x
    records = with_texts(drawing.records, choice.color, None if _is_on_a_clock(axis) else axis)
    encoding = {
        "x": _across(axis),
        "y": {**amount(choice.y[0]), "stack": "zero"},
        **colored(choice.color, texts(choice.color) if choice.color else ()),
        "tooltip": tooltip(choice.color, *choice.y),
    }
    return Cut(records), {"mark": {"type": "area", "line": False, "opacity": 0.85}, "encoding": encoding}


def _bar(drawing: Drawing) -> tuple[Cut, Spec]:
    (measure,), (name,) = drawing.choice.x, drawing.choice.y
    records = _ranked(with_texts(drawing.records, name), name, measure)
    cut = cutting.ranking(
        records, name.name, measure.name, can_add=measure.name in drawing.additive, total=drawing.total
    )
    y = named(name, None)
    base = {"y": y, "x": amount(measure), "tooltip": tooltip(name, measure)}
    return cut, {"height": {"step": _BAR_STEP}, **_with_value_labels(base, measure, cut)}


def _ranked(records: list[Record], name: Field, measure: Field) -> list[Record]:
    """The order of the result where it has one, its own order, else the largest first."""
    if is_sorted(measure):
        return records
    if name.role in ("time", "order"):
        place = {text: n for n, text in enumerate(texts(name))}
        return sorted(records, key=lambda each: place[each[name.name]])
    return sorted(records, key=lambda each: (each[measure.name] is None, -(each[measure.name] or 0)))


def _with_value_labels(encoding: Spec, measure: Field, cut: Cut) -> Spec:
    """Bars with their values at their ends, where there is room for them; the rest of a ranking is pale."""
    bar: Spec = {"mark": {"type": "bar", "cornerRadiusEnd": 2}, "encoding": dict(encoding)}
    if any(cutting.OTHERS in each for each in cut.records):
        bar["encoding"]["opacity"] = {"condition": {"test": f"datum.{cutting.OTHERS}", "value": 0.45}, "value": 1}
    if len(cut.records) > _MOST_LABELLED or measure.has_negative:
        return bar
    text = {"field": escaped(measure.name), "type": "quantitative", "format": labels.bar_format(measure)}
    mark = {"type": "text", "baseline": "middle", "align": "left", "dx": 4}
    return {"layer": [bar, {"mark": mark, "encoding": {"y": encoding["y"], "x": encoding["x"], "text": text}}]}


def _column(drawing: Drawing) -> tuple[Cut, Spec]:
    (name,), (measure,) = drawing.choice.x, drawing.choice.y
    records = with_texts(drawing.records, name)
    if name.role == "category":
        cut = cutting.ranking(
            _ranked(records, name, measure),
            name.name,
            measure.name,
            can_add=measure.name in drawing.additive,
            total=drawing.total,
        )
        order = [each[name.name] for each in cut.records]
    else:
        cut, order = Cut(records), texts(name)
    encoding = {"x": upright(name, order), "y": amount(measure), "tooltip": tooltip(name, measure)}
    width = min(WIDTH, len(order) * _WIDEST_COLUMN)
    return cut, {"width": width, "mark": {"type": "bar", "cornerRadiusEnd": 2}, "encoding": encoding}


def _stacked(drawing: Drawing) -> tuple[Cut, Spec]:
    return _split_bars(drawing, offset=False)


def _grouped(drawing: Drawing) -> tuple[Cut, Spec]:
    return _split_bars(drawing, offset=True)


def _split_bars(drawing: Drawing, *, offset: bool) -> tuple[Cut, Spec]:
    """Bars of several colours: one upon the other, or side by side."""
    choice = drawing.choice
    is_upright = choice.y[0].role == "measure"
    axis, measure = (choice.x[0], choice.y[0]) if is_upright else (choice.y[0], choice.x[0])
    many = choice.measures if len(choice.measures) > 1 else ()
    records = with_texts(_folded(drawing) if many else drawing.records, axis, choice.color)
    color = _fold_color(many) if many else colored(choice.color, texts(choice.color) if choice.color else ())
    order = texts(axis) if axis.role != "category" else _by_total(records, axis.name, VALUE if many else measure.name)
    length = amount(measure, key=VALUE if many else "", title_="" if many else None)
    told = tooltip(axis, folded=measure) if many else tooltip(axis, choice.color, measure)
    encoding: Spec = {**color, "tooltip": told, "order": {"value": 0}}
    encoding |= {"x": upright(axis, order), "y": length} if is_upright else {"y": named(axis, order), "x": length}
    size: Spec = {} if is_upright else {"height": {"step": _BAR_STEP}}
    if offset:
        del encoding["order"]
        encoding["xOffset" if is_upright else "yOffset"] = {
            "field": color["color"]["field"],
            "sort": color["color"]["sort"],
        }
        size = {} if is_upright else {"height": {"step": 14, "for": "offset"}}
    return Cut(records), {**size, "mark": {"type": "bar"}, "encoding": encoding}


def _by_total(records: list[Record], name: str, value: str) -> list[str]:
    totals: dict[str, float] = {}
    for each in records:
        totals[each[name]] = totals.get(each[name], 0) + (each[value] or 0)
    return sorted(totals, key=lambda key: -totals[key])


def _pie(drawing: Drawing) -> tuple[Cut, Spec]:
    (measure,), name = drawing.choice.y, drawing.choice.color
    assert name is not None
    records = sorted(with_texts(drawing.records, name), key=lambda each: -(each[measure.name] or 0))
    encoding = {
        "theta": {"field": escaped(measure.name), "type": "quantitative", "stack": True},
        **colored(name, [each[name.name] for each in records]),
        "order": {"field": escaped(measure.name), "sort": "descending"},
        "tooltip": tooltip(name, measure),
    }
    return Cut(records), {"mark": {"type": "arc", "innerRadius": 60}, "encoding": encoding}


def _scatter(drawing: Drawing) -> tuple[Cut, Spec]:
    choice = drawing.choice
    cut = cutting.points(with_texts(drawing.records, choice.color))
    encoding = {
        "x": amount(choice.x[0], zero=False),
        "y": amount(choice.y[0], zero=False),
        **colored(choice.color, texts(choice.color) if choice.color else ()),
        "tooltip": tooltip(choice.label, choice.color, *choice.x, *choice.y),
    }
    return cut, {"mark": {"type": "point", "filled": True, "opacity": 0.6, "size": 45}, "encoding": encoding}


def _heatmap(drawing: Drawing) -> tuple[Cut, Spec]:
    (x,), (y,), measure = drawing.choice.x, drawing.choice.y, drawing.choice.color
    assert measure is not None
    cut = cutting.heat(with_texts(drawing.records, x, y), y.name, measure.name)
    rows = [text for text in texts(y) if any(each[y.name] == text for each in cut.records)]
    scale = {"domainMid": 0} if measure.has_negative else {"zero": True}
    legend = {"format": labels.axis_format(measure)}
    color = {"field": escaped(measure.name), "type": "quantitative", "title": title(measure), "scale": scale}
    encoding = {
        "x": upright(x, texts(x)),
        "y": named(y, rows),
        "color": {**color, "legend": legend},
        "tooltip": tooltip(x, y, measure),
    }
    width = max(WIDTH, min(_WIDEST, len(x.distinct) * 12))
    return cut, {"width": width, "height": {"step": 18}, "mark": "rect", "encoding": encoding}


def _histogram(drawing: Drawing) -> tuple[Cut, Spec]:
    (measure,) = drawing.choice.x
    x = amount(measure, zero=False) | {"bin": {"maxbins": 25}}
    count = {"aggregate": "count", "title": "Number of rows", "axis": {"tickCount": 5, "format": ",~f"}}
    records = [{measure.name: each[measure.name]} for each in drawing.records]
    return Cut(records), {"mark": "bar", "encoding": {"x": x, "y": count, "tooltip": [{"aggregate": "count"}]}}


def _map(drawing: Drawing) -> tuple[Cut, Spec]:
    (lon,), (lat,), size = drawing.choice.x, drawing.choice.y, drawing.choice.size
    known = [each for each in drawing.records if each[lon.name] is not None and each[lat.name] is not None]
    cut = cutting.points(known)
    encoding: Spec = {
        "longitude": {"field": escaped(lon.name), "type": "quantitative"},
        "latitude": {"field": escaped(lat.name), "type": "quantitative"},
        "tooltip": tooltip(drawing.choice.label, size, lat, lon),
    }
    if size:
        encoding["size"] = {"field": escaped(size.name), "type": "quantitative", "title": title(size)}
    dots = {"mark": {"type": "circle", "opacity": 0.7, **({} if size else {"size": 60})}, "encoding": encoding}
    grid = places.grid([each[lon.name] for each in known], [each[lat.name] for each in known])
    return cut, {"height": 360, "projection": {"type": "mercator"}, "layer": [*grid, dots]}


def _number(drawing: Drawing) -> tuple[Cut, Spec]:
    (measure,), name = drawing.choice.y, drawing.choice.label
    records = with_texts(drawing.records, name)
    said = [title(measure), *([records[0][name.name]] if name else [])]
    big = {"mark": {"type": "text", "fontSize": 52, "fontWeight": "bold", "dy": -8}}
    text = {"text": {"field": escaped(measure.name), "type": "quantitative", "format": labels.value_format(measure)}}
    small = {"mark": {"type": "text", "fontSize": 15, "dy": 34, "text": " · ".join(reversed(said))}}
    return Cut(records), {"width": 320, "height": 130, "layer": [{**big, "encoding": text}, small]}


MAKERS: dict[str, Callable[[Drawing], tuple[Cut, Spec]]] = {
    "line": _line,
    "area": _area,
    "bar": _bar,
    "column": _column,
    "stacked": _stacked,
    "grouped": _grouped,
    "pie": _pie,
    "scatter": _scatter,
    "heatmap": _heatmap,
    "histogram": _histogram,
    "map": _map,
    "number": _number,
}
