"""What is configured, which limits may be changed, and whether all is well."""

from __future__ import annotations

from fastapi import APIRouter, Response

from pluto_duck_backend.agent.doctor import examine
from pluto_duck_backend.agent.permits import may_configure
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.api.answers.setting_answers import Checks, Setting, SettingsTold
from pluto_duck_backend.app.api.models import SettingBody
from pluto_duck_backend.app.api.openapi import documented
from pluto_duck_backend.app.api.responses import as_json
from pluto_duck_backend.app.api.safety import Who
from pluto_duck_backend.app.core.settings_told import change, every


def router(workspace: Workspace) -> APIRouter:
    routes = APIRouter(prefix="/settings", tags=["settings"])
    settings = workspace.settings

    @routes.get("", responses=documented(model=SettingsTold))
    def told(who: Who) -> Response:
        """Every setting, its value and where it comes from; secrets are masked."""
        may_configure(who)
        found = [each.to_dict() for each in every(settings)]
        return as_json({"settings": found, "file": str(settings.paths.config_file)})

    @routes.patch("", responses=documented(404, 409, model=Setting))
    def set_one(body: SettingBody, who: Who) -> Response:
        """Change a limit, at once and in config.toml."""
        may_configure(who)
        return as_json(change(settings, body.name, body.value).to_dict())

    @routes.post("/checks", responses=documented(model=Checks))
    def checks(who: Who) -> Response:
        """What `pluto-duck doctor` finds."""
        may_configure(who)
        found = examine(settings, lambda: workspace.catalog_of(who).describe())
        return as_json({"checks": [vars(each) for each in found]})

    return routes
