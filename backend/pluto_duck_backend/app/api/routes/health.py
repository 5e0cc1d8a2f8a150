"""Whether the server is up, and the page."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Response
from fastapi.responses import FileResponse

import pluto_duck_backend.app.web as web
from pluto_duck_backend import __version__
from pluto_duck_backend.agent.charting.images import script
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers import Health
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.problems import problem
from pluto_duck_backend.app.api.responses import as_json

_PAGE = Path(web.__file__).parent
_FROM_HERE = "default-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_KEPT = "max-age=86400"
_HEADERS = {
    "Content-Security-Policy": _FROM_HERE,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter()

    @routes.get("/health", tags=["health"], responses=documented(model=Health))
    def health() -> Response:
        """`ok` while the warehouse answers."""
        with workspace.warehouse.read() as session:
            session.row("SELECT 1")
        return as_json({"status": "ok", "version": __version__, "warehouse": str(workspace.paths.warehouse)})

    @routes.get("/", include_in_schema=False)
    def page() -> Response:
        return FileResponse(_PAGE / "index.html", headers=_HEADERS)

    @routes.get("/docs", include_in_schema=False)
    def docs() -> Response:
        return FileResponse(_PAGE / "docs.html", headers=_HEADERS)

    @routes.get("/web/vega.js", include_in_schema=False)
    def vega() -> Response:
        """What draws charts, out of the wheel that ships it."""
        bundle = script(workspace.paths.page)
        return FileResponse(bundle, media_type="text/javascript", headers={**_HEADERS, "Cache-Control": _KEPT})

    @routes.get("/web/{name}", include_in_schema=False)
    def asset(name: str) -> Response:
        known = {path.name: path for path in _PAGE.glob("*") if path.suffix in (".js", ".css")}
        if name not in known:
            return problem(404, "no_such_path", f"The page has no file {name!r}.", instance=f"/web/{name}")
        return FileResponse(known[name], headers=_HEADERS)

    return routes
