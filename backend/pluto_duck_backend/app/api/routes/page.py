"""The page and all it is made of, served out of memory: no thread and no disk, so that nothing else holds it up."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse

import pluto_duck_backend.app.web as web
from pluto_duck_backend.agent.charting.images import script
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.problems import problem

_FOLDER = Path(web.__file__).parent
_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_FROM_HERE = "default-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_KEPT = "max-age=86400"
_HEADERS = {
    "Content-Security-Policy": _FROM_HERE,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter()
    files = {path.name: path.read_bytes() for path in _FOLDER.iterdir() if path.suffix in _TYPES}

    def sent(name: str) -> Response:
        workspace.warming.served()
        return Response(files[name], headers=_HEADERS, media_type=_TYPES[Path(name).suffix])

    @routes.get("/", include_in_schema=False)
    async def page() -> Response:
        return sent("index.html")

    @routes.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return sent("docs.html")

    @routes.get("/web/vega.js", include_in_schema=False)
    def vega() -> Response:
        """What draws charts, out of the wheel that ships it."""
        bundle = script(workspace.paths.page)
        return FileResponse(bundle, media_type="text/javascript", headers={**_HEADERS, "Cache-Control": _KEPT})

    @routes.get("/web/{name}", include_in_schema=False)
    async def asset(name: str) -> Response:
        if name not in files or name.endswith(".html"):
            return problem(404, "no_such_path", f"The page has no file {name!r}.", instance=f"/web/{name}")
        return sent(name)

    return routes
