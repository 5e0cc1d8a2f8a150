"""What came from where: the ingestion catalog `<root>/data/sources.json`, and the history of loads beside it.

Ingestion writes it, the catalog reads the declared keys. It lies beside the warehouse, since the warehouse holds only
the user's data and DuckDB's own foreign keys would forbid replacing a parent table. What must stay true: an entry says
what the warehouse holds. So the new catalog is written whole to `sources.json.next` before the warehouse commits and
takes its name afterwards; a process killed between the two leaves it to `recover`, which asks the warehouse.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.lines import Lines, write_whole
from pluto_duck_backend.app.core.paths import Paths

Entry = dict[str, Any]
#   {schema, table, connector, source, source_table, mode, loaded_at, loads, rows, columns, primary_key, foreign_keys,
#    request: the load that can be done again, state: {cursor, type, value} of incremental loads,
#    read: {mark: greatest cursor} of the files that it need not read again, table_rows}

_lock = threading.Lock()


def lineage_file(paths: Paths) -> Path:
    return paths.warehouse.parent / "sources.json"


def history_file(paths: Paths) -> Path:
    """One line a load and table, also of those that failed; readable by its user only."""
    return paths.warehouse.parent / "loads.jsonl"


def entries(paths: Paths) -> list[Entry]:
    """Every table that was ever loaded, oldest load first. Raises EnvironmentFault for a damaged file."""
    return _entries(lineage_file(paths))


def _entries(file: Path) -> list[Entry]:
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
    """Gives the entries known so far; whoever writes the warehouse inside calls `prepare` before it commits.

    Leaving well makes what was prepared the catalog; leaving with an exception forgets it.
    """
    file = lineage_file(paths)
    with _lock:
        try:
            yield _entries(file)
        except BaseException:
            _next(file).unlink(missing_ok=True)
            raise
        if _next(file).exists():
            _next(file).replace(file)


def prepare(paths: Paths, known: Sequence[Entry], new: Sequence[Entry]) -> None:
    """Put `known` with `new` in place of the entries for the same tables on disk, for when the warehouse commits."""
    replaced = {_key(each) for each in new}
    kept = [each for each in known if _key(each) not in replaced]
    data = orjson.dumps(
        {"version": 2, "tables": [*kept, *new], "new": [_key(each) for each in new]}, option=orjson.OPT_INDENT_2
    )
    _write(_next(lineage_file(paths)), data)


def recover(paths: Paths, table_rows: Callable[[str, str], int | None]) -> None:
    """After a killed load: the prepared catalog holds if the warehouse has the rows that it says, and had not before.

    `table_rows(schema, table)` counts a table of the warehouse; None where there is none. In doubt the older catalog
    stays: an incremental load then reads again what is there already, and finds it there.
    """
    file = lineage_file(paths)
    with _lock:
        try:
            prepared = orjson.loads(_next(file).read_bytes())
        except FileNotFoundError:
            return
        except orjson.JSONDecodeError:
            _next(file).unlink()
            return
        before = {_key(each): each.get("table_rows") for each in _entries(file)}
        new = {tuple(each) for each in prepared["new"]}
        after = {_key(each): each["table_rows"] for each in prepared["tables"] if _key(each) in new}
        is_there = all(table_rows(*key) == rows for key, rows in after.items())
        if is_there and any(before.get(key) != rows for key, rows in after.items()):
            _next(file).replace(file)
        else:
            _next(file).unlink()


def remember(paths: Paths, loads: Sequence[dict[str, Any]]) -> None:
    """Add loads to the history. Raises EnvironmentFault where it cannot be written."""
    lines = Lines(history_file(paths))
    for each in loads:
        lines.append(orjson.dumps(each))


def history(paths: Paths, limit: int = 100) -> list[dict[str, Any]]:
    """The last loads, newest first."""
    try:
        lines = history_file(paths).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    return [orjson.loads(line) for line in reversed(lines[-limit:])]


def _key(entry: Entry) -> tuple[str, str]:
    return entry["schema"].casefold(), entry["table"].casefold()


def _next(file: Path) -> Path:
    return file.with_suffix(".json.next")


def _write(file: Path, data: bytes) -> None:
    """All of it, on disk and for its user only, or nothing."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            write_whole(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        file.unlink(missing_ok=True)
        raise EnvironmentFault(
            f"The ingestion catalog {file.with_suffix('')} cannot be written: {error.strerror or error}",
            code="lineage_unwritable",
            hint="Check the disk's space and the file's permissions; nothing was loaded.",
        ) from error
