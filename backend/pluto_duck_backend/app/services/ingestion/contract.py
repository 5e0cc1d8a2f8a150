"""What a connector is: it opens a source and says which tables are in it and how to read each.

Connectors implement `Connector`, the service calls it, the loader consumes `SourceTable`. What must stay true:
a connector reads; it never writes to the warehouse. A table is read in one of three ways: `sql`, a SELECT that DuckDB
runs itself; `frames`, Arrow data piece by piece; or `columns` and `batches`, rows of Python values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from pluto_duck_backend.app.core.errors import Cancelled, PlutoDuckError
from pluto_duck_backend.app.core.warehouse import Session
from pluto_duck_backend.app.services.ingestion.rejects import Reject

Config = Mapping[str, Any]
Batch = Sequence[Sequence[Any]]
#   rows in column order; a value is None, or of the Python type that fits the column's type


@dataclass(frozen=True)
class Column:
    """A column of `batches`: `type` is BIGINT, DOUBLE, VARCHAR, BLOB, BOOLEAN, DATE, TIMESTAMP, TIME or INTERVAL.

    `wishes` are narrower DuckDB types (DATE, TIMESTAMP, TIME, BOOLEAN, DECIMAL(p,s)); the table gets the first that
    every value survives unharmed.
    """

    name: str
    type: str
    wishes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Since:
    """An incremental load wants the rows whose `column` is at least `value` (text of a value of `type`), or NULL."""

    column: str
    value: str
    type: str


@dataclass(frozen=True)
class ForeignKey:
    """`columns` refer to `ref_columns` of the table that the source calls `ref_schema.ref_table`."""

    columns: tuple[str, ...]
    ref_table: str
    ref_columns: tuple[str, ...]
    ref_schema: str = "main"


@dataclass(frozen=True)
class Keys:
    """The keys a source declares for a table."""

    primary_key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()


def no_line(column: str, value: str) -> int | None:
    """Of a source that has no lines."""
    return None


def same_error(error: PlutoDuckError) -> PlutoDuckError:
    """The explanation of an error that needs none."""
    return error


@dataclass(frozen=True)
class SourceTable:
    """One table of a source, ready to be read.

    `origin` names it in messages (file, sheet or table of a file). `frames` are of one schema: polars, pandas or
    whatever hands out an Arrow stream. `own_name` is true where `name` was given
    by the source itself and is kept as it is. `batches_since` and `sql_since` read less than `batches` and `sql`: they
    may leave out rows that the load does not want, and need not leave out all. Of `sql` and `batches` the load takes
    the quicker: `sql` for the whole, `batches_since` for a part. A source that has to look at rows to know how they are
    read leaves all that to `for_load`, which gives the table for a load of all rows (None) or of a part.
    `explain` turns an error of the load into one that names file, line and column; `line_of` finds the first line in
    which a column holds a text. `mark` differs for each file and each content of it; empty where nothing tells.
    """

    name: str
    origin: str
    sql: str = ""
    columns: tuple[Column, ...] = ()
    batches: Callable[[], Iterator[Batch]] | None = None
    frames: Callable[[], Iterator[Any]] | None = None
    batches_since: Callable[[Since], Iterator[Batch]] | None = None
    sql_since: Callable[[Since], str] | None = None
    for_load: Callable[[Since | None], SourceTable] | None = None
    schema: str = "main"
    own_name: bool = False
    keys: Keys = Keys()
    comment: str = ""
    column_comments: Mapping[str, str] = field(default_factory=dict)
    total_rows: int | None = None
    total_bytes: int | None = None
    warnings: tuple[str, ...] = ()
    rejects: tuple[Reject, ...] = ()
    explain: Callable[[PlutoDuckError], PlutoDuckError] = same_error
    line_of: Callable[[str, str], int | None] = no_line
    mark: str = ""


@dataclass(frozen=True)
class Toolbox:
    """What a connector may use while it opens a source.

    `thorough` is set on a second try, after types chosen from a sample did not fit a later row (an error with the code
    `types_from_sample`); `mending` after rows could not be read (`rows_to_mend`): put aside `max_rejects` at most.
    Of several files, `wanted` says which to read, by their origins, of `{origin: mark}`.
    """

    read: Callable[[], AbstractContextManager[Session]]
    attached: Callable[[Path], AbstractContextManager[str]]
    attached_sqlite: Callable[[Path], AbstractContextManager[str | None]]
    attached_server: Callable[[str, Mapping[str, str]], AbstractContextManager[str]]
    folder: Path
    sample_rows: int
    cancelled: Callable[[], bool]
    thorough: bool = False
    mending: bool = False
    max_rejects: int = 0
    stall_s: float = 30.0
    wanted: Callable[[Mapping[str, str]], list[str]] = list

    def new_file(self, ending: str) -> Path:
        """A place in the load's folder that nothing has taken yet."""
        return self.folder / f"{len(list(self.folder.iterdir()))}{ending}"

    def check_cancelled(self) -> None:
        """Raise Cancelled where the user has asked for it; called between pieces of work."""
        if self.cancelled():
            raise Cancelled("The load was cancelled; nothing was changed.")


class Connector(Protocol):
    """A kind of source. `suffixes` (such as `.csv`) are empty where the source is no file.

    A connector may also have `schemes`: those of the URLs (such as `postgresql`) that it opens as `config["url"]`.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]

    def open(self, config: Config, tools: Toolbox) -> AbstractContextManager[Sequence[SourceTable]]:
        """The tables in the source; file connectors find an existing, non-empty file in `config["path"]`.

        Raises a UserError that names the source and the place in it. The tables are read before the context ends.
        """
