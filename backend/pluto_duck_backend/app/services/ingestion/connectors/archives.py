"""Archives of files, ZIP and tar: each file that a connector reads becomes what it would be in a folder.

What must stay true: nothing is written outside of the load's folder, whatever an archive calls its files, and messages
name the archive and the file within it.
"""

from __future__ import annotations

import contextlib
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.services.ingestion import registry
from pluto_duck_backend.app.services.ingestion.connectors.fetched import named, tables_of
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox

_PIECE = 1 << 20
_HIDDEN = (".", "__")  # what macOS adds, and what programs keep to themselves


@dataclass(frozen=True)
class _Member:
    """A file in an archive."""

    name: str
    open: Callable[[], IO[bytes]]


class Archives:
    name = "archive"
    summary = "ZIP and tar archives of files that a connector reads"
    suffixes: tuple[str, ...] = (".zip", ".tar", ".tgz")

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """The tables of all files in it that a connector reads; `config` may say what that takes."""
        path = Path(config["path"])
        options = {name: value for name, value in config.items() if name not in ("path", "paths")}
        with contextlib.ExitStack() as stack:
            tables: list[SourceTable] = []
            for copy, shown in _unpacked(path, tools):
                tables += stack.enter_context(tables_of(copy, shown, options, tools))
            yield tables


def _unpacked(path: Path, tools: Toolbox) -> list[tuple[Path, str]]:
    """`(copy, name to be shown)` of each file that a connector reads. Raises InvalidInput where there is none."""
    with _opened(path) as members:
        known = registry.suffixes()
        wanted = [each for each in members if registry.suffix_of(Path(each.name)) in known]
        if not wanted:
            held = ", ".join(each.name for each in members[:10]) or "nothing"
            raise InvalidInput(
                f"{path} holds no file that a connector reads, but {held}. Known endings: {', '.join(sorted(known))}.",
                code="archive_without_data",
                hint="Unpack it, and give the files the endings of what they are.",
            )
        return [(_copied(each, path, tools), f"{path}/{each.name}") for each in wanted]


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[list[_Member]]:
    """The files in an archive. Raises InvalidInput for one that is damaged or encrypted."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                names = [each.filename for each in archive.infolist() if not each.is_dir()]
                yield _visible([_Member(name, partial(archive.open, name)) for name in names])
        else:
            with tarfile.open(path) as tar:
                yield _visible([_Member(each.name, partial(_of_tar, tar, each)) for each in tar if each.isfile()])
    except (EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError, RuntimeError, NotImplementedError) as error:
        raise InvalidInput(
            f"{path} cannot be unpacked: {error}", code="unreadable_file", hint="The archive is damaged or encrypted."
        ) from error
    except OSError as error:
        raise EnvironmentFault(
            f"{path} cannot be unpacked: {error.strerror or error}",
            code="file_unreadable",
            hint="Check the file, its permissions and the disk's space.",
        ) from error


def _of_tar(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = tar.extractfile(member)
    if file is None:
        raise tarfile.TarError(f"{member.name} holds nothing")
    return file


def _visible(members: Sequence[_Member]) -> list[_Member]:
    return [each for each in members if not any(part.startswith(_HIDDEN) for part in PurePosixPath(each.name).parts)]


def _copied(member: _Member, path: Path, tools: Toolbox) -> Path:
    """A copy in a folder of its own, under the last part of its name."""
    folder = tools.new_file(".unpacked")
    folder.mkdir()
    part = folder / "part"
    with member.open() as file, part.open("wb") as copy:
        while piece := file.read(_PIECE):
            tools.check_cancelled()
            copy.write(piece)
    return named(part, PurePosixPath(member.name).name, f"{path}/{member.name}")
