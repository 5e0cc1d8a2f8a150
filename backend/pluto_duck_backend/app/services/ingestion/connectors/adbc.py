"""Any database that has an ADBC driver: queries or whole tables, as Arrow data.

`config`: `driver`, the driver's Python package (such as `adbc_driver_sqlite`); `options` of the database, such as
`{"uri": "…"}`; `queries` by the name of the table, or `tables`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.core.warehouse import quote
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox

_ROWS = 250_000  # of a piece


class Adbc:
    name = "adbc"
    summary = "Databases with an ADBC driver"
    suffixes: tuple[str, ...] = ()

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table a query."""
        queries = _queries(config)
        manager, driver = _library("adbc_driver_manager"), _library(str(config.get("driver") or "adbc_driver_manager"))
        options = {str(name): str(value) for name, value in (config.get("options") or {}).items()}
        with contextlib.ExitStack() as stack, _worded(manager, driver.__name__):
            database = stack.enter_context(manager.AdbcDatabase(driver=driver._driver_path(), **options))
            connection = stack.enter_context(manager.AdbcConnection(database))
            yield [_table(manager, connection, driver.__name__, name, sql) for name, sql in queries.items()]


def _queries(config: Config) -> Mapping[str, str]:
    queries = dict(config.get("queries") or {})
    queries |= {name: f"SELECT * FROM {quote(name)}" for name in config.get("tables") or ()}
    if not queries:
        raise InvalidInput(
            "The connector adbc needs `queries` or `tables`.",
            code="bad_ingest_request",
            hint='Such as {"driver": "adbc_driver_sqlite", "options": {"uri": "shop.db"}, "tables": ["orders"]}.',
        )
    return queries


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise EnvironmentFault(
            f"The package {name} is not installed.",
            code="driver_missing",
            hint=f"pip install {name.replace('_', '-')}",
        ) from error


def _table(manager: Any, connection: Any, driver: str, name: str, sql: str) -> SourceTable:
    origin = f"{driver}, {name}"
    frames = partial(_frames, manager, connection, sql, origin)
    return SourceTable(name=name, own_name=True, origin=origin, frames=frames)


def _frames(manager: Any, connection: Any, sql: str, origin: str) -> Iterator[Any]:
    """The result in pieces; the driver's stream can be read only once, which is not enough for DuckDB."""
    import polars as pl

    with _worded(manager, origin), manager.AdbcStatement(connection) as statement:
        statement.set_sql_query(sql)
        frame = pl.DataFrame(statement.execute_query()[0])
    return frame.iter_slices(_ROWS) if frame.height else iter([frame])


@contextlib.contextmanager
def _worded(manager: Any, origin: str) -> Iterator[None]:
    """The driver's errors in our words."""
    try:
        yield
    except manager.Error as error:
        raise EnvironmentFault(
            f"{origin} cannot be read: {str(error).splitlines()[0]}",
            code="source_failed",
            hint="Check the driver's options and the query; nothing was changed.",
        ) from error
