"""Source tables into warehouse tables, inside one transaction that the service holds.

The service calls `Loader.load` once for each target. What must stay true: nothing here commits, and every error
goes through the source's own `explain`, so that it names file, line and column.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pluto_duck_backend.app.core.errors import (
    Cancelled,
    Conflict,
    EnvironmentFault,
    InvalidInput,
    PlutoDuckError,
    QueryFailed,
)
from pluto_duck_backend.app.core.warehouse import Session, literal, quote
from pluto_duck_backend.app.services.ingestion import existing, marks, positions, rejects, storing, writing
from pluto_duck_backend.app.services.ingestion.contract import Since, SourceTable
from pluto_duck_backend.app.services.ingestion.evolution import alike, check_contract, evolution, misfit
from pluto_duck_backend.app.services.ingestion.names import Target
from pluto_duck_backend.app.services.ingestion.positions import Position
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest, Progress, TableResult
from pluto_duck_backend.app.services.ingestion.staging import narrowed, stage
from pluto_duck_backend.app.services.ingestion.together import union
from pluto_duck_backend.app.services.ingestion.watch import watched

Steps = Generator[Progress, None, "str"]
_LARGE_BYTES, _LARGE_ROWS = 64_000_000, 1_000_000
_INDEXED_ROWS = 6_000_000  # an index of more has been seen to take more than a gigabyte of memory
_NEW = "temp.main._ingest_new"
_ALREADY_SAID = ("disk_full", "out_of_memory", "ties_to_read")  # errors that are no source's


@dataclass(frozen=True)
class Assignment:
    """One table of the warehouse and what goes into it."""

    target: Target
    sources: tuple[SourceTable, ...]
    unread: Mapping[str, str] = field(default_factory=dict)
    """Files that hold nothing new: their marks by origin."""

    @property
    def is_one(self) -> bool:
        """Whether this is all that was named; of several files each is looked at by itself."""
        return len(self.sources) == 1 and not self.unread

    @property
    def origin(self) -> str:
        return "; ".join([*self.unread, *(each.origin for each in self.sources)])


@dataclass(frozen=True)
class Loaded:
    """A target that has been filled: what the ingestion catalog is to know of it."""

    result: TableResult
    table_rows: int
    position: Position | None = None
    warnings: tuple[str, ...] = ()


class Loader:
    """Loads assignments of one request in one session, one after the other."""

    def __init__(
        self,
        session: Session,
        request: IngestRequest,
        cancelled: Callable[[], bool],
        modest: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
    ) -> None:
        """`modest`: within it a statement that holds nothing of what it reads is to run."""
        self._modest = modest
        self._session = session
        self._request = request
        self._cancelled = cancelled

    def load(self, assignment: Assignment, position: Position | None = None) -> Generator[Progress, None, Loaded]:
        """Fill the target, from `position` on where the load is incremental; returns what was loaded."""
        target = assignment.target
        self._check_is_no_view(target)
        is_new = self._request.mode == "replace" or not existing.columns_of(self._session, target)
        if self._request.mode == "incremental" and not is_new:
            position = position or self._position_in_table(target)
        bound = None if is_new else self._bound(position)
        has_ties = self._leaves_ties(assignment, position, bound)
        assignment = replace(assignment, sources=tuple(_for_load(each, bound) for each in assignment.sources))
        sources = assignment.sources
        if self._request.mode == "incremental" and is_new:
            position = self._first_position(sources[0])
        selects = []
        for number, source in enumerate(sources):
            with _explained(source):
                steps = self._select(source, f"_ingest_{number}", target, bound, alone=assignment.is_one)
                selects.append((yield from steps))
        with _explained(sources[-1]):
            select = union(self._session, sources, selects)
            add = self._create if is_new else partial(self._add, since=bound, has_ties=has_ties)
            written, notes = yield from add(assignment, select)
        after = self._after(assignment, position, bound) if position else None
        self._drop_staged(len(sources))
        rejected = [reject for source in sources for reject in source.rejects]
        rejects.keep(self._session, target, rejected, anew=is_new)
        return self._loaded(assignment, written, notes, after, len(rejected))

    def _loaded(
        self,
        assignment: Assignment,
        written: writing.Written,
        notes: Sequence[str],
        after: Position | None,
        rejected: int,
    ) -> Loaded:
        target = assignment.target
        count = self._count_of(target.sql)
        columns = len(self._columns(target.sql_from))
        result = TableResult(
            str(target),
            written.inserted + written.updated,
            columns,
            rejected,
            inserted=written.inserted,
            updated=written.updated,
            deleted=written.deleted,
        )
        told = [f"{each.origin}: {note}" for each in assignment.sources for note in each.warnings]
        return Loaded(result, count, after, (*told, *(f"{target}: {note}" for note in notes)))

    def _leaves_ties(self, assignment: Assignment, position: Position | None, bound: Since | None) -> bool:
        """Whether files that were left out may reach the bound, though none exceeds it.

        Raises QueryFailed, which has all files read, where by now one that was left out is wanted.
        """
        left = set(assignment.unread.values())
        if not left:
            return False
        read = position.read if position and bound else {}
        if not (bound and left <= self._below(read, bound, strictly=bool(self._request.look_back))):
            raise QueryFailed("a file that was left out is wanted", code="files_to_read")
        return not left <= self._below(read, bound, strictly=True)

    def _below(self, read: marks.Read, bound: Since, *, strictly: bool) -> frozenset[str]:
        return marks.below(self._session, read, bound, strictly=strictly)

    def _check_no_ties(self, select: str, bound: Since, origin: str) -> None:
        """Raise QueryFailed, which has them read, where a row may be that of a file that was left out again."""
        column, _ = self._cursor_in(select, bound.column, origin)
        is_tied = positions.tied(column, bound, keyed=bool(self._request.key))
        if self._session.row(f"SELECT 1 FROM ({select}) WHERE {is_tied} LIMIT 1"):
            raise QueryFailed("rows share the cursor of files that were left out", code="ties_to_read")

    def _after(self, assignment: Assignment, position: Position, bound: Since | None) -> Position:
        """How far the target has been read now, and which files."""
        after = positions.current(self._session, assignment.target, position)
        left = assignment.unread.values() if after.type == position.type else ()
        read = {mark: position.read[mark] for mark in left}
        staged = ((each.mark, f"temp.main._ingest_{number}") for number, each in enumerate(assignment.sources))
        for mark, relations in ({} if assignment.is_one else marks.by_mark(staged)).items():
            value = self._greatest(relations, after, bound)
            read |= {} if value is None else {mark: value}
        return replace(after, read=read)

    def _greatest(self, relations: Sequence[str], after: Position, bound: Since | None) -> str | None:
        """What no cursor in a file exceeds; None where its cursors are of another type than the table's."""
        kinds = {self._cursor_in(f"FROM {each}", after.cursor, each)[1] for each in relations}
        if kinds != {after.type} or (bound and bound.type != after.type):
            return None
        return marks.greatest(self._session, relations, after.cursor, bound)

    def _first_position(self, source: SourceTable) -> Position:
        """That of a table which is not there yet: none, of the column as the source spells it."""
        cursor = self._request.cursor or ""
        names = self._source_columns(source) or [cursor]
        return Position(positions.cursor_column(cursor, names, source.origin), "VARCHAR", None)

    def _position_in_table(self, target: Target) -> Position:
        """Where to begin when nothing was stored: what the table holds already."""
        there = [name for name, _ in self._columns(target.sql_from)]
        name = positions.cursor_column(self._request.cursor or "", there, f"Table {target}")
        return positions.current(self._session, target, Position(name, "VARCHAR", None))

    def _source_columns(self, source: SourceTable) -> list[str]:
        if source.columns or not source.sql:
            return [each.name for each in source.columns]
        return [name for name, _ in self._columns(source.sql)]

    def _bound(self, position: Position | None) -> Since | None:
        if position is None or position.value is None:
            return None
        return positions.since(self._session, position, self._request.look_back)

    def _select(self, source: SourceTable, staged: str, target: Target, since: Since | None, *, alone: bool) -> Steps:
        """A SELECT over the source; rows of Python values, and each of several files, are staged first."""
        rows_of_it = source.sql_since(since) if since and source.sql_since else source.sql
        is_query = source.sql and not (since and source.batches_since)
        if is_query and alone:
            return self._wanted(rows_of_it, source, target, since)
        name = f"temp.main.{staged}"
        if is_query:
            wanted = self._wanted(rows_of_it, source, target, since)
            yield from self._run(f"CREATE OR REPLACE TEMP TABLE {staged} AS {wanted}", source, target)
            return f"SELECT * FROM {name}"
        for rows in stage(self._session, staged, source, self._check_cancelled, since):
            total = f" of {source.total_rows:,}" if source.total_rows is not None else ""
            yield Progress(str(target), rows, None, source.total_bytes, f"{source.origin}: {rows:,} rows{total}")
        narrow = f"SELECT {narrowed(self._session, name, source.columns)} FROM {name}"
        return self._wanted(narrow, source, target, since)

    def _wanted(self, rows: str, source: SourceTable, target: Target, since: Since | None) -> str:
        """Of `rows` those from `since` on, those without a cursor too, of whatever type their column is."""
        if since is None:
            return f"SELECT * FROM ({rows})"
        column, kind = self._cursor_in(rows, since.column, source.origin)
        is_alike = alike(kind, since.type)
        if not is_alike:
            self._check_values_fit(Assignment(target, (source,)), rows, column, since.type)
        return f"SELECT * FROM ({rows}) WHERE {positions.window(column, since, is_alike=is_alike)}"

    def _cursor_in(self, rows: str, cursor: str, origin: str) -> tuple[str, str]:
        """The column called `cursor` as `rows` spell it, and its type there."""
        kinds = dict(self._columns(rows))
        name = positions.cursor_column(cursor, list(kinds), origin)
        return name, kinds[name]

    def _create(
        self, assignment: Assignment, select: str
    ) -> Generator[Progress, None, tuple[writing.Written, list[str]]]:
        """The target anew from `select`."""
        target, source = assignment.target, assignment.sources[-1]
        if self._request.mode == "merge":
            select = yield from self._staged(assignment, select)
        elif self._request.key:
            yield from self._run(f"CREATE OR REPLACE TEMP TABLE _ingest_new AS {select}", source, target)
            select = self._of_each_key(assignment, f"FROM {_NEW}")
        elif source.sql and (source.keys.primary_key or source.keys.unique):  # looked at first; nothing is read twice
            whole = self._fast(assignment, select)
            with self._modest():
                yield from self._run(f"CREATE OR REPLACE TEMP TABLE _ingest_new AS {whole}", source, target)
            select = f"FROM {_NEW}"
        self._session.execute(f"CREATE SCHEMA IF NOT EXISTS {quote(target.schema)}")
        self._drop(target)
        with self._modest():
            constraints, notes = self._constraints(assignment, select)
            if constraints:
                columns = [f"{quote(name)} {kind}" for name, kind in self._columns(select)]
                self._session.execute(f"CREATE TABLE {target.sql} ({', '.join([*columns, *constraints])})")
                yield from self._run(f"INSERT INTO {target.sql} {select}", source, target)
            else:
                yield from self._run(self._filling(assignment, select), source, target)
        written = writing.Written(inserted=self._count())
        self._comment(assignment)
        return written, notes

    def _filling(self, assignment: Assignment, select: str) -> str:
        """The statement that fills the new table; of a large file the way of storing is chosen beforehand."""
        target, fast = assignment.target, self._fast(assignment, select)
        is_large_file = fast != select and assignment.sources[0].total_bytes is not None
        columns = storing.columns_of(self._session, select, self._columns(select)) if is_large_file else None
        if columns is None:
            return f"CREATE TABLE {target.sql} AS {fast}"
        self._session.execute(f"CREATE TABLE {target.sql} ({', '.join(columns)})")
        return f"INSERT INTO {target.sql} {fast}"

    def _fast(self, assignment: Assignment, select: str) -> str:
        """Large sources are loaded without regard to their order, which takes DuckDB about a third less.

        DuckDB gives up the order where a part of the plan has none, such as the groups of nothing here; its setting
        would hold for every query of the process.
        """
        source = assignment.sources[0]
        is_unknown = source.total_bytes is None and source.total_rows is None
        is_large = is_unknown or (source.total_bytes or 0) >= _LARGE_BYTES or (source.total_rows or 0) >= _LARGE_ROWS
        if len(assignment.sources) > 1 or not source.sql or not is_large:
            return select
        nothing = ", ".join("NULL" for _ in self._columns(select))
        return f"{select} UNION ALL SELECT {nothing} FROM (SELECT range AS r FROM range(0) GROUP BY r)"

    def _add(
        self, assignment: Assignment, select: str, since: Since | None, *, has_ties: bool
    ) -> Generator[Progress, None, tuple[writing.Written, list[str]]]:
        """Rows of `select` into the target that is there, after its columns have followed."""
        target = assignment.target
        found, there = self._columns(select), self._columns(target.sql_from)
        if self._request.mode != "append" or found != there:
            select = yield from self._staged(assignment, select)
        if since and has_ties:
            self._check_no_ties(select, since, assignment.origin)
        change = evolution(self._session, target, there, found, select, self._request.cursor)
        if self._request.columns == "contract":
            check_contract(change, target, assignment.origin)
        for name, kept, _ in change.converted:
            self._check_values_fit(assignment, select, name, kept)
        for statement in change.statements(target):
            self._alter(statement, target)
        names = [name for name, _ in found]
        common = [name for name in names if name.casefold() in {each.casefold() for each, _ in there}]
        written = yield from self._write(assignment, select, names, common, since)
        return written, change.notes

    def _check_values_fit(self, assignment: Assignment, select: str, name: str, kept: str) -> None:
        """Raise InvalidInput with the place of the first value that a column of the type `kept` cannot hold."""
        lost = f"{quote(name)} IS NOT NULL AND {misfit(quote(name), kept)}"
        found = self._session.row(f"SELECT CAST({quote(name)} AS VARCHAR) FROM ({select}) WHERE {lost} LIMIT 1")
        if found:
            raise InvalidInput(
                f"{_place(assignment, name, str(found[0]))}: column {name} holds {str(found[0])[:200]!r}, which is"
                f" no {kept}, its type in table {assignment.target}.",
                code="columns_differ",
                hint="Mend that value, or load with --mode replace, which takes the columns of the source.",
            )

    def _write(
        self, assignment: Assignment, select: str, names: Sequence[str], common: Sequence[str], since: Since | None
    ) -> Generator[Progress, None, writing.Written]:
        target, source, request = assignment.target, assignment.sources[-1], self._request
        if request.key:
            key = self._key_of(names, assignment)
            plan = writing.Merge(target, self._fitted(target), names, key, request.delete_missing)
            before = self._count_of(target.sql)
            deleted = self._count_of(plan.missing) if request.delete_missing else 0
            yield from self._run(plan.sql, source, target)
            touched = self._count()
            inserted = self._count_of(target.sql) - before + deleted
            return writing.Written(inserted, touched - inserted - deleted, deleted)
        if request.mode == "incremental":
            cursor, kind = self._cursor_in(target.sql_from, request.cursor or "", f"Table {target}")
            select = positions.lacking(self._fitted(target), target, common, since, cursor, kind)
        yield from self._run(f"INSERT INTO {target.sql} BY NAME {select}", source, target)
        return writing.Written(inserted=self._count())

    def _staged(self, assignment: Assignment, select: str) -> Steps:
        """The rows in a temporary table, one for each key; returns a SELECT over it."""
        sql = f"CREATE OR REPLACE TEMP TABLE _ingest_new AS {select}"
        yield from self._run(sql, assignment.sources[-1], assignment.target)
        return self._of_each_key(assignment, f"FROM {_NEW}") if self._request.key else f"FROM {_NEW}"

    def _fitted(self, target: Target) -> str:
        """The staged rows in the types of the table: where texts meet numbers, DuckDB compares them as numbers."""
        kinds = {name.casefold(): kind for name, kind in self._columns(target.sql_from)}
        pairs = [(quote(name), kinds[name.casefold()], found) for name, found in self._columns(f"FROM {_NEW}")]
        casts = [f"CAST({name} AS {kind}) AS {name}" for name, kind, found in pairs if kind != found]
        return f"(SELECT * REPLACE ({', '.join(casts)}) FROM {_NEW})" if casts else _NEW

    def _of_each_key(self, assignment: Assignment, select: str) -> str:
        names = [name for name, _ in self._columns(select)]
        key = self._key_of(names, assignment)
        cursor = self._request.cursor
        latest = positions.cursor_column(cursor, names, assignment.origin) if cursor else None
        writing.keep_one_of_each_key(self._session, _NEW, key, latest, assignment.origin)
        return select

    def _key_of(self, names: Sequence[str], assignment: Assignment) -> list[str]:
        return [positions.cursor_column(each, names, assignment.origin) for each in self._request.key]

    def _run(self, sql: str, source: SourceTable, target: Target) -> Iterator[Progress]:
        beat = Progress(str(target), 0, None, source.total_bytes, f"reading {source.origin}")
        yield beat
        self._check_cancelled()
        for share in watched(self._session, sql, self._cancelled):
            yield _so_far(beat, source, share)

    def _count(self) -> int:
        return int(self._session.fetchmany(1)[0][0])

    def _count_of(self, rows: str) -> int:
        found = self._session.row(f"SELECT count(*) FROM {rows}")
        return int(found[0]) if found else 0

    def _constraints(self, assignment: Assignment, select: str) -> tuple[list[str], list[str]]:
        """Clauses for the keys that the new table holds its rows to, and what is told of those that it does not."""
        keys = assignment.sources[0].keys
        if len(assignment.sources) != 1 or not (keys.primary_key or keys.unique):
            return [], []
        rows = self._count_of(f"({select})")
        if rows > _INDEXED_ROWS:
            return [], [f"its keys are known but not enforced: their index would hold {rows:,} rows in memory"]
        return writing.constraints(self._session, keys, select), []

    def _columns(self, select: str) -> list[tuple[str, str]]:
        return [(str(row[0]), str(row[1])) for row in self._session.rows(f"DESCRIBE {select}")]

    def _check_is_no_view(self, target: Target) -> None:
        if existing.is_view(self._session, target):
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

    def _alter(self, statement: str, target: Target) -> None:
        try:
            self._session.execute(statement)
        except QueryFailed as error:
            raise Conflict(
                f"The columns of table {target} cannot follow the source: {error.message.splitlines()[0]}",
                code="target_in_use",
                hint="Load it anew with --mode replace, which takes the columns of the source.",
            ) from error

    def _drop_staged(self, count: int) -> None:
        for name in ("_ingest_new", *(f"_ingest_{number}" for number in range(count))):
            self._session.execute(f"DROP TABLE IF EXISTS temp.main.{name}")

    def _comment(self, assignment: Assignment) -> None:
        target, source = assignment.target, assignment.sources[0]
        if source.comment:
            self._session.execute(f"COMMENT ON TABLE {target.sql} IS {literal(source.comment)}")
        for column, text in source.column_comments.items():
            self._session.execute(f"COMMENT ON COLUMN {target.sql}.{quote(column)} IS {literal(text)}")

    def _check_cancelled(self) -> None:
        if self._cancelled():
            raise Cancelled("The load was cancelled; nothing was changed.")


def _place(assignment: Assignment, column: str, value: str) -> str:
    """The file and line of a value, as far as its source can tell."""
    lines = ((each, each.line_of(column, value)) for each in assignment.sources)
    return next((f"{each.origin}, line {line}" for each, line in lines if line), assignment.origin)


def _so_far(beat: Progress, source: SourceTable, share: float | None) -> Progress:
    """The beat with what of rows and bytes has been read, as far as that can be estimated."""
    if share is None:
        return beat
    rows = round(share * source.total_rows) if source.total_rows else 0
    size = round(share * source.total_bytes) if source.total_bytes else None
    return replace(beat, rows=rows, bytes=size, message=f"{beat.message}: {share:.0%}")


def _for_load(source: SourceTable, since: Since | None) -> SourceTable:
    """The source as it is read for this load."""
    if source.for_load is None:
        return source
    with _explained(source):
        return source.for_load(since)


@contextlib.contextmanager
def _explained(source: SourceTable) -> Iterator[None]:
    """Turn a failed statement into the source's own words."""
    try:
        yield
    except (QueryFailed, EnvironmentFault) as error:
        better: PlutoDuckError = error if error.code in _ALREADY_SAID else source.explain(error)
        if better is error:
            raise
        raise better from error
