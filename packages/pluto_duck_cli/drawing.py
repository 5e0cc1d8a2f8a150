"""Charts in a terminal, drawn from the specification that the page draws: its records, and `usermeta` for the channels.

What must stay true: bars begin at zero, nothing is wider than asked, and series can be told apart without colours.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from pluto_duck_cli.canvas import Canvas

Spec = dict[str, Any]
Record = dict[str, Any]
_COLORS = ("blue", "yellow", "green", "magenta", "red", "cyan", "bright_black", "white")
_FILLS = "█▓▒░▚▞▖▘"
_EIGHTHS = "▏▎▍▌▋▊▉█"
_SHADES = " ░▒▓█"
_HEIGHT = 10
_LEAST_WIDTH = 24
_BINS = 12


def drawn(spec: Spec | None, width: int) -> Text | None:
    """The chart, at most `width` columns wide; None where there is none, or no room."""
    meta = spec["usermeta"] if spec else {}
    draw = _DRAWERS.get(meta.get("kind", ""))
    if not spec or not draw or width < _LEAST_WIDTH:
        return None
    text = Text(no_wrap=True, overflow="crop")
    for line in (spec.get("title", {}).get("text"), *spec.get("title", {}).get("subtitle", ())[1:]):
        text.append(f"{_cut(line, width)}\n", "bold" if not text else "dim") if line else None
    draw(text, spec["data"]["values"], meta, width)
    text.rstrip()
    return text


def number(value: Any) -> str:
    """A value beside its bar: short."""
    if value is None:
        return "–"
    for limit, sign in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            return f"{value / (1e3 if sign == 'k' else limit):.3g}{sign}"
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:,.2f}".rstrip("0").rstrip(".")


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def _moment(value: Any, grain: str = "") -> str:
    """A time as its column is fine; other labels as they are."""
    if not grain or value is None:
        return "(none)" if value is None else str(value)
    try:
        moment = dt.datetime.fromisoformat(value)
    except ValueError:
        return str(value)
    form = {"year": "%Y", "month": "%b %Y", "quarter": "%b %Y", "day": "%-d %b %Y"}.get(grain, "%-d %b %H:%M")
    return moment.strftime(form)


# -- bars ---------------------------------------------------------------------


def _bars(text: Text, records: Sequence[Record], meta: Spec, width: int) -> None:
    name, value = _name_and_value(meta)
    pairs = [(_moment(each[name["field"]], ""), each[value["field"]]) for each in records]
    _rows_of_bars(text, pairs, width)


def _name_and_value(meta: Spec) -> tuple[Spec, Spec]:
    channels = [meta[each] for each in ("x", "y", "color") if each in meta]
    value = next(each for each in channels if each["role"] == "measure")
    return next(each for each in channels if each["role"] != "measure"), value


def _rows_of_bars(text: Text, pairs: Sequence[tuple[str, Any]], width: int, color: str = _COLORS[0]) -> None:
    values = [number(value) for _, value in pairs]
    left = min(max((cell_len(name) for name, _ in pairs), default=0), width // 3)
    right = max(map(len, values), default=0)
    most = max((abs(value or 0) for _, value in pairs), default=0)
    room = max(width - left - right - 3, 4)
    for (name, value), said in zip(pairs, values, strict=True):
        text.append(f"{set_cell_size(_cut(name, left), left)} ")
        bar = _bar(abs(value or 0), most, room)
        text.append(bar, "red" if (value or 0) < 0 else color)
        text.append(f" {said}\n", "dim")


def _bar(value: float, most: float, room: int) -> str:
    eighths = round(value / most * room * 8) if most else 0
    whole, rest = divmod(eighths, 8)
    return _EIGHTHS[-1] * whole + (_EIGHTHS[rest - 1] if rest else "" if whole else "▏")


def _split(meta: Spec) -> tuple[Spec, Spec, Spec]:
    """What is measured, what names the bars, what splits them."""
    on = [meta[each] for each in ("x", "y")]
    value = next(each for each in on if each["role"] == "measure")
    return value, next(each for each in on if each["role"] != "measure"), meta["color"]


def _stacked(text: Text, records: Sequence[Record], meta: Spec, width: int) -> None:
    """Segments of one bar a name; each series has a fill of its own."""
    value, axis, color = _split(meta)
    names, series = _distinct(records, axis["field"]), _distinct(records, color["field"])
    sums = {name: sum(e[value["field"]] or 0 for e in records if e[axis["field"]] == name) for name in names}
    left, most = min(max(cell_len(str(name)) for name in names), width // 3), max(sums.values(), default=0) or 1
    room = max(width - left - 10, 4)
    _legend(text, series, width)
    for name in names:
        text.append(f"{set_cell_size(_cut(str(name), left), left)} ")
        _segments(text, [_sum(records, axis, name, color, each, value) for each in series], most, room)
        text.append(f" {number(sums[name])}\n", "dim")


def _segments(text: Text, values: Sequence[float], most: float, room: int) -> None:
    """One beside the other, each as long as its share of the longest bar."""
    done = 0.0
    for n, value in enumerate(values):
        before, done = round(done / most * room), done + value
        text.append(_FILLS[n % len(_FILLS)] * (round(done / most * room) - before), _COLORS[n % len(_COLORS)])


def _sum(records: Sequence[Record], axis: Spec, name: Any, color: Spec, series: Any, value: Spec) -> float:
    here = (each for each in records if each[axis["field"]] == name and each[color["field"]] == series)
    return float(sum(each[value["field"]] or 0 for each in here))


def _distinct(records: Sequence[Record], field: str) -> list[Any]:
    return list(dict.fromkeys(each[field] for each in records))


def _legend(text: Text, series: Sequence[Any], width: int) -> None:
    if len(series) < 2:
        return
    used = 0
    for n, each in enumerate(series):
        shown = f"{_FILLS[n % len(_FILLS)]} {_cut(str(each), width - 3)}  "
        if used and used + cell_len(shown) > width:
            text.append("\n")
            used = 0
        text.append(shown, _COLORS[n % len(_COLORS)])
        used += cell_len(shown)
    text.append("\n")


def _grouped(text: Text, records: Sequence[Record], meta: Spec, width: int) -> None:
    value, axis, color = _split(meta)
    pairs = [(f"{each[axis['field']]} · {each[color['field']]}", each[value["field"]]) for each in records]
    _rows_of_bars(text, pairs, width)


def _histogram(text: Text, records: Sequence[Record], meta: Spec, width: int) -> None:
    values = [each[meta["x"]["field"]] for each in records if each[meta["x"]["field"]] is not None]
    low, high = min(values), max(values)
    step = (high - low) / _BINS or 1
    counts = [0] * _BINS
    for value in values:
        counts[min(int((value - low) / step), _BINS - 1)] += 1
    pairs = [(f"{number(low + n * step)} – {number(low + (n + 1) * step)}", count) for n, count in enumerate(counts)]
    _rows_of_bars(text, pairs, width)


# -- points and lines ---------------------------------------------------------------------


def _lines(text: Text, records: Sequence[Record], meta: Spec, width: int) -> None:
    _plotted(text, records, meta, width, joined=True)


def _points(text: Text, records: Sequence[Record], meta: Spec, width: int) -> None:
    _plotted(text, records, meta, width, joined=False)


def _plotted(text: Text, records: Sequence[Record], meta: Spec, width: int, *, joined: bool) -> None:
    """Dots on a canvas between the least and the greatest, which stand at its edges."""
    x, y, color = meta["x"], meta["y"], meta.get("color")
    known = [each for each in records if each[x["field"]] is not None and each[y["field"]] is not None]
    series = _distinct(known, color["field"]) if color else [None]
    at = _positions([each[x["field"]] for each in known], x)
    values = [each[y["field"]] for each in known]
    low, high = min(values), max(values)
    low = 0 if joined and 0 <= low <= high / 2 else low
    edge = max(len(number(low)), len(number(high)))
    canvas = Canvas(width - edge - 2, _HEIGHT)
    last: dict[Any, tuple[float, float]] = {}
    for each in sorted(known, key=lambda each: at[each[x["field"]]]):
        key = each[color["field"]] if color else None
        here = (at[each[x["field"]]], (each[y["field"]] - low) / ((high - low) or 1))
        canvas.line(last.get(key, here) if joined else here, here, series.index(key))
        last[key] = here
    _legend(text, series, width)
    _framed(text, canvas, number(low), number(high))
    _below(text, sorted(at, key=lambda each: at[each]), x, edge + 2, width)


def _framed(text: Text, canvas: Canvas, low: str, high: str) -> None:
    """The canvas with the least and the greatest at its left edge."""
    edge = max(len(low), len(high))
    for n, row in enumerate(canvas.rows()):
        side = high if n == 0 else low if n == _HEIGHT - 1 else ""
        text.append(f"{side:>{edge}} ┤", "dim")
        for shown, which in row:
            text.append(shown, _COLORS[which % len(_COLORS)] if which >= 0 else "")
        text.append("\n")


def _positions(values: Sequence[Any], channel: Spec) -> dict[Any, float]:
    """Where each x lies between 0 and 1: times and numbers by their distance, names one after the other."""
    distinct = list(dict.fromkeys(values))
    if channel.get("grain"):
        places = [
            dt.datetime.fromisoformat(each).timestamp() if _is_time(each) else float(n)
            for n, each in enumerate(distinct)
        ]
    elif channel["role"] == "measure" or channel["role"] in ("latitude", "longitude"):
        places = [float(each) for each in distinct]
    else:
        places = [float(n) for n in range(len(distinct))]
    low, high = min(places), max(places)
    return {each: (place - low) / ((high - low) or 1) for each, place in zip(distinct, places, strict=True)}


def _is_time(value: Any) -> bool:
    return isinstance(value, str) and value[10:11] == "T"


def _below(text: Text, ordered: Sequence[Any], channel: Spec, indent: int, width: int) -> None:
    first, last = (_label(each, channel) for each in (ordered[0], ordered[-1]))
    gap = width - indent - cell_len(first) - cell_len(last)
    text.append(" " * indent + (f"{first}{' ' * gap}{last}" if gap > 0 else _cut(first, width - indent)) + "\n", "dim")


def _label(value: Any, channel: Spec) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool) and channel["role"] != "order":
        return number(value)
    return _moment(value, channel.get("grain", "") if _is_time(value) else "")


def _heat(text: Text, records: Sequence[Record], meta: Spec, width: int) -> None:
    x, y, value = (meta[each]["field"] for each in ("x", "y", "color"))
    columns, rows = _distinct(records, x), _distinct(records, y)
    cells = {(each[y], each[x]): each[value] for each in records}
    most = max((abs(each or 0) for each in cells.values()), default=0) or 1
    left = min(max(cell_len(str(each)) for each in rows), width // 3)
    size = max(1, min(4, (width - left - 1) // len(columns)))
    for row in rows:
        text.append(f"{set_cell_size(_cut(str(row), left), left)} ")
        for column in columns[: width - left - 1]:
            shade = _SHADES[round(abs(cells.get((row, column)) or 0) / most * (len(_SHADES) - 1))]
            text.append(shade * size, _COLORS[0])
        text.append("\n")
    _below(text, columns, meta["x"], left + 1, min(width, left + 1 + size * len(columns)))


_DRAWERS: dict[str, Callable[[Text, Sequence[Record], Spec, int], None]] = {
    "bar": _bars,
    "column": _bars,
    "pie": _bars,
    "stacked": _stacked,
    "grouped": _grouped,
    "histogram": _histogram,
    "line": _lines,
    "area": _lines,
    "scatter": _points,
    "map": _points,
    "heatmap": _heat,
}
