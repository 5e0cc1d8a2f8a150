"""Ask your data from Python: `duck = pluto_duck.connect(); a = duck.ask("revenue by month"); a.df()`.

For scripts and notebooks; docs/python.md shows it. Importing it costs nothing: libraries load when they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pluto_duck.answer import Answer
    from pluto_duck.boards import Board, Boards, Tile
    from pluto_duck.chart import Chart
    from pluto_duck.duck import Duck, connect

__all__ = ["Answer", "Board", "Boards", "Chart", "Duck", "Tile", "connect"]

_PLACES = {
    "Answer": "pluto_duck.answer",
    "Board": "pluto_duck.boards",
    "Boards": "pluto_duck.boards",
    "Chart": "pluto_duck.chart",
    "Duck": "pluto_duck.duck",
    "Tile": "pluto_duck.boards",
    "connect": "pluto_duck.duck",
}


def __getattr__(name: str) -> object:
    """The names above, loaded when first asked for."""
    from importlib import import_module

    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'pluto_duck' has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return __all__
