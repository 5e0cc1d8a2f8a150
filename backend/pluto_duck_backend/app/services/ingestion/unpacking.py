"""The bytes and lines of text files, packed or not; archives are unpacked as they are read, a piece at a time."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, PlutoDuckError
from pluto_duck_backend.app.core.warehouse import literal
from pluto_duck_backend.app.services.ingestion.content import head_of, kind_of
from pluto_duck_backend.app.services.ingestion.contract import Toolbox

PIECE = 1 << 20
_PACKED: dict[str, Callable[[Path], Any]] = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}
_DAMAGED = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile, RuntimeError)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of `path` with gzip, bzip2, xz or ZIP undone. Raises InvalidInput for a damaged archive."""
    with _explained(path), _stream(path, kind_of(head_of(path))) as file:
        yield file


def _stream(path: Path, kind: str | None) -> AbstractContextManager[IO[bytes]]:
    if kind is None:
        return path.open("rb")
    if kind in _PACKED:
        packed: AbstractContextManager[IO[bytes]] = _PACKED[kind](path)
        return packed
    if kind.startswith("ZIP"):
        return _member(path)
    raise no_text(path, f"it looks like {kind}")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGED as error:
        raise InvalidInput(
            f"{path} cannot be unpacked: {error}", code="unreadable_file", hint="The archive is damaged or encrypted."
        ) from error
    except OSError as error:
        raise EnvironmentFault(
            f"File {path} cannot be read: {error}", code="file_unreadable", hint="Check the file and its permissions."
        ) from error


@contextmanager
def _member(path: Path) -> Iterator[IO[bytes]]:
    with zipfile.ZipFile(path) as archive, archive.open(_only_member(path, archive)) as file:
        yield file


def _only_member(path: Path, archive: zipfile.ZipFile) -> str:
    names = [each.filename for each in archive.infolist() if not each.is_dir() and not each.filename.startswith("__")]
    if "xl/workbook.xml" in names:
        raise no_text(path, "it looks like Excel (.xlsx)")
    if len(names) != 1:
        raise InvalidInput(
            f"{path} holds {len(names)} files: {', '.join(names[:10])}.",
            code="archive_of_many",
            hint="Unpack it and load the folder.",
        )
    return names[0]


def pieces_of(path: Path) -> Iterator[bytes]:
    """The bytes of a text file, a piece at a time."""
    with opened(path) as file:
        while piece := file.read(PIECE):
            yield piece


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a text file made ready, without their ends."""
    rest = ""
    for piece in codecs.iterdecode(pieces_of(path), "utf-8-sig", "replace"):
        *lines, rest = (rest + piece).split("\n")
        yield from (line.removesuffix("\r") for line in lines)
    if rest:
        yield from rest.removesuffix("\r").split("\r")


def tail_of(path: Path, size: int) -> bytes:
    """The last `size` bytes at most of a plain or compressed file's text; a compressed one is read from its start."""
    with opened(path) as file:
        if kind_of(head_of(path)) is None:
            file.seek(max(0, path.stat().st_size - size))
            return file.read()
        last, piece = b"", file.read(max(size, PIECE))
        while piece:
            last, piece = (last + piece)[-size:], file.read(max(size, PIECE))
        return last


def unpack_zstandard(path: Path, tools: Toolbox) -> Path:
    """DuckDB can, the standard library of Python 3.11 cannot: lines out, as they are."""
    copy = tools.new_file(".unpacked")
    lines = (
        f"read_csv({literal(str(path))}, auto_detect = false, header = false, delim = '\x1f', quote = '', escape = '',"
        " columns = {'line': 'VARCHAR'}, compression = 'zstd', skip = 0, null_padding = false, nullstr = '\x1e')"
    )
    try:
        with tools.read() as session, copy.open("w", encoding="utf-8", newline="") as target:
            session.execute(f"SELECT line FROM {lines}")
            while rows := session.fetchmany(10_000):
                tools.check_cancelled()
                target.writelines(f"{line or ''}\n" for (line,) in rows)
    except PlutoDuckError as error:
        raise InvalidInput(
            f"{path} cannot be unpacked: {error.message.splitlines()[0]}",
            code="unreadable_file",
            hint="Unpack it with zstd and load the result.",
        ) from error
    return copy


def no_text(path: Path, why: str) -> InvalidInput:
    """The error for what is no text."""
    return InvalidInput(
        f"{path} is no text file: {why}.", code="not_text", hint="Give the file the ending of what it really is."
    )
