"""What a file really is, by its first bytes.

Connectors check that a file is what its name says before anything else reads it.
"""

from __future__ import annotations

from pathlib import Path

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput

_SIGNATURES = {
    "Parquet": (0, b"PAR1"),
    "SQLite": (0, b"SQLite format 3\x00"),
    "DuckDB": (8, b"DUCK"),
    "ZIP (or Excel .xlsx)": (0, b"PK\x03\x04"),
    "old Excel (.xls) or encrypted Office": (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    "gzip": (0, b"\x1f\x8b"),
    "zstandard": (0, b"\x28\xb5\x2f\xfd"),
    "bzip2": (0, b"BZh"),
    "xz": (0, b"\xfd7zXZ\x00"),
    "PDF": (0, b"%PDF"),
    "PNG": (0, b"\x89PNG"),
    "JPEG": (0, b"\xff\xd8\xff"),
    "GIF": (0, b"GIF8"),
    "ELF program": (0, b"\x7fELF"),
    "Avro": (0, b"Obj\x01"),
    "Arrow/Feather": (0, b"ARROW1"),
}
_HEAD = 64
PIPED = "pluto-duck-stdin-"
"""What the name of a folder begins with that holds what was piped in, for as long as it is loaded."""


def head_of(path: Path, size: int = _HEAD) -> bytes:
    """The first `size` bytes. Raises EnvironmentFault where the file cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise EnvironmentFault(
            f"File {path} cannot be read: {error.strerror or error}",
            code="file_unreadable",
            hint="Check that you may read it.",
        ) from error


def kind_of(head: bytes) -> str | None:
    """What starts with these bytes, or None where nothing known does."""
    for kind, (at, signature) in _SIGNATURES.items():
        if head[at : at + len(signature)] == signature:
            return kind
    return None


def check_is(path: Path, expected: str) -> None:
    """Raise InvalidInput where `path` is not of the kind `expected`."""
    found = kind_of(head_of(path))
    if found != expected:
        looks = f"it looks like {found}" if found else "its first bytes say otherwise"
        raise InvalidInput(
            f"{path} is no {expected} file: {looks}.",
            code="not_that_format",
            hint="Rename the file to what it is, or write it again if it is damaged.",
        )


_ENDINGS = {
    "Parquet": ".parquet",
    "SQLite": ".sqlite",
    "DuckDB": ".duckdb",
    "Avro": ".avro",
    "Arrow/Feather": ".arrow",
    "ZIP (or Excel .xlsx)": ".xlsx",
}


def file_kind(path: Path) -> str:
    """The ending that fits what a nameless file holds; text is JSON where it starts like it, otherwise delimited."""
    head = head_of(path, 4096)
    kind = kind_of(head)
    if kind:
        return _ENDINGS.get(kind, ".csv")
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return {b"{": ".ndjson", b"[": ".json"}.get(start, ".csv")
