"""Charts as PNG and SVG, drawn in this process by vl-convert: loaded when first used, reaching no network."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal

from pluto_duck_backend.agent.charting.themes import Theme, themed

ImageForm = Literal["png", "svg"]
IMAGE_TYPES: dict[ImageForm, str] = {"png": "image/png", "svg": "image/svg+xml"}
_SCALE = 2.0


def image_of(spec: dict[str, Any], form: ImageForm, theme: Theme = "light") -> bytes:
    """The chart as an image."""
    import vl_convert

    drawn = themed(spec, theme)
    if form == "svg":
        return str(vl_convert.vegalite_to_svg(drawn, allowed_base_urls=[])).encode()
    return bytes(vl_convert.vegalite_to_png(drawn, scale=_SCALE, allowed_base_urls=[]))


def script(folder: Path) -> Path:
    """The JavaScript that draws charts in a page: Vega, Vega-Lite and vega-embed as one file without imports.

    Bundling takes seconds, so it is done once for each version of the library and kept in `folder`.
    """
    path = folder / f"vega-{version('vl-convert-python')}.js"
    if not path.is_file():
        import vl_convert

        bundle = str(vl_convert.javascript_bundle("window.vega = vega; window.vegaEmbed = vegaEmbed;"))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=folder, suffix=".part", encoding="utf-8", delete=False) as part:
            part.write(bundle)
        Path(part.name).replace(path)
    return path
