"""What is asked of ingestion and what it answers, as values with the contract's JSON.

The API, the command line and the workspace hold these. `IngestRequest.from_dict` is the only door for input.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, cast

from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean

Mode = Literal["replace", "append"]
MODES: tuple[Mode, ...] = ("replace", "append")
PLANNED_MODES = ("incremental", "merge")
_FIELDS = ("connector", "config", "target", "mode")


@dataclass(frozen=True)
class IngestRequest:
    """One source to load, all of it or nothing.

    `config` belongs to the connector; file connectors take `path` or `paths` (files, globs, folders).
    `target` is `table`, `schema.table`, or `schema.*` for all tables of a database source.
    """

    connector: str
    config: dict[str, Any]
    target: str | None = None
    mode: Mode = "replace"

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> IngestRequest:
        """The request in `data`; raises InvalidInput for anything that is not one."""
        for name in data:
            if name not in _FIELDS:
                raise _invalid(f"Unknown field {name!r} in an ingest request. {did_you_mean(name, _FIELDS)}".rstrip())
        config = data.get("config")
        if not isinstance(config, Mapping) or not config:
            raise _invalid(f"`config` must be an object such as {{'path': 'orders.csv'}}, not {config!r}.")
        connector = _text(data, "connector") or "auto"
        return cls(connector, dict(config), _text(data, "target"), checked_mode(_text(data, "mode") or "replace"))

    def to_dict(self) -> dict[str, Any]:
        """`{connector, config, target, mode}`, as `POST /ingest` takes it."""
        return asdict(self)


def checked_mode(mode: str) -> Mode:
    """`mode` where it is one of ours. Raises InvalidInput."""
    if mode in MODES:
        return cast(Mode, mode)
    if mode in PLANNED_MODES:
        raise _invalid(f"Mode {mode!r} is not available yet. Available: {', '.join(MODES)}.", "mode_not_available")
    raise _invalid(f"No mode {mode!r}. Available: {', '.join(MODES)}. {did_you_mean(mode, MODES)}".rstrip())


@dataclass(frozen=True)
class Progress:
    """Where a load is: rows loaded into `table` so far, bytes read of `total_bytes`; None where unknown."""

    table: str
    rows: int
    bytes: int | None
    total_bytes: int | None
    message: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class TableResult:
    """One table as it was loaded: `rows` of this load, `columns` of the table, rows `rejected`."""

    table: str
    rows: int
    columns: int
    rejected: int = 0


@dataclass(frozen=True)
class LoadResult:
    """The last item of a load: everything below is committed."""

    tables: list[TableResult]
    mode: Mode
    warnings: list[str] = field(default_factory=list)
    elapsed_ms: int = 0

    def to_dict(self) -> dict[str, Any]:
        """`{tables: [{table, rows, columns, rejected}], mode, warnings, elapsed_ms}`."""
        return asdict(self)


def _text(data: Mapping[str, Any], name: str) -> str | None:
    value = data.get(name)
    if value is None or isinstance(value, str):
        return value or None
    raise _invalid(f"`{name}` must be text, not {value!r}.")


def _invalid(message: str, code: str = "bad_ingest_request") -> InvalidInput:
    return InvalidInput(message, code=code, hint="docs/connectors.md shows requests that work.")
