"""DuckDB's extensions, from wheels where they are installed: nothing is downloaded that nobody asked for.

Services ask here before they use one. What must stay true: an extension comes from the wheel `duckdb-extension-NAME`
of DuckDB's own version, or from DuckDB's folder where the user installed it; otherwise the error says what to install.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from pluto_duck_backend.app.core.errors import EnvironmentFault, PlutoDuckError
from pluto_duck_backend.app.core.warehouse import DUCKDB_VERSION, Session, literal


def load(session: Session, name: str, extra: str) -> None:
    """Load the extension `name` into the session's instance; `extra` is the extra of ours that brings its wheel.

    Raises EnvironmentFault.
    """
    file = wheel_file(name)
    try:
        session.execute(f"LOAD {literal(str(file))}" if file else f"LOAD {name}")
    except PlutoDuckError as error:
        found = f"{file} cannot be loaded" if file else "it is not installed"
        raise EnvironmentFault(
            f"DuckDB's extension {name} is needed, and {found}: {error.message.splitlines()[0]}",
            code="extension_missing",
            hint=f"pip install 'pluto-duck[{extra}]' (a wheel, with the DuckDB it is made for; no download at run"
            f" time), or INSTALL {name} in DuckDB {DUCKDB_VERSION} where it may be downloaded.",
        ) from error


def wheel_file(name: str) -> Path | None:
    """The extension's file in its wheel, made for the DuckDB that runs; None where there is none."""
    spec = find_spec(f"duckdb_extension_{name}")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        file = Path(folder) / "extensions" / f"v{DUCKDB_VERSION}" / f"{name}.duckdb_extension"
        if file.is_file():
            return file
    return None
