"""What a step leaves for a later one, in the folder where training works."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any


def keep(path: Path, **parts: Any) -> None:
    """Write what a later step reads."""
    with path.open("wb") as file:
        pickle.dump(parts, file)


def kept(path: Path) -> dict[str, Any]:
    """What `keep` wrote, by this program, on this machine."""
    with path.open("rb") as file:
        parts: dict[str, Any] = pickle.load(file)
    return parts
