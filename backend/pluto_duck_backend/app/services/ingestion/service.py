"""Sources into warehouse tables: the one door of ingestion.

The workspace holds an `IngestionService`; the command line and the API call it through jobs. What must stay true: a
request is one transaction, so readers see all of it or nothing, and a failed or cancelled load changes nothing.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core import lineage
from pluto_duck_backend.app.core.config import IngestSettings
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InvalidInput, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Warehouse, literal
from pluto_duck_backend.app.services.ingestion import ledger, registry
from pluto_duck_backend.app.services.ingestion.assign import assign
from pluto_duck_backend.app.services.ingestion.contract import SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.loader import Assignment, Loaded, Loader
from pluto_duck_backend.app.services.ingestion.names import Target, parse_target
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest, LoadResult, Progress
from pluto_duck_backend.app.services.ingestion.sources import expand, files_of


class IngestionService:
    """Loads sources into one warehouse. Thread-safe; loads of several threads come one after the other."""

    def __init__(self, warehouse: Warehouse, paths: Paths, settings: IngestSettings) -> None:
        self._warehouse = warehouse
        self._paths = paths
        self._settings = settings
        lineage.recover(paths, self._rows_of)

    def plan(self, sources: Sequence[str], *, table: str | None = None, **options: Any) -> list[IngestRequest]:
        """One request a source, or one for all of them where `table` is given; paths become absolute.

        `options` are the other fields of an IngestRequest. Raises UserError for a missing or empty file, an unknown
        mode or type of file, a bad table name.
        """
        if not sources:
            raise InvalidInput("No source is named.", code="bad_ingest_request", hint="Name a file, glob or folder.")
        for file in (file for source in sources for file in expand(source)):
            registry.for_file(file)
        absolute = [str(Path(source).expanduser().absolute()) for source in sources]
        if table:
            parse_target(table)
            config: dict[str, Any] = {"path": absolute[0]} if len(absolute) == 1 else {"paths": absolute}
            return [IngestRequest.from_dict({"config": config, "target": table, **options})]
        return [IngestRequest.from_dict({"config": {"path": each}, **options}) for each in absolute]

    def load(self, request: IngestRequest, *, cancelled: Callable[[], bool]) -> Iterator[Progress | LoadResult]:
        """Do what `request` says, yielding progress and at last the LoadResult.

        Types of text files come from a sample first; where a later row does not fit, all rows are looked at. Raises
        a PlutoDuckError naming the source and the place in it; Cancelled when stopped.
        """
        started, load_id = time.monotonic(), new_id("load")

        def elapsed_ms() -> int:
            return round((time.monotonic() - started) * 1000)

        try:
            loaded, warnings = yield from self._tried(request.checked(), cancelled)
        except PlutoDuckError as error:
            with contextlib.suppress(EnvironmentFault):  # what went wrong matters more than that it cannot be noted
                lineage.remember(self._paths, ledger.failed(load_id, request, error.to_dict(), elapsed_ms()))
            raise
        try:
            lineage.remember(self._paths, ledger.succeeded(load_id, request, loaded, elapsed_ms()))
        except EnvironmentFault as error:
            warnings.append(f"the load is complete, but not in the history: {error.message}")
        yield LoadResult([each.result for each in loaded], request.mode, warnings, elapsed_ms())

    def _tried(
        self, request: IngestRequest, cancelled: Callable[[], bool]
    ) -> Generator[Progress, None, tuple[list[Loaded], list[str]]]:
        try:
            return (yield from self._attempt(request, cancelled, thorough=False))
        except QueryFailed as error:
            if error.code != "types_from_sample":
                raise
        yield Progress("", 0, None, None, "types of the first rows do not fit the later ones; reading all rows")
        return (yield from self._attempt(request, cancelled, thorough=True))

    def _attempt(
        self, request: IngestRequest, cancelled: Callable[[], bool], *, thorough: bool
    ) -> Generator[Progress, None, tuple[list[Loaded], list[str]]]:
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pluto-duck-")))
            tools = Toolbox(
                self._warehouse.read, self._attached, folder, self._settings.sample_rows, cancelled, thorough
            )
            yield Progress("", 0, None, None, "looking at the source")
            tables = _open(request, tools, stack)
            assignments = assign(tables, request.target)
            results = yield from self._write(request, assignments, cancelled)
            told = [f"{each.origin}: {note}" for each in tables for note in each.warnings]
            return results, told + [f"{each.result.table}: {note}" for each in results for note in each.notes]

    def _write(
        self, request: IngestRequest, assignments: Sequence[Assignment], cancelled: Callable[[], bool]
    ) -> Generator[Progress, None, list[Loaded]]:
        results = []
        with lineage.recorded(self._paths) as known, self._warehouse.write() as session:
            loader = Loader(session, request, cancelled)
            for assignment in assignments:
                position = ledger.position_of(assignment.target, request, known)
                loaded = yield from loader.load(assignment, position)
                results.append(loaded)
                result = loaded.result
                yield Progress(result.table, result.rows, None, None, f"{result.table}: {result.rows:,} rows")
            lineage.prepare(self._paths, known, ledger.describe(assignments, results, request, known))
        return results

    def sources(self) -> list[dict[str, Any]]:
        """What came from where, oldest first: the entries of the ingestion catalog.

        Each is `{table, connector, source, source_table, mode, loaded_at, loads, rows, columns, exists, …}`;
        `exists` is false where the table has been dropped since; `next` says what the same load would do next.
        """
        with self._warehouse.read() as session:
            rows = session.rows("SELECT lower(schema_name), lower(table_name) FROM duckdb_tables() WHERE NOT internal")
        there = set(rows)
        return [
            {
                **each,
                "exists": (each["schema"].lower(), each["table"].lower()) in there,
                "next": ledger.next_load(each),
            }
            for each in lineage.entries(self._paths)
        ]

    def history(self, limit: int = 100) -> list[dict[str, Any]]:
        """The last loads, newest first, also those that failed: one object a load and table."""
        return lineage.history(self._paths, limit)

    def _rows_of(self, schema: str, table: str) -> int | None:
        with self._warehouse.read() as session:
            there = "SELECT 1 FROM duckdb_tables() WHERE lower(schema_name) = ? AND lower(table_name) = ?"
            if not session.row(there, [schema, table]):
                return None
            row = session.row(f"SELECT count(*) FROM {Target(schema, table).sql}")
            return int(row[0]) if row else None

    @contextlib.contextmanager
    def _attached(self, path: Path) -> Iterator[str]:
        """Another DuckDB file, readable under the name given; raises for the warehouse itself and for no database."""
        if self._warehouse.path.exists() and path.samefile(self._warehouse.path):
            raise Conflict(f"{path} is the warehouse itself.", code="source_is_warehouse", hint="Name another file.")
        alias = f"_ingest_{uuid.uuid4().hex[:8]}"
        try:
            with self._warehouse.read() as session:
                session.execute(f"ATTACH {literal(str(path))} AS {alias} (READ_ONLY)")
        except PlutoDuckError as error:
            raise _cannot_attach(path, error) from error
        try:
            yield alias
        finally:
            with self._warehouse.read() as session:
                session.execute(f"DETACH {alias}")


def _open(request: IngestRequest, tools: Toolbox, stack: contextlib.ExitStack) -> list[SourceTable]:
    """Every table of every file (or of the source that is no file) that the request names."""
    if request.connector != "auto" and not registry.get(request.connector).suffixes:
        return list(stack.enter_context(registry.get(request.connector).open(request.config, tools)))
    tables: list[SourceTable] = []
    for file in files_of(request.config):
        chosen = registry.for_file(file) if request.connector == "auto" else registry.get(request.connector)
        config = {**request.config, "path": str(file)}
        tables += stack.enter_context(chosen.open(config, tools))
    return tables


def _cannot_attach(path: Path, error: PlutoDuckError) -> PlutoDuckError:
    text = error.message.casefold()
    if "could not set lock" in text or "conflicting lock" in text:
        return EnvironmentFault(
            f"Another program has {path} open for writing.", code="source_busy", hint="Close it.", retryable=True
        )
    if "already attached" in text or "unique file handle" in text:
        return Conflict(f"{path} is being loaded already.", code="source_busy", hint="Wait until that load ends.")
    return InvalidInput(
        f"{path} cannot be read as a DuckDB file: {error.message.splitlines()[0]}",
        code="unreadable_file",
        hint="Check that it is a DuckDB file, whole and of a version this DuckDB reads.",
    )
