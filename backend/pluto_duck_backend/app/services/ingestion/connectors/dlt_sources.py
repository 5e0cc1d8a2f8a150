"""Any source written for dlt: its resources become tables; its secrets and configuration stay where dlt has them.

`config`: `source`, where the source or resource is in Python (`package.module:name`); `arguments` for it; `resources`,
those wanted. What must stay true: memory holds one piece at a time, and each field keeps its value: nested ones become
JSON, and where rows differ in type a type that holds them all.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, PlutoDuckError, did_you_mean
from pluto_duck_backend.app.services.ingestion.connectors.records import Records
from pluto_duck_backend.app.services.ingestion.contract import Config, Keys, SourceTable, Toolbox
from pluto_duck_backend.app.services.ingestion.names import table_name


class DltSources:
    name = "dlt"
    summary = "Sources and resources written for dlt"
    suffixes: tuple[str, ...] = ()

    @contextlib.contextmanager
    def open(self, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
        """One table a resource that yields rows."""
        where = str(config.get("source") or "")
        resources = _wanted(_resources(_made(where, config.get("arguments") or {})), config, where)
        tables = [_table(where, resource, tools) for resource in resources]
        found = [each for each in tables if each]
        if not found:
            raise InvalidInput(f"{where} yields no rows.", code="no_tables", hint="Check its arguments.")
        yield found


def _made(where: str, arguments: Mapping[str, Any]) -> Any:
    """The source or resource that `where` names, called with its arguments."""
    module, _, name = where.partition(":")
    if not module or not name:
        raise _bad_source(
            f"The connector dlt needs `source`, not {where!r}.",
            'Such as {"source": "my_package.shop:shop", "arguments": {"country": "DE"}}.',
        )
    os.environ.setdefault("RUNTIME__DLTHUB_TELEMETRY", "false")  # nothing is told to anybody
    _library("dlt", "pip install 'pluto-duck[dlt]'")
    with _worded(where):
        return _named(module, name)(**arguments)


def _named(module: str, name: str) -> Any:
    """The function of dlt's making; nothing else is ever called."""
    found = _library(module, "Install the package that holds the source, or set PYTHONPATH to its folder.")
    if not hasattr(found, name):
        raise _bad_source(
            f"{module} has no {name!r}. {did_you_mean(name, dir(found))}".rstrip(),
            "Write package.module:name of a function with @dlt.source or @dlt.resource.",
        )
    made = getattr(found, name)
    if type(made).__module__.split(".")[0] != "dlt":
        raise _bad_source(
            f"{module}:{name} is no source or resource of dlt.",
            "Nothing else is called: name a function with @dlt.source or @dlt.resource.",
        )
    return made


def _bad_source(message: str, hint: str) -> InvalidInput:
    return InvalidInput(message, code="bad_ingest_request", hint=hint)


def _library(name: str, hint: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise EnvironmentFault(f"The package {name} is not installed.", code="driver_missing", hint=hint) from error


def _resources(made: Any) -> dict[str, Any]:
    """By name; a resource alone is one."""
    return dict(made.selected_resources) if hasattr(made, "selected_resources") else {str(made.name): made}


def _wanted(resources: Mapping[str, Any], config: Config, where: str) -> list[Any]:
    names = config.get("resources") or list(resources)
    for name in names:
        if name not in resources:
            raise InvalidInput(
                f"{where} has no resource {name!r}. {did_you_mean(name, resources)}".rstrip(),
                code="table_not_in_source",
                hint=f"It has {', '.join(resources)}.",
            )
    return [resources[name] for name in names]


def _table(where: str, resource: Any, tools: Toolbox) -> SourceTable | None:
    """The rows of a resource, in files of the load's folder; None where there are none."""
    name = str(resource.name)
    origin = f"{where}, resource {name}"
    folder = tools.folder / f"dlt_{table_name(name)}"
    folder.mkdir()
    records = Records(folder)
    with _worded(origin):
        _gather(resource, records, tools)
        primary = _primary_key(resource)
    if not records.files:
        return None
    return SourceTable(
        name=table_name(name),
        own_name=True,
        origin=origin,
        sql=records.sql,
        keys=Keys(primary if set(primary) <= set(records.columns) else ()),
        total_rows=records.rows,
        explain=lambda error: _failed(origin, error.message, retryable=False),
    )


def _gather(resource: Any, records: Records, tools: Toolbox) -> None:
    for item in resource:
        tools.check_cancelled()
        records.add(item)
    records.close()


def _primary_key(resource: Any) -> tuple[str, ...]:
    columns: Mapping[str, Mapping[str, Any]] = resource.compute_table_schema().get("columns", {})
    return tuple(name for name, hints in columns.items() if hints.get("primary_key"))


@contextlib.contextmanager
def _worded(origin: str) -> Iterator[None]:
    """A source is somebody else's program, so that anything may come out of it; each becomes an error that says so."""
    try:
        yield
    except PlutoDuckError:
        raise
    except Exception as error:
        raise _failed(origin, f"{type(error).__name__}: {error}", retryable=False) from error


def _failed(origin: str, why: str, *, retryable: bool) -> EnvironmentFault:
    return EnvironmentFault(
        f"{origin} cannot be read: {' '.join(why.split())[:500]}",
        code="source_failed",
        hint="Nothing was changed; mend the source and load again.",
        retryable=retryable,
    )
