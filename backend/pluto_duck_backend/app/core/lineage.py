"""What came from where: the ingestion catalog `<root>/data/sources.json`, and the keys that sources declared.

Ingestion writes it, the catalog reads the declared keys. It lies beside the warehouse, since the warehouse holds only
the user's data and DuckDB's own foreign keys would forbid replacing a parent table. What must stay true: the
file is replaced as a whole, and an entry is written in the load that it describes.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.paths import Paths

Entry = dict[str, Any]
#   {schema, table, connector, source, source_table, mode, loaded_at, loads, rows, columns, primary_key, foreign_keys}

_lock = threading.Lock()


def lineage_file(paths: Paths) -> Path:
    return paths.warehouse.parent / "sources.json"


def entries(paths: Paths) -> list[Entry]:
    """Every table that was ever loaded, oldest load first. Raises EnvironmentFault for a damaged file."""
    file = lineage_file(paths)
    try:
        return list(orjson.loads(file.read_bytes())["tables"])
    except FileNotFoundError:
        return []
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise EnvironmentFault(
            f"The ingestion catalog {file} cannot be read: {error}",
            code="lineage_unreadable",
            hint="Move the file away; tables stay, only what is known of their sources is lost.",
        ) from error


def declared_keys(paths: Paths) -> dict[tuple[str, str], dict[str, Any]]:
    """`{(schema, table): {primary_key: [column], foreign_keys: [{columns, ref_schema, ref_table, ref_columns}]}}`.

    Names are spelt as in the warehouse; compare them without regard to case. A table may be gone by now.
    """
    return {
        (each["schema"], each["table"]): {"primary_key": each["primary_key"], "foreign_keys": each["foreign_keys"]}
        for each in entries(paths)
    }


@contextlib.contextmanager
def recorded(paths: Paths) -> Iterator[list[Entry]]:
    """Gives a list to fill with entries; whoever commits inside this block gets the old file back if that fails.

    Entries appended to the list are written by `write` below; leaving with an exception undoes it.
    """
    file = lineage_file(paths)
    with _lock:
        before = file.read_bytes() if file.exists() else None
        try:
            yield entries(paths)
        except BaseException:
            _restore(file, before)
            raise


def write(paths: Paths, known: Sequence[Entry], new: Sequence[Entry]) -> None:
    """Write `known` with `new` in place of the entries for the same tables."""
    replaced = {_key(each) for each in new}
    kept = [each for each in known if _key(each) not in replaced]
    data = orjson.dumps({"version": 1, "tables": [*kept, *new]}, option=orjson.OPT_INDENT_2)
    _replace(lineage_file(paths), data)


def _key(entry: Entry) -> tuple[str, str]:
    return entry["schema"].casefold(), entry["table"].casefold()


def _restore(file: Path, before: bytes | None) -> None:
    if before is None:
        file.unlink(missing_ok=True)
    elif file.read_bytes() != before:
        _replace(file, before)


def _replace(file: Path, data: bytes) -> None:
    part = file.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(file)
    except OSError as error:
        raise EnvironmentFault(
            f"The ingestion catalog {file} cannot be written: {error.strerror or error}",
            code="lineage_unwritable",
            hint="Check the disk's space and the file's permissions; nothing was loaded.",
        ) from error
