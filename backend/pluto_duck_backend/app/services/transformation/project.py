"""dbt projects on disk: the one that ships with Pluto-Duck, and the one a data root uses.

What ships is the demo's project. A new root begins with the part of it that knows no table: `copy_starter`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import yaml

import pluto_duck_backend
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InternalFault, NotFound
from pluto_duck_backend.app.core.paths import Paths

_PACKAGE = Path(pluto_duck_backend.__file__).parent
_STARTER = ("dbt_project.yml", "profiles.yml", "macros/generate_schema_name.sql")
_TIME_SPINE = ("models/semantic/time_spine.sql", "models/semantic/time_spine.yml")
_LEFT_OUT = shutil.ignore_patterns("target", "logs", "dbt_packages", ".user.yml", "__pycache__")


def demo_project() -> Path:
    """The project that ships: inside the installed package, or beside `backend/` in a checkout."""
    for place in (_PACKAGE / "starter" / "dbt_project", _PACKAGE.parents[1] / "dbt_project"):
        if (place / "dbt_project.yml").is_file():
            return place
    raise InternalFault("The starter dbt project is missing from this installation.", hint="Reinstall pluto-duck.")


def copy_starter(target: Path) -> bool:
    """A project without models, which builds on any warehouse; one that is there is left alone. Whether it was made."""
    if (target / "dbt_project.yml").exists():
        return False
    write_new(target, _shipped(*_STARTER))
    return True


def add_demo(target: Path) -> None:
    """The demo's models and tests into a starter project; files that are there stay. Raises Conflict for another."""
    if (target / "dbt_project.yml").exists() and project_name(target) != project_name(demo_project()):
        raise Conflict(
            f"{target} holds a dbt project of yours, {project_name(target)}.",
            code="not_the_starter",
            hint="Give the demo a root of its own: `pluto-duck demo --root FOLDER`.",
        )
    shutil.copytree(demo_project(), target, ignore=_ignored(target), dirs_exist_ok=True)


def time_spine(project: Path) -> dict[str, str]:
    """The files of a model with one row for every day, which metrics need; none where they are there already."""
    return {} if (project / _TIME_SPINE[0]).exists() else _shipped(*_TIME_SPINE)


def _shipped(*names: str) -> dict[str, str]:
    return {name: (demo_project() / name).read_text(encoding="utf-8") for name in names}


def _ignored(target: Path) -> Callable[[str, list[str]], set[str]]:
    """For copytree: what running dbt leaves behind, and files that `target` has."""

    def ignored(folder: str, names: list[str]) -> set[str]:
        here = target / Path(folder).relative_to(demo_project())
        return _LEFT_OUT(folder, names) | {name for name in names if (here / name).is_file()}

    return ignored


def project_at(chosen: str | Path | None, paths: Paths) -> Path:
    """The folder of the project that was chosen, else of the data root's own. Raises NotFound."""
    path = Path(chosen or paths.root / "dbt_project").expanduser().resolve()
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
