"""The one place that opens DuckDB, and the border its errors cross.

Services and the agent come here for sessions. What must stay true: one instance for each file in a process,
readers run inside `BEGIN TRANSACTION READ ONLY`, writers one at a time in one transaction, no exception of
DuckDB's leaves (each becomes one of ours, `raise … from`), and no Python object is reachable from SQL by name.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import duckdb
import orjson

from pluto_duck_backend.app.core import keyboard
from pluto_duck_backend.app.core.errors import (
    Cancelled,
    Conflict,
    EnvironmentFault,
    InternalFault,
    InvalidInput,
    PlutoDuckError,
    QueryFailed,
    WarehouseBusy,
    WarehouseUnusable,
)
from pluto_duck_backend.app.core.memory import machine_memory

_IDLE_CURSORS = 64
_LITTLE_MB, _OF_A_THREAD_MB = 700, 175
DEFINITIONS = ("view", "type", "macro")
"""What a write can define besides tables; looking these up takes DuckDB long."""
_DEFINES = {
    "view": re.compile(r"\bVIEW\b|\bDROP\s+SCHEMA\b", re.IGNORECASE),
    "type": re.compile(r"\bTYPE\b|\bDROP\s+SCHEMA\b", re.IGNORECASE),
    "macro": re.compile(r"\b(MACRO|FUNCTION)\b|\bDROP\s+SCHEMA\b", re.IGNORECASE),
}
#   the words without which none comes or goes
_NAME = r'(?:"(?:[^"]|"")+"|\w+)'
_CHANGES_ROWS = re.compile(
    rf"\b(?:INTO|UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|COPY)\s+(?:{_NAME}\s*\.\s*)*({_NAME})", re.IGNORECASE
)
#   what changes rows of a table and leaves it the same table
DUCKDB_VERSION: str = duckdb.__version__


def quote(identifier: str) -> str:
    """`identifier` as DuckDB quotes it: `my "x"` becomes `"my ""x\"""`."""
    return '"' + identifier.replace('"', '""') + '"'


def literal(text: str) -> str:
    """`text` as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


class Session:
    """One DuckDB cursor. Not shared between threads, but `interrupt` may be called from another."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor

    def _note(self, sql: str) -> None:
        """Take notice of a statement before it runs."""

    def execute(self, sql: str, params: Sequence[Any] = ()) -> Session:
        """Run one statement; its rows are read with `fetchmany` or `rows`.

        For the first parameter of a process DuckDB imports all libraries of data frames that are installed, which can
        take a second: where time counts, write a `literal`.
        """
        with self._border():
            self._run(sql, params)
        return self

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return all of its rows."""
        with self._border():
            return self._run(sql, params).fetchall()

    def row(self, sql: str, params: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Run one statement and return its first row, or None."""
        with self._border():
            return self._run(sql, params).fetchone()

    def _run(self, sql: str, params: Sequence[Any]) -> duckdb.DuckDBPyConnection:
        self._note(sql)
        return self._cursor.execute(sql, list(params)) if params else self._cursor.execute(sql)

    def fetchmany(self, count: int) -> list[tuple[Any, ...]]:
        """The next `count` rows of the last `execute`."""
        with self._border():
            return self._cursor.fetchmany(count)

    @property
    def description(self) -> list[tuple[str, str]]:
        """`(name, DuckDB type)` of each column of the last statement."""
        return [(str(each[0]), str(each[1])) for each in self._cursor.description or []]

    def begin_again(self) -> None:
        """After an error: leave the transaction it broke and read on in a new one."""
        _roll_back(self._cursor)
        self.execute("BEGIN TRANSACTION READ ONLY")

    def register(self, name: str, frame: Any) -> None:
        """Make a polars or Arrow object readable as table `name` in this session only."""
        with self._border():
            self._finish()
            self._cursor.register(name, frame)

    def unregister(self, name: str) -> None:
        with self._border():
            self._finish()
            self._cursor.unregister(name)

    def _finish(self) -> None:
        """Let the last statement end: DuckDB registers nothing beside one whose rows are not all read, from 2.0 on."""
        if complete := getattr(self._cursor, "complete", None):
            complete()

    def measure(self) -> None:
        """From now on `progress` knows how far the running statement is."""
        self.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")

    @property
    def progress(self) -> float | None:
        """The share of the running statement that is done, None where DuckDB cannot tell; asked from another thread."""
        percent = float(self._cursor.query_progress())
        return percent / 100 if percent > 0 else None

    def interrupt(self) -> None:
        """Stop the running statement; its thread gets `Cancelled`. One whose connection was closed runs no more."""
        with contextlib.suppress(duckdb.ConnectionException):
            self._cursor.interrupt()

    @contextlib.contextmanager
    def _border(self) -> Iterator[None]:
        """DuckDB runs something here: its errors become ours, and a Ctrl-C ends it at once."""
        try:
            with keyboard.heard(self.interrupt), _border():
                yield
        except KeyboardInterrupt:
            self.interrupt()  # where DuckDB heard it first its threads go on, and the next statement would wait
            raise


class Writing(Session):
    """A session that may change things: `defined` holds which DEFINITIONS it may have changed, `rows_of` the tables."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        super().__init__(cursor)
        self.defined: set[str] = set()
        self.rows_of: set[str] = set()

    def _note(self, sql: str) -> None:
        self.defined.update(kind for kind, words in _DEFINES.items() if words.search(sql))
        self.rows_of.update(_tables_changed(sql))


class Guest(Session):
    """A session that begins and ends its own transactions, as dbt does."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        super().__init__(cursor)
        self.rows_of: set[str] = set()

    def _note(self, sql: str) -> None:
        self.rows_of.update(_tables_changed(sql))

    def lend(self) -> duckdb.DuckDBPyConnection:
        """DuckDB's own connection, for the user's Python code (a dbt model); it may read that code's variables."""
        with _border():
            self._cursor.execute("SET python_enable_replacements = true")
        return self._cursor

    def rest(self) -> list[tuple[Any, ...]]:
        """All further rows of the last `execute`."""
        with _border():
            return self._cursor.fetchall()


S = TypeVar("S", bound=Session)


class Warehouse:
    """The user's DuckDB file, open in this process."""

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection, own_limit: str = "") -> None:
        """`own_limit`: of the memory, where nobody has asked for another."""
        self.path = path
        self._own_limit = own_limit
        self._connection = connection
        self._writing = threading.Lock()
        self._counting = threading.Lock()
        self._version = 1
        self._versions = dict.fromkeys(DEFINITIONS, 1)
        self._rows: dict[str, int] = {}
        self._guests: set[Guest] = set()
        self._idle: list[duckdb.DuckDBPyConnection] = []
        self._file = _identity(path)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        memory_limit: str = "",
        threads: int = 0,
        temp_folder: Path | None = None,
        temp_limit: str = "",
    ) -> Warehouse:
        """Open or create the file. Raises WarehouseBusy, WarehouseUnusable or InvalidInput (a bad limit).

        The file is opened with an empty configuration, so that another connection of this process may share it;
        limits are set afterwards.
        """
        connection = _connect(path)
        own_limit = "" if memory_limit else f"{machine_memory() / 2e6:.0f}MB"
        connection.execute("SET GLOBAL autoinstall_known_extensions = false")  # no connection that nobody asked for
        connection.execute("SET GLOBAL allocator_background_threads = true")  # gives freed memory back to the system
        limits = (
            ("memory_limit", "query.memory_limit", memory_limit or own_limit),
            ("threads", "query.threads", str(threads or "")),
            ("temp_directory", "the data root", str(temp_folder or "")),
            ("max_temp_directory_size", "query.temp_limit", temp_limit),
        )
        try:
            for name, setting, value in limits:
                if value:
                    _set_limit(connection, name, setting, value)
        except InvalidInput:
            connection.close()
            raise
        return cls(path, connection, own_limit)

    @property
    def version(self) -> int:
        """Rises with every committed write; what is derived from the data is cached under it."""
        return self._version

    def version_of(self, definition: str) -> int:
        """Rises with every committed write that may have changed one of these DEFINITIONS."""
        return self._versions[definition]

    def rows_versions(self) -> dict[str, int]:
        """By name without schema, in lower case: a number that rises when rows of such a table may have changed."""
        with self._counting:
            return dict(self._rows)

    def changed(self, *definitions: str, rows_of: Collection[str] = ()) -> None:
        """Say that something has been committed, which DEFINITIONS may be others now, and whose rows."""
        with self._counting:  # guests go on writing in their own threads, so that each set is copied at once
            for each in {*rows_of, *(table for guest in self._guests for table in tuple(guest.rows_of))}:
                self._rows[each] = self._version
            for each in definitions:
                self._versions[each] += 1
            self._version += 1

    def check_file(self) -> None:
        """Raises WarehouseUnusable where the file was moved, deleted or replaced: what is written would be lost."""
        if _identity(self.path) != self._file:
            raise WarehouseUnusable(
                f"The warehouse {self.path} was moved, deleted or replaced while it was open.",
                code="warehouse_gone",
                hint="Put it back, or stop Pluto-Duck and start it again; reading still works on the data as it was.",
            )

    @contextlib.contextmanager
    def read(self) -> Iterator[Session]:
        """A session that can write nothing and sees one committed state throughout."""
        with self._session("BEGIN TRANSACTION READ ONLY", self._idle, Session) as session:
            yield session
            session.execute("COMMIT")

    @contextlib.contextmanager
    def write(self) -> Iterator[Writing]:
        """A session whose changes are seen all at once when it ends, or not at all where it raises."""
        with self._writing:
            self.check_file()
            with self._session("BEGIN TRANSACTION", [], Writing) as session:
                yield session
                self.check_file()
                session.execute("COMMIT")
            self.changed(*session.defined, rows_of=session.rows_of)

    @contextlib.contextmanager
    def modest(self) -> Iterator[None]:
        """Work in little memory for a while, for a statement that passes on what it reads and holds none of it.

        DuckDB would keep pages that it has written up to its limit. Nothing is changed where the user set a limit.
        """
        with contextlib.closing(self._connection.cursor()) as cursor:
            threads = int((cursor.execute("SELECT current_setting('threads')").fetchone() or (1,))[0])
            little = max(_LITTLE_MB, threads * _OF_A_THREAD_MB)
            if not self._own_limit or little >= int(self._own_limit.removesuffix("MB")):
                yield
                return
            with contextlib.suppress(duckdb.OutOfMemoryException):  # indexes may hold more, and cannot give it up
                cursor.execute(f"SET GLOBAL memory_limit = '{little}MB'")
            try:
                yield
            finally:
                cursor.execute(f"SET GLOBAL memory_limit = '{self._own_limit}'")

    @contextlib.contextmanager
    def guest(self) -> Iterator[Guest]:
        """A session outside of any transaction; say `changed` after its commits. What it leaves open is undone."""
        cursor = self._cursor()
        guest = Guest(cursor)
        with self._counting:
            self._guests.add(guest)
        try:
            yield guest
        finally:
            _roll_back(cursor)
            cursor.close()
            with self._counting:
                self._guests.remove(guest)
            self.changed(rows_of=guest.rows_of)

    @contextlib.contextmanager
    def _session(self, begin: str, idle: list[duckdb.DuckDBPyConnection], kind: type[S]) -> Iterator[S]:
        """A cursor of `idle`, or a new one; it is put there for the next where all went well."""
        try:
            cursor = idle.pop()
        except IndexError:
            cursor = self._cursor()
        try:
            session = kind(cursor)
            session.execute(begin)
            yield session
        except BaseException:
            cursor.interrupt()  # a Ctrl-C left its statement running, and rolling back would wait for that
            _roll_back(cursor)
            cursor.close()
            raise
        if len(idle) < _IDLE_CURSORS:
            idle.append(cursor)
        else:
            cursor.close()

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        """Settings of a connection are not inherited by its cursors, so each gets them."""
        with _border():
            cursor = self._connection.cursor()
            cursor.execute("SET python_enable_replacements = false; SET enable_progress_bar = false")
        return cursor

    def close(self) -> None:
        """Write everything to the file and let it go."""
        while self._idle:
            self._idle.pop().close()
        with _border():
            self._connection.close()


def serialize(sql: str) -> dict[str, Any]:
    """DuckDB's own syntax tree of `sql`: `{"error": false, "statements": […]}`.

    Raises QueryFailed with DuckDB's message where it is not a serializable SELECT. Runs on an in-memory
    instance of its own that holds nothing and may reach nothing.
    """
    text = _on_parser(f"SELECT json_serialize_sql({literal(sql)})")
    try:
        tree = cast(dict[str, Any], orjson.loads(text))
    except orjson.JSONDecodeError as error:
        raise QueryFailed("The SQL is nested too deep.", code="sql_too_deep") from error
    if tree.get("error"):
        raise QueryFailed(str(tree.get("error_message", "not a SELECT statement")), code="not_a_select")
    return tree


def deserialize(tree: dict[str, Any]) -> str:
    """SQL of a tree that `serialize` gave, perhaps changed since. Raises QueryFailed where DuckDB cannot read it."""
    return _on_parser(f"SELECT json_deserialize_sql({literal(orjson.dumps(tree).decode())}::JSON)")


def extensions() -> dict[str, bool]:
    """DuckDB's extensions that are on this machine, and whether each is built in."""
    with duckdb.connect(":memory:") as connection:
        rows = connection.execute(
            "SELECT extension_name, install_mode = 'STATICALLY_LINKED' OR install_path = '(BUILT-IN)' "
            "FROM duckdb_extensions() WHERE installed OR loaded ORDER BY 1"
        ).fetchall()
    return {str(name): bool(is_built_in) for name, is_built_in in rows}


def tokenize(sql: str) -> list[tuple[int, str]]:
    """`(first byte, kind)` of each of DuckDB's tokens; kinds: keyword, identifier, operator, string_const, …"""
    return [(place, _kind_of(kind)) for place, kind in duckdb.tokenize(sql)]


@cache
def _kind_of(token: Any) -> str:
    return str(getattr(token, "name", token)).rsplit(".", 1)[-1]


_parsers: deque[duckdb.DuckDBPyConnection] = deque()
#   those nobody uses now; a text goes in as a literal, since for a parameter DuckDB looks for packages on disk


def _on_parser(sql: str) -> str:
    with _border():
        try:
            parser = _parsers.pop()
        except IndexError:
            parser = _sealed_connection()
        row = parser.execute(sql).fetchone()
        _parsers.append(parser)
    return str(row[0]) if row else ""


def _sealed_connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(":memory:")
    for name, value in (("enable_external_access", "false"), ("python_enable_replacements", "false"), ("threads", "1")):
        connection.execute(f"SET {name} = {value}")
    connection.execute("PRAGMA disable_optimizer")  # it takes longer than the parser, for one call of a function
    return connection


def _connect(path: Path) -> duckdb.DuckDBPyConnection:
    """A file that is made here can be read by every DuckDB that may be installed; one that is there stays as it is."""
    newer = int(DUCKDB_VERSION.split(".")[0]) >= 2  # whose own form of files those before it cannot read
    try:
        return duckdb.connect(str(path), config={"storage_compatibility_version": "v1.5.0"} if newer else {})
    except duckdb.Error as error:
        raise _cannot_open(path, error) from error


def _cannot_open(path: Path, error: duckdb.Error) -> PlutoDuckError:
    text = str(error).casefold()
    if "could not set lock" in text or "conflicting lock" in text:
        return WarehouseBusy(
            f"Another program holds the warehouse {path}: {_first_line(error)}",
            hint="Close that program, or point --root at another folder.",
            retryable=True,
        )
    code, hint = next((told for words, told in _UNUSABLE.items() if words in text), _UNUSABLE[""])
    return WarehouseUnusable(
        f"The warehouse {path} cannot be opened: {_first_line(error)}", code=code, hint=hint.format(path=path)
    )


_RESTORE = (
    "Restore it from a backup; or move it away to start anew: mv {path} {path}.broken, then load your sources again."
)
_UNUSABLE = {
    "version number": (
        "warehouse_newer",
        f"It was written by a newer DuckDB than {DUCKDB_VERSION}: pip install --upgrade duckdb; nothing was changed.",
    ),
    "not a valid duckdb database file": ("warehouse_corrupt", _RESTORE),
    "corrupt": ("warehouse_corrupt", _RESTORE),
    "could not read enough bytes": ("warehouse_corrupt", _RESTORE),
    "permission denied": ("warehouse_unusable", "Mend its permissions: you must be able to read and write {path}."),
    "is a directory": ("warehouse_unusable", "Move the folder {path} away."),
    "": ("warehouse_unusable", "Check that it is a DuckDB file of this version and that you may read and write it."),
}
#   what DuckDB says, in lower case, to our code and the next step


def _tables_changed(sql: str) -> set[str]:
    """The names, without schema and in lower case, of the tables whose rows a statement may change."""
    return {name.strip('"').replace('""', '"').casefold() for name in _CHANGES_ROWS.findall(sql)}


def _identity(path: Path) -> tuple[int, int]:
    """Which file it is that `path` names; zeros: none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino


def _set_limit(connection: duckdb.DuckDBPyConnection, name: str, setting: str, value: str) -> None:
    try:
        connection.execute(f"SET GLOBAL {name} = {literal(value)}")
    except duckdb.Error as error:
        raise InvalidInput(
            f"{setting}={value!r} is not usable: {_first_line(error)}",
            code="bad_setting",
            hint="See query.* in docs/settings.md; sizes are written 4GB or 500MB.",
        ) from error


def _roll_back(cursor: duckdb.DuckDBPyConnection) -> None:
    with contextlib.suppress(duckdb.Error):  # there is no transaction left after a fatal error
        cursor.execute("ROLLBACK")


_INTERRUPTED = "Query interrupted"
"""What DuckDB says of a Ctrl-C, from 2.0 on without its cause."""


@contextlib.contextmanager
def _border() -> Iterator[None]:
    """Turn DuckDB's exceptions into ours, and what it makes of a Ctrl-C back into that."""
    try:
        yield
    except duckdb.Error as error:
        raise translate(error) from error
    except RuntimeError as error:
        if isinstance(error.__cause__, KeyboardInterrupt) or str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from error
        raise


def translate(error: duckdb.Error) -> PlutoDuckError:
    """Our error for one of DuckDB's; a class that is not listed is a failed query."""
    message = str(error)
    if "No space left on device" in message:
        return EnvironmentFault(message, code="disk_full", hint="Free some space; nothing was changed.", retryable=True)
    if isinstance(error, duckdb.TransactionException) and "onflict" in message:
        hint = "Two writers changed the same table, and nothing of this one was kept. Do it again."
        return Conflict(message, code="write_conflict", hint=hint, retryable=True)
    for kind, (ours, code, hint) in _TRANSLATIONS.items():
        if isinstance(error, kind):
            return ours(message, code=code, hint=hint)
    return QueryFailed(message, code="query_failed")


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


_TRANSLATIONS: dict[type[duckdb.Error], tuple[type[PlutoDuckError], str, str]] = {
    duckdb.InterruptException: (Cancelled, "cancelled", ""),
    duckdb.OutOfMemoryException: (
        QueryFailed,
        "out_of_memory",
        "Ask for less at once, or raise query.memory_limit.",
    ),
    duckdb.ParserException: (QueryFailed, "syntax_error", "Check the SQL near the place named."),
    duckdb.SyntaxException: (QueryFailed, "syntax_error", "Check the SQL near the place named."),
    duckdb.BinderException: (QueryFailed, "binder_error", "`pluto-duck schema` lists tables and columns."),
    duckdb.CatalogException: (QueryFailed, "unknown_name", "`pluto-duck schema` lists tables and columns."),
    duckdb.ConversionException: (
        QueryFailed,
        "conversion_error",
        "TRY_CAST gives NULL where a value does not fit.",
    ),
    duckdb.ConstraintException: (QueryFailed, "constraint_violated", ""),
    duckdb.PermissionException: (QueryFailed, "not_permitted", ""),
    duckdb.IOException: (EnvironmentFault, "io_error", "Check the disk's space and the file's permissions."),
    duckdb.FatalException: (
        WarehouseUnusable,
        "warehouse_fatal",
        "Restart; the last committed state is kept.",
    ),
    duckdb.InternalException: (
        InternalFault,
        "duckdb_internal",
        "This is a bug of DuckDB's; please report the query.",
    ),
}
