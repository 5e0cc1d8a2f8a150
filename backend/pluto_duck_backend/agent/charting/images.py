"""Charts as PNG and SVG, drawn in this process by vl-convert: loaded when first used, reaching no network."""

from __future__ import annotations

from typing import Any, Literal, get_args

from pluto_duck_backend.agent.charting.themes import Theme, themed

ImageForm = Literal["png", "svg"]
IMAGE_FORMS: tuple[ImageForm, ...] = get_args(ImageForm)
IMAGE_TYPES: dict[ImageForm, str] = {"png": "image/png", "svg": "image/svg+xml"}
_SCALE = 2.0


def image_of(spec: dict[str, Any], form: ImageForm, theme: Theme = "light") -> bytes:
    """The chart as an image."""
    import vl_convert

    drawn = themed(spec, theme)
    if form == "svg":
        return str(vl_convert.vegalite_to_svg(drawn, allowed_base_urls=[])).encode()
    return bytes(vl_convert.vegalite_to_png(drawn, scale=_SCALE, allowed_base_urls=[]))


def script() -> str:
    """The JavaScript that draws charts in a page: Vega, Vega-Lite and vega-embed as one script without imports."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vega = vega; window.vegaEmbed = vegaEmbed;"))
