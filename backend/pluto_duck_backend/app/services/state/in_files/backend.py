"""All state below one folder: a scope is a folder of it."""

from __future__ import annotations

from pathlib import Path

from pluto_duck_backend.app.core.state import ArtifactService, MemoryService, SessionService, Shape
from pluto_duck_backend.app.services.state.in_files.artifacts import ArtifactFiles
from pluto_duck_backend.app.services.state.in_files.memory import MemoryFiles
from pluto_duck_backend.app.services.state.in_files.sessions import SessionFiles


class FileState:
    def __init__(self, root: Path) -> None:
        self._root = root
        self.place = f"files below {root}"

    def sessions(self, scope: str, shape: Shape) -> SessionService:
        return SessionFiles(self._root / scope, shape)

    def memory(self) -> MemoryService:
        return MemoryFiles(self._root)

    def artifacts(self) -> ArtifactService:
        return ArtifactFiles(self._root)

    def check(self) -> str:
        return ""

    def close(self) -> None:
        """Nothing is held."""
