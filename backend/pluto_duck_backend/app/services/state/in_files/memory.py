"""Texts as files, `<root>/<scope>/<name>`, which people read, edit and delete.

What must stay true: a file is written whole or not at all; of two who change what they have seen only one does.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from pluto_duck_backend.app.core.folders import names_in
from pluto_duck_backend.app.core.lines import cannot_write
from pluto_duck_backend.app.core.state import Entry, changed_meanwhile, checked, is_name, no_text
from pluto_duck_backend.app.core.whole_files import write_whole


class MemoryFiles:
    def __init__(self, root: Path) -> None:
        self._root = root
        self.place = f"files below {root}"

    def entries(self, scope: str) -> list[Entry]:
        return list(self._entries(scope))

    def read(self, scope: str, name: str) -> tuple[bytes, str]:
        path = self._path(scope, name)
        try:
            with path.open("rb") as file:
                return file.read(), _mark(os.fstat(file.fileno()))
        except (FileNotFoundError, IsADirectoryError) as error:
            raise no_text(scope, name) from error

    def write(self, scope: str, name: str, data: bytes, instead_of: str | None = None) -> str:
        path = self._path(scope, name)
        with _alone(path.parent):
            if instead_of is not None and instead_of != _mark_of(path):
                raise changed_meanwhile(scope, name)
            write_whole(path, [data], private=True)
            return _mark_of(path)

    def delete(self, scope: str, name: str) -> bool:
        path = self._path(scope, name)
        is_there = path.is_file()
        path.unlink(missing_ok=True)
        return is_there

    def _entries(self, scope: str) -> Iterator[Entry]:
        for name in names_in(f"{self._root}/{scope}"):
            path = self._root / scope / name
            if is_name(name) and path.is_file() and (mark := _mark_of(path)):
                yield Entry(name, mark)

    def _path(self, scope: str, name: str) -> Path:
        return self._root / scope / checked(name)


def _mark_of(path: Path) -> str:
    try:
        return _mark(path.stat())
    except FileNotFoundError:
        return ""


def _mark(found: os.stat_result) -> str:
    return f"{found.st_mtime_ns}-{found.st_ino}-{found.st_size}"


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One writer of a folder at a time, also of other processes; the folder itself is what is locked."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise cannot_write(folder, error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
