"""Source tables into warehouse tables, inside one transaction that the service holds.

The service calls `Loader.load` once for each target. What must stay true: nothing here commits, and every error
goes through the source's own `explain`, so that it names file, line and column.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

from pluto_duck_backend.app.core.errors import Cancelled, Conflict, InvalidInput, PlutoDuckError, QueryFailed
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion.contract import SourceTable
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.requests import Mode, Progress, TableResult
from pluto_duck_backend.app.services.ingestion.staging import narrowed, stage
from pluto_duck_backend.app.services.ingestion.watch import watched

Steps = Generator[Progress, None, "str"]


@dataclass(frozen=True)
class Assignment:
    """One table of the warehouse and what goes into it."""

    target: Target
    sources: tuple[SourceTable, ...]


class Loader:
    """Loads assignments in one session, one after the other."""

    def __init__(self, session: Session, mode: Mode, cancelled: Callable[[], bool]) -> None:
        self._session = session
        self._mode = mode
        self._cancelled = cancelled

    def load(self, assignment: Assignment) -> Generator[Progress, None, TableResult]:
        """Fill the target; returns what was loaded."""
        target, sources = assignment.target, assignment.sources
        self._check_is_no_view(target)
        selects = []
        for number, source in enumerate(sources):
            with _explained(source):
                selects.append((yield from self._select(source, f"_ingest_{number}", target, alone=len(sources) == 1)))
        self._check_columns(assignment, selects)
        with _explained(sources[-1]):
            rows = yield from self._write(assignment, " UNION ALL BY NAME ".join(selects))
            self._comment(assignment)
        for number in range(len(sources)):
            self._session.execute(f"DROP TABLE IF EXISTS temp.main._ingest_{number}")
        return TableResult(str(target), rows, len(self._columns(f"FROM {target.sql}")))

    def _select(self, source: SourceTable, staged: str, target: Target, *, alone: bool) -> Steps:
        """A SELECT over the source; rows of Python values, and each of several files, are staged first."""
        if source.sql and alone:
            return f"SELECT * FROM ({source.sql})"
        name = f"temp.main.{staged}"
        if source.sql:
            yield from self._run(f"CREATE OR REPLACE TEMP TABLE {staged} AS {source.sql}", source, target)
            return f"SELECT * FROM {name}"
        for rows in stage(self._session, staged, source, self._check_cancelled):
            total = f" of {source.total_rows:,}" if source.total_rows is not None else ""
            yield Progress(str(target), rows, None, source.total_bytes, f"{source.origin}: {rows:,} rows{total}")
        return f"SELECT {narrowed(self._session, name, source.columns)} FROM {name}"

    def _write(self, assignment: Assignment, select: str) -> Generator[Progress, None, int]:
        """Create or extend the target from `select`; returns the rows written."""
        target, source = assignment.target, assignment.sources[-1]
        self._session.execute(f"CREATE SCHEMA IF NOT EXISTS {quote(target.schema)}")
        if self._mode == "append" and self._exists(target):
            yield from self._run(f"INSERT INTO {target.sql} BY NAME {select}", source, target)
            return self._count()
        self._drop(target)
        constraints = self._constraints(assignment, select)
        if not constraints:
            yield from self._run(f"CREATE TABLE {target.sql} AS {select}", source, target)
            return self._count()
        columns = [f"{quote(name)} {kind}" for name, kind in self._columns(select)]
        self._session.execute(f"CREATE TABLE {target.sql} ({', '.join([*columns, *constraints])})")
        yield from self._run(f"INSERT INTO {target.sql} {select}", source, target)
        return self._count()

    def _run(self, sql: str, source: SourceTable, target: Target) -> Iterator[Progress]:
        beat = Progress(str(target), 0, None, source.total_bytes, f"reading {source.origin}")
        yield beat
        self._check_cancelled()
        for _ in watched(self._session, sql, self._cancelled):
            yield beat

    def _count(self) -> int:
        return int(self._session.fetchmany(1)[0][0])

    def _constraints(self, assignment: Assignment, select: str) -> list[str]:
        """PRIMARY KEY and UNIQUE clauses of a single source, as far as the data satisfies them."""
        if len(assignment.sources) != 1:
            return []
        keys = assignment.sources[0].keys
        clauses = []
        if keys.primary_key and self._is_unique(select, keys.primary_key, nulls=False):
            clauses.append(f"PRIMARY KEY ({_names(keys.primary_key)})")
        others = [each for each in keys.unique if set(each) != set(keys.primary_key)]
        clauses += [f"UNIQUE ({_names(each)})" for each in others if self._is_unique(select, each, nulls=True)]
        return clauses

    def _is_unique(self, select: str, columns: Sequence[str], *, nulls: bool) -> bool:
        whole = " AND ".join(f"{quote(each)} IS NOT NULL" for each in columns)
        row = self._session.row(
            f"SELECT count(*) FILTER ({whole}) = count(DISTINCT ({_names(columns)})) FILTER ({whole}),"
            f" count(*) FILTER (NOT ({whole})) = 0 FROM ({select})"
        )
        return bool(row and row[0] and (nulls or row[1]))

    def _check_columns(self, assignment: Assignment, selects: Sequence[str]) -> None:
        """Raise InvalidInput where files for one table differ, or an appended column is unknown to the target."""
        found = [[name for name, _ in self._columns(select)] for select in selects]
        first = assignment.sources[0]
        for source, names in zip(assignment.sources[1:], found[1:], strict=True):
            if _folded(names) != _folded(found[0]):
                raise _mismatch(
                    f"{source.origin} has other columns than {first.origin}: {_difference(names, found[0])}."
                )
        if self._mode == "append" and self._exists(assignment.target):
            there = [name for name, _ in self._columns(f"FROM {assignment.target.sql}")]
            if not _folded(found[0]) <= _folded(there):
                raise _mismatch(
                    f"{first.origin} does not fit table {assignment.target}: {_difference(found[0], there)}."
                )

    def _columns(self, select: str) -> list[tuple[str, str]]:
        return [(str(row[0]), str(row[1])) for row in self._session.rows(f"DESCRIBE {select}")]

    def _exists(self, target: Target, kind: str = "BASE TABLE") -> bool:
        found = self._session.row(
            "SELECT 1 FROM information_schema.tables WHERE table_catalog = current_database()"
            " AND lower(table_schema) = lower(?) AND lower(table_name) = lower(?) AND table_type = ?",
            [target.schema, target.table, kind],
        )
        return found is not None

    def _check_is_no_view(self, target: Target) -> None:
        if self._exists(target, "VIEW"):
            raise Conflict(
                f"{target} is a view, which a load does not replace.",
                code="target_is_view",
                hint=f"Load into another table, or drop the view: DROP VIEW {target.sql}.",
            )

    def _drop(self, target: Target) -> None:
        try:
            self._session.execute(f"DROP TABLE IF EXISTS {target.sql}")
        except QueryFailed as error:
            raise Conflict(
                f"Table {target} cannot be replaced: {error.message}",
                code="target_in_use",
                hint="Drop what depends on it first, or load into another table.",
            ) from error

    def _comment(self, assignment: Assignment) -> None:
        target, source = assignment.target, assignment.sources[0]
        if source.comment:
            self._session.execute(f"COMMENT ON TABLE {target.sql} IS {literal(source.comment)}")
        for column, text in source.column_comments.items():
            self._session.execute(f"COMMENT ON COLUMN {target.sql}.{quote(column)} IS {literal(text)}")

    def _check_cancelled(self) -> None:
        if self._cancelled():
            raise Cancelled("The load was cancelled; nothing was changed.")


@contextlib.contextmanager
def _explained(source: SourceTable) -> Iterator[None]:
    """Turn a failed statement into the source's own words."""
    try:
        yield
    except QueryFailed as error:
        better: PlutoDuckError = source.explain(error)
        if better is error:
            raise
        raise better from error


def _names(columns: Sequence[str]) -> str:
    return ", ".join(quote(each) for each in columns)


def _folded(names: Sequence[str]) -> set[str]:
    return {name.casefold() for name in names}


def _difference(names: Sequence[str], expected: Sequence[str]) -> str:
    new = [name for name in names if name.casefold() not in _folded(expected)]
    missing = [name for name in expected if name.casefold() not in _folded(names)]
    parts = [f"unknown {', '.join(new)}"] if new else []
    return "; ".join([*parts, f"missing {', '.join(missing)}"] if missing else parts)


def _mismatch(message: str) -> InvalidInput:
    return InvalidInput(
        message, code="columns_differ", hint="Load it into a table of its own, or make the columns agree."
    )
