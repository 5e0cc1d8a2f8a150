"""A chart in a notebook: drawn where Jupyter knows Vega-Lite, an image elsewhere."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.errors import InvalidInput

_VEGA_LITE = "application/vnd.vegalite.v6+json"
_FORMS = ("png", "svg", "json")


class Chart:
    """A Vega-Lite specification (`spec`) that shows itself."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec

    @property
    def kind(self) -> str:
        """line, bar, scatter, …: docs/charts.md lists them."""
        return str(self.spec["usermeta"]["kind"])

    def png(self, theme: Any = "light") -> bytes:
        """An image; `theme` is light or dark."""
        from pluto_duck_backend.agent.charting.images import image_of

        return image_of(self.spec, "png", theme)

    def svg(self, theme: Any = "light") -> str:
        """An image as text; `theme` is light or dark."""
        from pluto_duck_backend.agent.charting.images import image_of

        return image_of(self.spec, "svg", theme).decode()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, as its ending says: .png, .svg or .json."""
        import orjson

        form = Path(path).suffix.removeprefix(".")
        if form not in _FORMS:
            raise InvalidInput(
                f"{path} names no image. Endings: {', '.join(f'.{each}' for each in _FORMS)}.", code="unknown_format"
            )
        if form == "json":
            Path(path).write_bytes(orjson.dumps(self.spec))
        else:
            Path(path).write_bytes(self.png() if form == "png" else self.svg().encode())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from pluto_duck_backend.agent.charting.themes import themed

        return {_VEGA_LITE: themed(self.spec), "image/svg+xml": self.svg(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        title = self.spec.get("title", {}).get("text", "")
        return f"<Chart {self.kind}{': ' + title if title else ''}>"
