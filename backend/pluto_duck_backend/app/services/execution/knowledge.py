"""The user's glossary, `configs/knowledge/*.md` under the root, and dbt's metrics; read again when a file changes.

What the lines mean is the embedded analyst's to say (pluto_duck_text2sql/terms/terms.py); here they are only found.
"""

from __future__ import annotations

from pathlib import Path

from pluto_duck_backend.app.core.dbt_models import Models, models
from pluto_duck_backend.app.core.folders import files_in
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.execution.defined_metrics import metric_items
from pluto_duck_text2sql.language.glossary import Item, read_glossary

_LARGEST = 1_000_000
_Mark = tuple[tuple[str, int, int], ...]


class GlossaryFiles:
    """The glossary lines of a folder's Markdown. Not thread-safe: its owner asks under a lock."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder = folder
        self._root = root
        self._read: tuple[_Mark, tuple[Item, ...]] = ((), ())
        self.unreadable: list[str] = []

    def items(self) -> tuple[Item, ...]:
        """The items of all files, by name; the same object as long as no file is another."""
        files = files_in(self._folder, ".md")
        mark = tuple(map(_mark, files))
        if mark != self._read[0]:
            self.unreadable = []
            self._read = (mark, tuple(item for path in files for item in self._items(path)))
        return self._read[1]

    def _items(self, path: Path) -> list[Item]:
        name = path.relative_to(self._root).as_posix()
        try:
            with path.open("rb") as file:
                text = file.read(_LARGEST).decode(errors="replace")
        except OSError as error:
            self.unreadable.append(f"{name}: it cannot be read: {error.strerror or error}")
            return []
        return read_glossary(text, name)


class Knowledge:
    """The glossary of one root, and what dbt's metrics are called. Not thread-safe, as its files are not."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._files = GlossaryFiles(paths.knowledge, paths.root)
        self._from: tuple[tuple[Item, ...], Models] = ((), Models())
        self._items: tuple[Item, ...] = ()

    @property
    def unreadable(self) -> list[str]:
        return self._files.unreadable

    def items(self) -> tuple[Item, ...]:
        """The items of all files, then those of metrics; the same object as long as neither is another."""
        own, known = self._files.items(), models(self._paths)
        if own is not self._from[0] or known is not self._from[1]:
            self._from, self._items = (own, known), (*own, *metric_items(known))
        return self._items


def _mark(path: Path) -> tuple[str, int, int]:
    try:
        stat = path.stat()
    except OSError:  # gone since it was listed
        return path.name, 0, 0
    return path.name, stat.st_mtime_ns, stat.st_size
