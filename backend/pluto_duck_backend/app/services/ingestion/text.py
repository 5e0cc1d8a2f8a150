"""Text files made ready for DuckDB: encoding found, compression that it cannot read undone.

The CSV and JSON connectors use it. What must stay true: a UTF-8 file, plain or gzip, is read in place; others are
copied to the load's temporary folder as UTF-8, one piece at a time.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.services.ingestion.content import head_of, kind_of
from pluto_duck_backend.app.services.ingestion.contract import Toolbox
from pluto_duck_backend.app.services.ingestion.encodings import decoder_of, encoding_of
from pluto_duck_backend.app.services.ingestion.registry import COMPRESSIONS
from pluto_duck_backend.app.services.ingestion.unpacking import PIECE, no_text, opened, pieces_of, unpack_zstandard

_MARKS_LEFT_OUT = "left out byte-order marks or form feeds that begin lines, as files put together and pages have them"
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
        path = unpack_zstandard(path, tools)
    with opened(path) as file:
        head = file.read(_HEAD)
    if _PAGE.match(head):
        raise no_text(path, "it is a web page (HTML), such as a server gives instead of a file")
    encoding = encoding or _encoding(path, head)
    found, lines, has_marks = _surveyed(path, encoding, tools, whole=whole)
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
        raise no_text(path, "it holds zero bytes")
    return None


def _mostly_printable(head: bytes) -> bool:
    control = sum(head.count(byte) for byte in range(32) if byte not in (9, 10, 12, 13))
    return control <= len(head) // 20


def _surveyed(path: Path, encoding: str | None, tools: Toolbox, *, whole: bool) -> tuple[str, int, bool]:
    """The encoding, the lines, and whether byte-order marks or form feeds begin some of them.

    It is UTF-8 where every byte agrees, otherwise what its words say."""
    wanted = encoding or "utf-8"
    enough = tools.sample_rows if wanted == "utf-8" and not whole and not tools.thorough else None
    survey = _Survey(_decoder(path, wanted), is_utf8=wanted == "utf-8")
    for piece in pieces_of(path):
        tools.check_cancelled()
        survey.take(piece)
        if enough is not None and survey.lines > enough and not survey.is_odd:
            return wanted, survey.lines, survey.has_marks
    survey.end()
    found = _otherwise(path, encoding) if survey.is_odd else wanted
    return found, survey.lines, survey.has_marks


class _Survey:
    """What the pieces of a text tell so far; `is_odd` where bytes do not fit its encoding."""

    def __init__(self, decoder: codecs.IncrementalDecoder, *, is_utf8: bool) -> None:
        self.lines = 0
        self.has_marks = self.is_odd = False
        self._decoder = decoder
        self._is_utf8 = is_utf8
        self._end = b""

    def take(self, piece: bytes) -> None:
        self.lines += piece.count(b"\n")
        self.has_marks = self.has_marks or _has_marks(self._end, piece)
        self._end = piece[-3:]
        is_plain = self._is_utf8 and piece.isascii() and not self._decoder.getstate()[0]
        self.is_odd = self.is_odd or not (is_plain or _decodes(self._decoder, piece))

    def end(self) -> None:
        self.is_odd = self.is_odd or not _decodes(self._decoder, b"", final=True)


def _otherwise(path: Path, encoding: str | None) -> str:
    """The encoding that the words are in where they are not in UTF-8, or in the one that was given."""
    if encoding:
        raise no_text(path, f"it is not valid {encoding}")
    if not _mostly_printable(_first(path)):
        raise no_text(path, "its bytes are no characters")
    return encoding_of(_whole_lines(path))


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
    with opened(path) as file:
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
    copy = tools.new_file(".txt")
    last = "\n"
    with opened(path) as source, copy.open("w", encoding="utf-8", newline="") as target:
        while piece := source.read(PIECE):
            tools.check_cancelled()
            text = last + decoder.decode(piece)
            target.write(_unmarked(text)[len(last) :])
            last = text[-1:]
        target.write(decoder.decode(b"", True))
    return copy


def _unmarked(text: str) -> str:
    """Without the byte-order marks and form feeds that begin lines behind the first."""
    return text.replace("\n\ufeff", "\n").replace("\n\f", "\n")
