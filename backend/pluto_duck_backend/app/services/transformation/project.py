"""dbt projects on disk: the starter that ships with Pluto-Duck, and the one a data root uses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pluto_duck_backend
from pluto_duck_backend.app.core.errors import InternalFault, NotFound

_PACKAGE = Path(pluto_duck_backend.__file__).parent
_LEFT_OUT = shutil.ignore_patterns("target", "logs", "dbt_packages", ".user.yml", "__pycache__")


def starter_project() -> Path:
    """The starter project: inside the installed package, or beside `backend/` in a checkout."""
    for place in (_PACKAGE / "starter" / "dbt_project", _PACKAGE.parents[1] / "dbt_project"):
        if (place / "dbt_project.yml").is_file():
            return place
    raise InternalFault("The starter dbt project is missing from this installation.", hint="Reinstall pluto-duck.")


def copy_starter(target: Path) -> bool:
    """Copy the starter to `target`; a project that is there already is left alone. Whether it was copied."""
    if (target / "dbt_project.yml").exists():
        return False
    shutil.copytree(starter_project(), target, ignore=_LEFT_OUT, dirs_exist_ok=True)
    return True


def project_at(path: Path) -> Path:
    """`path` if it holds a dbt project. Raises NotFound."""
    if not (path / "dbt_project.yml").is_file():
        raise NotFound(
            f"There is no dbt project at {path}: dbt_project.yml is missing.",
            code="dbt_project_not_found",
            hint="`pluto-duck init` makes one there; or name yours with --project-dir or dbt.project_dir.",
        )
    return path
