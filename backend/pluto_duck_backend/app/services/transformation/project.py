"""dbt projects on disk: the starter that ships with Pluto-Duck, and the one a data root uses."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import yaml

import pluto_duck_backend
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InternalFault, NotFound

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


def project_name(project: Path) -> str:
    """What dbt_project.yml calls it."""
    return str(yaml.safe_load((project / "dbt_project.yml").read_text(encoding="utf-8"))["name"])


def write_new(project: Path, files: Mapping[str, str]) -> None:
    """Write all of these files, by their paths within the project, or none. Raises Conflict where one is there."""
    there = [name for name in files if (project / name).exists()]
    if there:
        raise Conflict(f"{project / there[0]} is there already.", code="asset_exists", hint="Choose another name.")
    written: list[Path] = []
    try:
        for name, text in files.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            written.append(path)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise EnvironmentFault(
            f"{error.filename or project} cannot be written: {error.strerror or error}", code="cannot_write"
        ) from error
