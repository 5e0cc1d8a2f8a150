"""Which chart a result gets: every kind that fits its shape, and the best of them.

    asked for ─▶ one row ─▶ a place ─▶ a spread ─▶ two measures ─▶ by its dimensions: none, one or two

`spec.py` draws what is chosen here; tests/fixtures/charts/shapes.txt says what is right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from pluto_duck_backend.agent.charting.asked import Asked, Kind, is_about_parts, is_about_spread, is_about_two
from pluto_duck_backend.agent.charting.fields import Field
from pluto_duck_backend.agent.charting.shape import Shape

MOST_COLORS = 8
_MOST_SLICES = 8
_LEAST_LINE = 4
_LEAST_POINTS = 3
_LEAST_SPREAD = 20
_MOST_GROUPED = 4
_MOST_COLUMNS = 40
_SAME_SCALE = 20


@dataclass(frozen=True)
class Choice:
    """A kind with the columns on its channels. Several measures on one channel share its scale."""

    kind: Kind
    x: tuple[Field, ...] = ()
    y: tuple[Field, ...] = ()
    color: Field | None = None
    size: Field | None = None
    label: Field | None = None

    @property
    def measures(self) -> tuple[Field, ...]:
        return tuple(each for each in (*self.x, *self.y) if each.role == "measure")


def choose(question: str, shape: Shape, additive: Collection[str], asked: Asked | None) -> dict[Kind, Choice]:
    """All that fits, the best first; empty where a table says it better. `additive`: measures that may be summed."""
    if asked == "table" or not shape.n_rows:
        return {}
    fitting = {kind: made for kind, make in _MAKERS.items() if (made := make(shape, additive))}
    best = _asked(asked, fitting, shape) or _best(question, shape, fitting)
    return {best: fitting.pop(best), **fitting} if best else {}


def _asked(asked: Asked | None, fitting: Collection[Kind], shape: Shape) -> Kind | None:
    """The kind asked for, as far as it fits. Bars of times and orders stand upright."""
    if asked == "bar" and shape.dimensions and shape.dimensions[0].role in ("time", "order") and "column" in fitting:
        return "column"
    return next((kind for kind in fitting if kind == asked), None)


def _best(question: str, shape: Shape, fitting: Collection[Kind]) -> Kind | None:
    if shape.n_rows == 1:
        return _first(fitting, "number")
    if "map" in fitting:
        return "map"
    if is_about_spread(question) and "histogram" in fitting:
        return "histogram"
    if is_about_two(question) and "scatter" in fitting:
        return "scatter"
    by_dimensions = (_of_points, _of_one, _of_two)
    if len(shape.dimensions) >= len(by_dimensions):
        return None
    return by_dimensions[len(shape.dimensions)](question, shape, fitting)


def _of_points(question: str, shape: Shape, fitting: Collection[Kind]) -> Kind | None:
    return _first(fitting, "scatter", "histogram")


def _of_one(question: str, shape: Shape, fitting: Collection[Kind]) -> Kind | None:
    dimension = shape.dimensions[0]
    if not shape.is_keyed:
        return _first(fitting, "scatter")
    if dimension.role == "time" and len(dimension.distinct) >= _LEAST_LINE:
        return _first(fitting, "line", "column")
    if dimension.role in ("time", "order"):
        return _first(fitting, "column", "line")
    return _first(fitting, "grouped", "bar") if "grouped" in fitting else _first(fitting, "bar")


def _of_two(question: str, shape: Shape, fitting: Collection[Kind]) -> Kind | None:
    if not shape.is_keyed:
        return _first(fitting, "scatter")
    time = shape.time
    if time and is_about_parts(question) and "stacked" in fitting:
        return "stacked"
    if (time and len(time.distinct) >= _LEAST_LINE) or _is_year_and_cycle(shape):
        return _first(fitting, "line", "heatmap")
    if time:
        return _first(fitting, "grouped", "heatmap", "stacked")
    if all(each.role == "order" for each in shape.dimensions):
        return _first(fitting, "heatmap")
    return _first(fitting, "stacked", "grouped", "heatmap")


def _first(fitting: Collection[Kind], *wanted: Kind) -> Kind | None:
    return next((kind for kind in wanted if kind in fitting), None)


def _is_year_and_cycle(shape: Shape) -> bool:
    """Years beside months or weeks: one line a year."""
    roles = [each.role for each in shape.dimensions]
    return sorted(roles) == ["order", "time"] and shape.time is not None and shape.time.grain == "year"


# -- one function a kind: the columns on its channels, or None where it does not fit ---------------------------------


def _line(shape: Shape, additive: Collection[str]) -> Choice | None:
    if not (shape.measures and shape.is_keyed and len(shape.dimensions) <= 2 and shape.n_rows > 1):
        return None
    axis, color = _axis_and_color(shape)
    if color and len(color.distinct) > MOST_COLORS:
        return None
    return Choice("line", (axis,), _together(shape.measures, most=3) if not color else shape.measures[:1], color)


def _axis_and_color(shape: Shape) -> tuple[Field, Field | None]:
    """The dimension along the axis: the time, unless years are compared by their months; else the longer one."""
    first, *rest = shape.dimensions
    if not rest:
        return first, None
    pair = (first, rest[0])
    ranks = [_rank(shape, each) for each in pair]
    return pair if ranks[0] >= ranks[1] else (pair[1], pair[0])


def _rank(shape: Shape, field: Field) -> tuple[int, int]:
    roles = ("category", "time", "order") if _is_year_and_cycle(shape) else ("category", "order", "time")
    return roles.index(field.role), len(field.distinct)


def _area(shape: Shape, additive: Collection[str]) -> Choice | None:
    line = _line(shape, additive)
    if not line or len(line.y) > 1 or line.x[0].role == "category" or not _may_stack(line.y[0], additive):
        return None
    return Choice("area", line.x, line.y, line.color)


def _may_stack(measure: Field, additive: Collection[str]) -> bool:
    return measure.name in additive and not measure.has_negative


def _bar(shape: Shape, additive: Collection[str]) -> Choice | None:
    column = _column(shape, additive)
    return Choice("bar", column.y, column.x) if column else None


def _column(shape: Shape, additive: Collection[str]) -> Choice | None:
    if len(shape.dimensions) != 1 or not (shape.measures and shape.is_keyed and shape.n_rows > 1):
        return None
    return Choice("column", shape.dimensions, shape.measures[:1])


def _stacked(shape: Shape, additive: Collection[str]) -> Choice | None:
    pair = _crossed(shape)
    if not pair or not _may_stack(shape.measures[0], additive):
        return None
    return _upright_or_not("stacked", *pair, shape.measures[:1])


def _crossed(shape: Shape) -> tuple[Field, Field] | None:
    """Two dimensions, the one with fewer values for the colours."""
    if len(shape.dimensions) != 2 or not (shape.measures and shape.is_keyed and shape.n_rows > 2):
        return None
    axis, color = _axis_and_color(shape)
    assert color is not None
    if axis.role == "time" and len(axis.distinct) < _LEAST_LINE and len(color.distinct) > len(axis.distinct):
        axis, color = color, axis
    return (axis, color) if len(color.distinct) <= MOST_COLORS else None


def _upright_or_not(kind: Kind, axis: Field, color: Field | None, measures: tuple[Field, ...]) -> Choice:
    """Names lie beside their bars, where there is room to read them; times and orders run along the bottom."""
    return Choice(kind, measures, (axis,), color) if axis.role == "category" else Choice(kind, (axis,), measures, color)


def _grouped(shape: Shape, additive: Collection[str]) -> Choice | None:
    if len(shape.dimensions) == 1 and shape.is_keyed and shape.n_rows > 1:
        together = _together(shape.measures, most=_MOST_GROUPED)
        fits = len(together) > 1 and len(together) * shape.n_rows <= _MOST_COLUMNS
        return _upright_or_not("grouped", shape.dimensions[0], None, together) if fits else None
    pair = _crossed(shape)
    if not pair or len(pair[1].distinct) > _MOST_GROUPED or shape.n_rows > _MOST_COLUMNS:
        return None
    return _upright_or_not("grouped", *pair, shape.measures[:1])


def _together(measures: tuple[Field, ...], most: int) -> tuple[Field, ...]:
    """All measures where one scale serves them: the same sort of number, none dwarfed; else the first."""
    first = measures[0] if measures else None
    if first is None or len(measures) > most:
        return measures[:1]
    largest = [max(map(abs, each.known)) for each in measures]
    is_same_sort = all(each.is_whole == first.is_whole and each.share == first.share for each in measures)
    return measures if is_same_sort and max(largest) <= _SAME_SCALE * min(largest) else measures[:1]


def _pie(shape: Shape, additive: Collection[str]) -> Choice | None:
    bar = _bar(shape, additive)
    fits = bar and shape.n_rows <= _MOST_SLICES and not bar.x[0].has_negative and sum(bar.x[0].known) > 0
    return Choice("pie", y=bar.x, color=bar.y[0]) if bar and fits else None


def _scatter(shape: Shape, additive: Collection[str]) -> Choice | None:
    if len(shape.measures) < 2 or shape.n_rows < _LEAST_POINTS:
        return None
    first, second = shape.measures[:2]
    groups = [each for each in shape.dimensions if not each.is_unique and len(each.distinct) <= MOST_COLORS]
    label = next((each for each in shape.labels if each.is_unique), None)
    return Choice("scatter", (first,), (second,), groups[0] if groups else None, label=label)


def _heatmap(shape: Shape, additive: Collection[str]) -> Choice | None:
    if len(shape.dimensions) != 2 or not (shape.measures and shape.is_keyed and shape.n_rows > 2):
        return None
    x, y = _axis_and_color(shape)
    assert y is not None
    if x.role == "category":
        x, y = y, x
    return Choice("heatmap", (x,), (y,), shape.measures[0])


def _histogram(shape: Shape, additive: Collection[str]) -> Choice | None:
    if len(shape.measures) != 1 or shape.n_rows < _LEAST_SPREAD or len(shape.measures[0].distinct) < 2:
        return None
    return Choice("histogram", shape.measures)


def _map(shape: Shape, additive: Collection[str]) -> Choice | None:
    if not shape.place:
        return None
    lon, lat = shape.place
    size = next((each for each in shape.measures if _is_called_for(each)), None)
    return Choice("map", (lon,), (lat,), size=size, label=shape.labels[0] if shape.labels else None)


def _is_called_for(measure: Field) -> bool:
    """A circle's size shows what can be larger or smaller, not what is below zero."""
    return not measure.has_negative and bool(measure.known)


def _number(shape: Shape, additive: Collection[str]) -> Choice | None:
    if shape.n_rows != 1 or len(shape.measures) != 1 or len(shape.dimensions) > 1:
        return None
    return Choice("number", y=shape.measures, label=shape.dimensions[0] if shape.dimensions else None)


_MAKERS: dict[Kind, Callable[[Shape, Collection[str]], Choice | None]] = {
    "line": _line,
    "area": _area,
    "column": _column,
    "bar": _bar,
    "stacked": _stacked,
    "grouped": _grouped,
    "pie": _pie,
    "scatter": _scatter,
    "heatmap": _heatmap,
    "histogram": _histogram,
    "map": _map,
    "number": _number,
}
