"""Writes `<root>/configs/config.toml`, leaving everything else of it as it is, comments too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core.whole_files import write_whole

Place = tuple[str, ...]
#   ("agent", "max_rows")


def put(path: Path, values: Mapping[Place, Any]) -> None:
    """Set each value at its place; the file is replaced whole, readable by its user only. Raises EnvironmentFault."""
    import tomlkit

    document: Any = tomlkit.parse(path.read_text(encoding="utf-8") if path.exists() else "")
    for (*groups, name), value in values.items():
        table = document
        for depth, group in enumerate(groups, 1):
            table = table.setdefault(group, tomlkit.table(is_super_table=depth < len(groups)))
        table[name] = value
    write_whole(path.resolve(), [tomlkit.dumps(document).encode()], private=True)


def written(path: Path) -> dict[str, Any]:
    """What the file says; nothing where there is none."""
    import tomllib

    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
