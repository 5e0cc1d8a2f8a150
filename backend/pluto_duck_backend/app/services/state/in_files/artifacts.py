"""Artifacts as files, `<root>/<scope>/<name>`, written beside themselves and put in place at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from pluto_duck_backend.app.core.state import checked, is_name, no_artifact
from pluto_duck_backend.app.core.whole_files import write_whole

_PIECE = 1 << 20


class ArtifactFiles:
    def __init__(self, root: Path) -> None:
        self._root = root
        self.place = f"files below {root}"

    def write(self, scope: str, name: str, chunks: Iterable[bytes]) -> int:
        path = self._path(scope, name)
        counted = _Counted(chunks)
        write_whole(path, counted, private=True)
        return counted.size

    def read(self, scope: str, name: str) -> Iterator[bytes]:
        try:
            file = self._path(scope, name).open("rb")
        except (FileNotFoundError, IsADirectoryError) as error:
            raise no_artifact(scope, name) from error
        return _pieces(file)

    def names(self, scope: str) -> list[str]:
        found = (self._root / scope).glob("*")
        return sorted(path.name for path in found if is_name(path.name) and path.is_file())

    def delete(self, scope: str, name: str) -> bool:
        path = self._path(scope, name)
        is_there = path.is_file()
        path.unlink(missing_ok=True)
        return is_there

    def _path(self, scope: str, name: str) -> Path:
        return self._root / scope / checked(name)


class _Counted:
    """Chunks on their way, and how many bytes have passed."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = chunks
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self.size += len(chunk)
            yield chunk


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
