"""A large file of JSON lines, read in one pass with the columns of its first objects.

The JSON connector uses it. DuckDB takes its columns from a file put before, of one object that has the names of the
sample and nothing but texts: so it reads numbers as they are spelt, and a later name that is not among these, or one
that is there twice, stops the statement (`can_be_trusted` tells whether). What must stay true: a text becomes what the
sample promises only where nothing of it is lost; everything else stops the statement with words that make the load
look at all objects.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pluto_duck_backend.app.core.errors import QueryFailed
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.connectors import exact
from pluto_duck_backend.app.services.ingestion.contract import Toolbox

OTHER_TYPE = "a value of another type"
STOPS = (OTHER_TYPE, "Conversion Error", "JSON transform error")
"""What is said where a later object is not like the first ones."""
_ENOUGH = 20_480  # objects: since a later surprise stops the load, more would cost time and decide nothing
_FILE = "filename"  # DuckDB's own name for that column: only by it does a file that is not wanted go unread
_LOSSLESS = ("TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "TIME", "UUID")
_UNSURE = re.compile(r"\b(JSON|MAP)\b")


def can_be_trusted(tools: Toolbox) -> bool:
    """Whether DuckDB stops at a name that its first file has not: 2.0 passes over it, and its values would be lost."""
    first, late = _put(tools, '{"a": 1}'), _put(tools, '{"a": 1}\n{"b": 1}')
    try:
        with tools.read() as session:
            session.rows(f"FROM {_read([first, late])}")
    except QueryFailed:
        return True
    return False


def select(session: Session, path: Path, tools: Toolbox) -> str:
    """A SELECT over the file. Raises QueryFailed where its first objects do not say what its columns are."""
    rows = min(tools.sample_rows, _ENOUGH)
    file = literal(str(path))
    promised = _columns(session, f"read_json({file}, format = 'newline_delimited', sample_size = {rows})")
    if any(_UNSURE.search(kind) for kind in promised.values()) or _FILE in promised:
        raise QueryFailed("objects of many kinds", code="types_from_sample")
    first = _first_file(session, file, rows, tools)
    read = _read([first, path])
    there = _columns(session, f"(SELECT * EXCLUDE ({_FILE}) FROM {read})")
    if list(there) != list(promised):
        raise QueryFailed("objects of names that DuckDB changes", code="types_from_sample")
    columns = ", ".join(f"{_as(quote(name), kind, there[name])} AS {quote(name)}" for name, kind in promised.items())
    return f"SELECT {columns} FROM {read} WHERE {_FILE} <> {literal(str(first))}"


def _read(paths: Sequence[Path]) -> str:
    files = ", ".join(literal(str(path)) for path in paths)
    return f"read_json([{files}], format = 'newline_delimited', records = 'true', sample_size = 1, filename = true)"


def _columns(session: Session, rows: str) -> dict[str, str]:
    return {str(row[0]): str(row[1]) for row in session.rows(f"DESCRIBE FROM {rows}")}


def _first_file(session: Session, file: str, rows: int, tools: Toolbox) -> Path:
    """One object of all names in the sample: DuckDB's word for their structure is such an object."""
    objects = f"read_ndjson_objects({file})"
    row = session.row(f"SELECT json_group_structure(json)::VARCHAR FROM (SELECT json FROM {objects} LIMIT {rows})")
    return _put(tools, row[0] if row else "{}")


def _put(tools: Toolbox, text: str) -> Path:
    """A file of some objects."""
    path = tools.new_file(".ndjson")
    path.write_text(f"{text}\n", encoding="utf-8")
    return path


def _as(column: str, kind: str, there: str) -> str:
    """The column as `kind`; `there` is how it comes: VARCHAR for texts, JSON for other scalars, or both in a STRUCT."""
    if kind == there == "VARCHAR":
        return column
    is_scalar = there in ("VARCHAR", "JSON")
    text = f"CAST({column} AS VARCHAR)" if is_scalar else column
    value = f"CAST({text} AS {kind})"
    if kind == "BIGINT":
        return exact.whole_number(text, OTHER_TYPE)
    if kind == "DOUBLE":
        return exact.number(text, OTHER_TYPE, spelt=False)
    if kind in _LOSSLESS:
        return value
    is_same = f"CAST({value} AS {'VARCHAR' if is_scalar else there}) IS NOT DISTINCT FROM {text}"
    return f"CASE WHEN {is_same} THEN {value} ELSE error({literal(OTHER_TYPE)}) END"
