"""Colours of a chart on light and on dark ground. The specification itself has none, so that a page can choose."""

from __future__ import annotations

from typing import Any, Literal

Theme = Literal["light", "dark"]

# Okabe and Ito's colours, which people who see few colours tell apart; lightened for dark ground.
_PALETTE: dict[Theme, list[str]] = {
    "light": ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f5539", "#6c757d"],
    "dark": ["#56b4e9", "#e69f00", "#2fc79a", "#e29bc4", "#f0e442", "#8ecae6", "#c9a27e", "#adb5bd"],
}
# From little to much, and from below to above: what is near nothing is near the ground.
_RAMP: dict[Theme, list[str]] = {
    "light": ["#eaf3fb", "#b3d3ea", "#66a9d4", "#1f78b4", "#08366b"],
    "dark": ["#1c2733", "#1f4e79", "#2b7bba", "#56b4e9", "#d6efff"],
}
_DIVERGING: dict[Theme, list[str]] = {
    "light": ["#a63603", "#f4a582", "#f2f2f2", "#92c5de", "#08519c"],
    "dark": ["#ffb07c", "#b3541e", "#21262d", "#2b7bba", "#9bd8ff"],
}
_INK: dict[Theme, str] = {"light": "#24292f", "dark": "#e6edf3"}
_PALE: dict[Theme, str] = {"light": "#57606a", "dark": "#9da7b3"}
_GRID: dict[Theme, str] = {"light": "#e4e7eb", "dark": "#30363d"}
GROUND: dict[Theme, str] = {"light": "#ffffff", "dark": "#0d1117"}


def themed(spec: dict[str, Any], theme: Theme = "light") -> dict[str, Any]:
    """The specification with a theme's colours."""
    return {**spec, "background": GROUND[theme], "padding": 12, "config": _config(theme)}


def _config(theme: Theme) -> dict[str, Any]:
    ink, pale, grid, palette = _INK[theme], _PALE[theme], _GRID[theme], _PALETTE[theme]
    words = {
        "labelColor": pale,
        "titleColor": pale,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
    }
    return {
        "font": "system-ui, 'DejaVu Sans', sans-serif",
        "view": {"stroke": None},
        "title": {
            "anchor": "start",
            "color": ink,
            "fontSize": 15,
            "subtitleColor": pale,
            "subtitleFontSize": 11,
            "offset": 14,
            "frame": "bounds",
        },
        "axis": {**words, "gridColor": grid, "domainColor": grid, "tickColor": grid},
        "axisBand": {"grid": False, "ticks": False},
        "legend": {**words, "labelLimit": 180},
        "range": {"category": palette, "heatmap": _RAMP[theme], "diverging": _DIVERGING[theme]},
        "mark": {"color": palette[0]},
        "text": {"color": ink},
        "arc": {"stroke": GROUND[theme]},
    }
