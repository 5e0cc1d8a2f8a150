"""Text files made ready for DuckDB: encoding found, compression that it cannot read undone.

The CSV and JSON connectors use it. What must stay true: a UTF-8 file, plain or gzip, is read in place; others are
copied to the load's temporary folder as UTF-8, one piece at a time.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, cast

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, PlutoDuckError
from pluto_duck_backend.app.core.warehouse import literal
from pluto_duck_backend.app.services.ingestion.content import head_of, kind_of
from pluto_duck_backend.app.services.ingestion.contract import Toolbox
from pluto_duck_backend.app.services.ingestion.encodings import decoder_of, encoding_of
from pluto_duck_backend.app.services.ingestion.registry import COMPRESSIONS

_MARKS_LEFT_OUT = "left out byte-order marks or form feeds that begin lines, as files put together and pages have them"
_PIECE = 1 << 20
_HEAD = 1 << 18
_PAGE_BREAK = b"\x0c"
_MARKS = (b"\n" + _PAGE_BREAK, b"\n" + codecs.BOM_UTF8)
_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class TextFile:
    """`path` is what DuckDB reads; `head` the first characters, `whole` whether they are all; `size` in bytes.

    `lines` are those looked at: where they are more than the sample, there may be others.
    """

    path: Path
    head: str
    whole: bool
    size: int
    lines: int
    warnings: tuple[str, ...] = ()


def text_file(path: Path, tools: Toolbox, encoding: str | None = None, *, whole: bool = False) -> TextFile:
    """`path` as text that DuckDB can read. Raises InvalidInput where it is no text, or empty once unpacked.

    Of a file of UTF-8 no more than the sample is looked at (all of it where `whole` or on a thorough try): DuckDB
    itself stops at a byte that is no UTF-8, and then the load is tried again.
    """
    if kind_of(head_of(path)) == "zstandard":
        path = _unpack_zstandard(path, tools)
    with _opened(path) as file:
        head = file.read(_HEAD)
    if _PAGE.match(head):
        raise _no_text(path, "it is a web page (HTML), such as a server gives instead of a file")
    encoding = encoding or _encoding(path, head)
    found, lines, has_marks = _survey(path, encoding, tools, whole=whole)
    is_in_place = found == "utf-8" and not has_marks and _is_read_in_place(path)
    made = _text_file(path if is_in_place else _copied(path, found, tools), path, found, head, lines)
    notes = [_MARKS_LEFT_OUT] if has_marks else []
    if "\x00" in made.head:
        zeros = sum(piece.count(0) for piece in pieces_of(made.path))
        notes.append(f"kept {zeros:,} zero byte{'s' if zeros > 1 else ''} (NUL) in its text")
    return replace(made, warnings=(*made.warnings, *notes))


def _is_read_in_place(path: Path) -> bool:
    """Whether DuckDB can: by the ending it takes a file for packed or not."""
    kind, ending = kind_of(head_of(path)), path.suffix.casefold()
    return ending == ".gz" if kind == "gzip" else kind is None and ending not in COMPRESSIONS


def _text_file(readable: Path, original: Path, encoding: str, head: bytes, lines: int) -> TextFile:
    text = _unmarked("\n" + decoder_of(encoding, "replace").decode(head))[1:]
    if not text.strip():
        raise InvalidInput(f"File {original} holds no text.", code="empty_file", hint="Check how it was made.")
    notes = () if encoding in ("utf-8", "utf-8-sig") else (f"read as {encoding}",)
    return TextFile(readable, text, len(head) < _HEAD, original.stat().st_size, lines, notes)


def tail_of(path: Path, size: int) -> bytes:
    """The last `size` bytes at most of a plain or compressed file's text; a compressed one is read from its start."""
    with _opened(path) as file:
        if kind_of(head_of(path)) is None:
            file.seek(max(0, path.stat().st_size - size))
            return file.read()
        last, piece = b"", file.read(max(size, _PIECE))
        while piece:
            last, piece = (last + piece)[-size:], file.read(max(size, _PIECE))
        return last


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of `path` with gzip, bzip2, xz or ZIP undone. Raises InvalidInput for a damaged archive."""
    kind = kind_of(head_of(path))
    try:
        if kind == "gzip":
            with gzip.open(path) as file:
                yield cast(IO[bytes], file)
        elif kind == "bzip2":
            with bz2.open(path) as file:
                yield cast(IO[bytes], file)
        elif kind == "xz":
            with lzma.open(path) as file:
                yield cast(IO[bytes], file)
        elif kind and kind.startswith("ZIP"):
            with zipfile.ZipFile(path) as archive, archive.open(_only_member(path, archive)) as file:
                yield file
        elif kind:
            raise _no_text(path, f"it looks like {kind}")
        else:
            with path.open("rb") as file:
                yield file
    except (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, gzip.BadGzipFile, RuntimeError) as error:
        raise InvalidInput(
            f"{path} cannot be unpacked: {error}", code="unreadable_file", hint="The archive is damaged or encrypted."
        ) from error
    except OSError as error:
        raise EnvironmentFault(
            f"File {path} cannot be read: {error}", code="file_unreadable", hint="Check the file and its permissions."
        ) from error


def _only_member(path: Path, archive: zipfile.ZipFile) -> str:
    names = [each.filename for each in archive.infolist() if not each.is_dir() and not each.filename.startswith("__")]
    if "xl/workbook.xml" in names:
        raise _no_text(path, "it looks like Excel (.xlsx)")
    if len(names) != 1:
        raise InvalidInput(
            f"{path} holds {len(names)} files: {', '.join(names[:10])}.",
            code="archive_of_many",
            hint="Unpack it and load the folder.",
        )
    return names[0]


def _encoding(path: Path, head: bytes) -> str | None:
    """The encoding that a byte-order mark or the pattern of zero bytes shows; None where the bytes must be tried."""
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name
    zeros = head.count(0)
    if not zeros:
        return None
    odd = head[1::2].count(0)
    if zeros > len(head) // 4 and odd > 0.9 * zeros:
        return "utf-16-le"
    if zeros > len(head) // 4 and odd < 0.1 * zeros:
        return "utf-16-be"
    if not _mostly_printable(head):
        raise _no_text(path, "it holds zero bytes")
    return None


def _mostly_printable(head: bytes) -> bool:
    control = sum(head.count(byte) for byte in range(32) if byte not in (9, 10, 12, 13))
    return control <= len(head) // 20


def _survey(path: Path, encoding: str | None, tools: Toolbox, *, whole: bool) -> tuple[str, int, bool]:
    """The encoding, the lines, and whether byte-order marks or form feeds begin some of them.

    It is UTF-8 where every byte agrees, otherwise what its words say."""
    wanted = encoding or "utf-8"
    enough = tools.sample_rows if wanted == "utf-8" and not whole and not tools.thorough else None
    decoder = _decoder(path, wanted)
    lines = 0
    odd, has_marks, end = False, False, b""
    with _opened(path) as file:
        while piece := file.read(_PIECE):
            tools.check_cancelled()
            lines += piece.count(b"\n")
            is_plain = piece.isascii()
            has_marks = has_marks or _has_marks(end, piece)
            end = piece[-3:]
            if not odd and not (wanted == "utf-8" and is_plain and not decoder.getstate()[0]):
                odd = not _decodes(decoder, piece)
            if enough is not None and lines > enough and not odd:
                return wanted, lines, has_marks
        odd = odd or not _decodes(decoder, b"", final=True)
    if odd and encoding:
        raise _no_text(path, f"it is not valid {encoding}")
    if odd and not _mostly_printable(_first(path)):
        raise _no_text(path, "its bytes are no characters")
    return encoding_of(_whole_lines(path)) if odd else wanted, lines, has_marks


def _has_marks(end: bytes, piece: bytes) -> bool:
    """Whether marks begin lines of a piece, of which the one before ended so; the first has nothing before it."""
    if piece.isascii() and _PAGE_BREAK not in piece:  # found at once, which lines are not
        return False
    text = end + piece
    return any(mark in text for mark in _MARKS) or (not end and piece.startswith(_PAGE_BREAK))


def _whole_lines(path: Path) -> Iterator[bytes]:
    """The bytes of the file in pieces that end where lines do."""
    rest = b""
    for piece in pieces_of(path):
        whole, end, rest = (rest + piece).rpartition(b"\n")
        yield whole + end
    yield rest


def _first(path: Path) -> bytes:
    with _opened(path) as file:
        return file.read(_HEAD)


def _decoder(path: Path, encoding: str) -> codecs.IncrementalDecoder:
    try:
        return decoder_of(encoding)
    except LookupError as error:
        raise InvalidInput(
            f"{path}: there is no encoding {encoding!r}.", code="unknown_encoding", hint="For example utf-8 or cp1252."
        ) from error


def _decodes(decoder: codecs.IncrementalDecoder, piece: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(piece, final)
    except UnicodeDecodeError:
        return False
    return True


def _copied(path: Path, encoding: str, tools: Toolbox) -> Path:
    decoder = decoder_of(encoding)
    copy = tools.folder / f"{len(list(tools.folder.iterdir()))}.txt"
    last = "\n"
    with _opened(path) as source, copy.open("w", encoding="utf-8", newline="") as target:
        while piece := source.read(_PIECE):
            tools.check_cancelled()
            text = last + decoder.decode(piece)
            target.write(_unmarked(text)[len(last) :])
            last = text[-1:]
        target.write(decoder.decode(b"", True))
    return copy


def _unmarked(text: str) -> str:
    """Without the byte-order marks and form feeds that begin lines behind the first."""
    return text.replace("\n\ufeff", "\n").replace("\n\f", "\n")


def _unpack_zstandard(path: Path, tools: Toolbox) -> Path:
    """DuckDB can, the standard library of Python 3.11 cannot: lines out, as they are."""
    copy = tools.folder / f"{len(list(tools.folder.iterdir()))}.unpacked"
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


def pieces_of(path: Path) -> Iterator[bytes]:
    """The bytes of a text file made ready, a piece at a time; archives are unpacked as they are read."""
    with _opened(path) as file:
        while piece := file.read(_PIECE):
            yield piece


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a text file made ready, without their ends; archives are unpacked as they are read."""
    with _opened(path) as file:
        decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        rest = ""
        for piece in iter(lambda: decoder.decode(data, not data) if (data := file.read(_PIECE)) else "", ""):
            *lines, rest = (rest + piece).split("\n")
            yield from (line.removesuffix("\r") for line in lines)
        if rest:
            yield from rest.removesuffix("\r").split("\r")


def _no_text(path: Path, why: str) -> InvalidInput:
    return InvalidInput(
        f"{path} is no text file: {why}.", code="not_text", hint="Give the file the ending of what it really is."
    )
