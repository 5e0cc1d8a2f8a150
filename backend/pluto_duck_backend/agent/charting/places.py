"""The ground of a map: meridians and parallels around the points, with their degrees. No tiles, no network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30)
_LINES = 7
_POLE = 80.0
_BENDS = 24


def grid(longitudes: Sequence[float], latitudes: Sequence[float]) -> list[dict[str, Any]]:
    """The layers below the points: lines, and the degrees at their ends."""
    if not longitudes:
        return []
    step = _step(max(max(longitudes) - min(longitudes), max(latitudes) - min(latitudes)))
    across, along = _marks(longitudes, step, 180), _marks(latitudes, step, _POLE)
    lines = [_line([(lon, lat) for lat in _between(along)]) for lon in across]
    lines += [_line([(lon, lat) for lon in _between(across)]) for lat in along]
    degrees = [{"lon": lon, "lat": along[0], "text": _degrees(lon, "EW")} for lon in across[1:-1]]
    sides = [{"lon": across[0], "lat": lat, "text": _degrees(lat, "NS")} for lat in along[1:-1]]
    stroke = {"type": "geoshape", "filled": False, "stroke": "#8886", "strokeWidth": 0.7}
    return [
        {"data": {"values": lines}, "mark": stroke},
        _texts(degrees, {"baseline": "top", "dy": 4}),
        _texts(sides, {"align": "right", "dx": -4}),
    ]


def _step(span: float) -> float:
    return next((step for step in _STEPS if span / step <= _LINES), _STEPS[-1])


def _marks(values: Sequence[float], step: float, limit: float) -> list[float]:
    """Round degrees around all values."""
    first, last = math.floor(min(values) / step), math.ceil(max(values) / step)
    last = max(last, first + 1)
    return [max(-limit, min(limit, round(n * step, 6))) for n in range(first, last + 1)]


def _between(marks: Sequence[float]) -> list[float]:
    """Enough points that a projection can bend the line."""
    low, high = marks[0], marks[-1]
    return [low + (high - low) * n / _BENDS for n in range(_BENDS + 1)]


def _line(points: list[tuple[float, float]]) -> dict[str, Any]:
    return {"type": "Feature", "geometry": {"type": "LineString", "coordinates": points}}


def _degrees(value: float, sides: str) -> str:
    return f"{abs(value):g}°{'' if not value else sides[0] if value > 0 else sides[1]}"


def _texts(records: list[dict[str, Any]], place: dict[str, Any]) -> dict[str, Any]:
    encoding = {
        "longitude": {"field": "lon", "type": "quantitative"},
        "latitude": {"field": "lat", "type": "quantitative"},
        "text": {"field": "text"},
    }
    return {
        "data": {"values": records},
        "mark": {"type": "text", "fontSize": 10, "opacity": 0.7, **place},
        "encoding": encoding,
    }
