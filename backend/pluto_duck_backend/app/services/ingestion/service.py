"""Sources into warehouse tables: the one door of ingestion.

The workspace holds an `IngestionService`; the command line and the API call it through jobs. What must stay true: a
request is one transaction, so readers see all of it or nothing, and a failed or cancelled load changes nothing.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pluto_duck_backend.app.core import lineage, secret_references
from pluto_duck_backend.app.core.config import IngestSettings
from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, InvalidInput, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.ids import new_id
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.warehouse import Session, Warehouse, literal
from pluto_duck_backend.app.services.ingestion import ledger, marks, positions, registry
from pluto_duck_backend.app.services.ingestion.assign import assign
from pluto_duck_backend.app.services.ingestion.assignment import Assignment
from pluto_duck_backend.app.services.ingestion.attaching import Attaching
from pluto_duck_backend.app.services.ingestion.contract import SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.loader import Loaded, Loader
from pluto_duck_backend.app.services.ingestion.names import Target, parse_target
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest, LoadResult, Progress, TableResult
from pluto_duck_backend.app.services.ingestion.sources import expand, files_of, is_url, named
from pluto_duck_backend.app.services.ingestion.watch import interruptible

_AGAIN = {
    "types_from_sample": "types of the first rows do not fit the later ones; reading all rows",
    "rows_to_mend": "some rows cannot be read; putting them aside",
    "out_of_memory": "it takes more memory",
    "ties_to_read": "new rows share the greatest cursor that was read; reading its files again",
    "files_to_read": "files that were read before are wanted again",
}
#   the codes of errors that a closer look may mend
_OTHER_FILES = frozenset(("ties_to_read", "files_to_read"))


class IngestionService:
    """Loads sources into one warehouse. Thread-safe; loads of several threads come one after the other."""

    def __init__(self, warehouse: Warehouse, paths: Paths, settings: IngestSettings) -> None:
        self.warehouse = warehouse
        self._paths = paths
        self._settings = settings
        self.is_alone = True
        """Whether this process does nothing else: then a load keeps to little memory."""
        self._attaching = Attaching(warehouse)
        lineage.recover(paths, self._rows_of)

    def plan(self, sources: Sequence[str], *, table: str | None = None, **options: Any) -> list[IngestRequest]:
        """One request a source, or one for all of them where `table` is given; paths become absolute.

        `options` are the other fields of an IngestRequest. Raises UserError for a missing or empty file, an unknown
        mode or type of file, a bad table name.
        """
        if not sources:
            raise InvalidInput("No source is named.", code="bad_ingest_request", hint="Name a file, glob or folder.")
        requests = [IngestRequest.from_dict(each) for each in named(sources, table, options)]
        for source in (source for source in sources if not is_url(source)):
            for file in expand(source):
                registry.for_file(file)
        if table:
            parse_target(table)
        return requests

    def load(self, request: IngestRequest, *, cancelled: Callable[[], bool]) -> Iterator[Progress | LoadResult]:
        """Do what `request` says, yielding progress and at last the LoadResult.

        Types of text files come from a sample first; where a later row does not fit, all rows are looked at. Raises
        a PlutoDuckError naming the source and the place in it; Cancelled when stopped.
        """
        started, load_id = time.monotonic(), new_id("load")

        def elapsed_ms() -> int:
            return round((time.monotonic() - started) * 1000)

        try:
            loaded, warnings = yield from self._patiently(request.checked(), cancelled)
        except PlutoDuckError as error:
            with contextlib.suppress(EnvironmentFault):  # what went wrong matters more than that it cannot be noted
                lineage.remember(self._paths, ledger.failed(load_id, request, error.to_dict(), elapsed_ms()))
            raise
        try:
            lineage.remember(self._paths, ledger.succeeded(load_id, request, loaded, elapsed_ms()))
        except EnvironmentFault as error:
            warnings.append(f"the load is complete, but not in the history: {error.message}")
        yield LoadResult([each.result for each in loaded], request.mode, warnings, elapsed_ms())

    def _patiently(
        self, request: IngestRequest, cancelled: Callable[[], bool]
    ) -> Generator[Progress, None, tuple[list[Loaded], list[str]]]:
        """Try again after a fault that may pass, waiting twice as long each time; nothing was changed by then."""
        retries = self._settings.retries if request.retries is None else request.retries
        for tried in range(retries + 1):
            try:
                return (yield from self._tried(request, cancelled))
            except PlutoDuckError as error:
                _check_not(cancelled, error)
                if not error.retryable or tried == retries:
                    raise
                pause = self._settings.retry_s * 2**tried
                yield Progress("", 0, None, None, f"{error.message} Trying again in {pause:g} s.")
                yield from _paused(pause, cancelled)
        raise AssertionError("the last try ends above")

    def _tried(
        self, request: IngestRequest, cancelled: Callable[[], bool]
    ) -> Generator[Progress, None, tuple[list[Loaded], list[str]]]:
        """Files are first read fast; `again` says what to look at more closely where that does not do."""
        again: set[str] = set()
        while True:
            try:
                return (yield from self._attempt(request, cancelled, again))
            except QueryFailed as error:
                if error.code not in _AGAIN or error.code in again:
                    raise
                again.add(error.code)
                yield Progress("", 0, None, None, _AGAIN[error.code])

    def _attempt(
        self, request: IngestRequest, cancelled: Callable[[], bool], again: Collection[str]
    ) -> Generator[Progress, None, tuple[list[Loaded], list[str]]]:
        choice = self._choice(request, again)
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pluto-duck-")))
            yield Progress("", 0, None, None, "looking at the source")
            tables = _open(request, self._toolbox(request, cancelled, again, choice, folder), stack)
            assignments = [replace(each, unread=choice.unread) for each in assign(tables, request.target)]
            modest = self.warehouse.modest if self.is_alone and "out_of_memory" not in again else contextlib.nullcontext
            results = yield from self._write(request, assignments, cancelled, modest)
            return results, [told for each in results for told in each.warnings]

    def _choice(self, request: IngestRequest, again: Collection[str]) -> marks.Choice:
        """Which of several files are read."""
        needless = partial(self._needless, request, strictly="ties_to_read" in again)
        return marks.Choice(frozenset if "files_to_read" in again else needless)

    def _toolbox(
        self,
        request: IngestRequest,
        cancelled: Callable[[], bool],
        again: Collection[str],
        choice: marks.Choice,
        folder: Path,
    ) -> Toolbox:
        return Toolbox(
            partial(self._reading, cancelled),
            self._attaching.file,
            self._attaching.sqlite,
            partial(self._attaching.server, cancelled),
            folder,
            self._settings.sample_rows,
            cancelled,
            thorough=not _OTHER_FILES.issuperset(again),
            mending="rows_to_mend" in again,
            max_rejects=self._max_rejects(request),
            stall_s=self._settings.stall_s,
            wanted=choice.wanted,
        )

    @contextlib.contextmanager
    def _reading(self, cancelled: Callable[[], bool]) -> Iterator[Session]:
        """A reading session in which a connector may take its time."""
        with self.warehouse.read() as session, interruptible(session, cancelled):
            yield session

    def _needless(self, request: IngestRequest, *, strictly: bool) -> frozenset[str]:
        """The marks of files that hold nothing which an incremental load into one table wants.

        Those whose greatest cursor is where it reads on were taken whole; `strictly` they are wanted all the same.
        """
        if request.mode != "incremental" or not request.target:
            return frozenset()
        position = ledger.position_of(parse_target(request.target), request, lineage.entries(self._paths))
        if position is None or position.value is None or not position.read:
            return frozenset()
        with self.warehouse.read() as session:
            since = positions.since(session, position, request.look_back)
            return marks.below(session, position.read, since, strictly=strictly or bool(request.look_back))

    def _max_rejects(self, request: IngestRequest) -> int:
        return self._settings.max_rejects if request.max_rejects is None else request.max_rejects

    def _write(
        self,
        request: IngestRequest,
        assignments: Sequence[Assignment],
        cancelled: Callable[[], bool],
        modest: Callable[[], contextlib.AbstractContextManager[None]],
    ) -> Generator[Progress, None, list[Loaded]]:
        with (
            lineage.recorded(self._paths) as known,
            _commit_explained(assignments),
            self.warehouse.write() as session,
            interruptible(session, cancelled),
        ):
            loader = Loader(session, request, cancelled, modest)
            results = []
            for assignment in assignments:
                position = ledger.position_of(assignment.target, request, known)
                results.append((yield from loader.load(assignment, position)))
                yield _done(results[-1].result)
            lineage.prepare(self._paths, known, ledger.describe(assignments, results, request, known))
        return results

    def sources(self) -> list[dict[str, Any]]:
        """What came from where, oldest first: the entries of the ingestion catalog.

        Each is `{table, connector, source, source_table, mode, loaded_at, loads, rows, columns, exists, …}`;
        `exists` is false where the table has been dropped since; `next` says what the same load would do next.
        """
        with self.warehouse.read() as session:
            rows = session.rows("SELECT lower(schema_name), lower(table_name) FROM duckdb_tables() WHERE NOT internal")
        there = set(rows)
        return [
            {
                **{name: value for name, value in each.items() if name != "read"},
                "exists": (each["schema"].lower(), each["table"].lower()) in there,
                "next": ledger.next_load(each),
            }
            for each in lineage.entries(self._paths)
        ]

    def history(self, limit: int = 100) -> list[dict[str, Any]]:
        """The last loads, newest first, also those that failed: one object a load and table."""
        return lineage.history(self._paths, limit)

    def _rows_of(self, schema: str, table: str) -> int | None:
        with self.warehouse.read() as session:
            is_it = f"lower(schema_name) = {literal(schema)} AND lower(table_name) = {literal(table)}"
            if not session.row(f"SELECT 1 FROM duckdb_tables() WHERE {is_it}"):
                return None
            row = session.row(f"SELECT count(*) FROM {Target(schema, table).sql}")
            return int(row[0]) if row else None


def _check_not(cancelled: Callable[[], bool], cause: PlutoDuckError | None = None) -> None:
    """Raise Cancelled where the user has asked for it, whatever came of it."""
    if cancelled():
        raise Cancelled("The load was cancelled; nothing was changed.") from cause


def _done(result: TableResult) -> Progress:
    return Progress(result.table, result.rows, None, None, f"{result.table}: {result.rows:,} rows")


def _paused(seconds: float, cancelled: Callable[[], bool]) -> Iterator[Progress]:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        _check_not(cancelled)
        time.sleep(min(left, 0.1))
    yield Progress("", 0, None, None, "trying again")


@contextlib.contextmanager
def _commit_explained(assignments: Sequence[Assignment]) -> Iterator[None]:
    """A source that breaks off when its own transaction is to end ends the load, in the source's words."""
    try:
        yield
    except QueryFailed as error:
        if "Failed to commit" not in error.message:
            raise
        raise assignments[-1].sources[-1].explain(error) from error


def _open(request: IngestRequest, tools: Toolbox, stack: contextlib.ExitStack) -> list[SourceTable]:
    """Every table of every file (or of the source that is no file) that the request names."""
    config = secret_references.resolve(request.config)
    chosen = registry.chosen(request.connector, config)
    if chosen and chosen.suffixes and "url" in config:
        chosen, config = registry.for_url(str(config["url"])), {**config, "format": request.connector}
    if chosen and not chosen.suffixes:
        return list(stack.enter_context(chosen.open(config, tools)))
    tables: list[SourceTable] = []
    options = {name: value for name, value in request.config.items() if name not in ("path", "paths")}
    files = {str(file): marks.of_file(file, {**options, "connector": request.connector}) for file in files_of(config)}
    for file in tools.wanted(files):
        of_file = chosen or registry.for_file(Path(file))
        opened = stack.enter_context(of_file.open({**config, "path": file}, tools))
        tables += [replace(each, mark="" if each.own_name else files[file]) for each in opened]
    return tables
