"""What is asked of ingestion and what it answers, as values with the contract's JSON.

The API, the command line and the workspace hold these. `IngestRequest.from_dict` is the only door for input.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, cast, get_args

from pluto_duck_backend.app.core import secret_references
from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean

Mode = Literal["replace", "append", "incremental", "merge"]
MODES: tuple[Mode, ...] = get_args(Mode)
Columns = Literal["evolve", "contract"]
_FIELDS = (
    *("connector", "config", "target", "mode", "cursor", "key", "look_back"),
    *("delete_missing", "columns", "max_rejects", "retries"),
)


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
    cursor: str | None = None
    """Incremental: the column that rises with each new or changed row."""
    key: tuple[str, ...] = ()
    """Merge (and incremental where rows change): the columns that name a row."""
    look_back: str | None = None
    """Incremental: how far below the greatest cursor rows may still come late (`100`, `2 days`)."""
    delete_missing: bool = False
    """Merge: rows that the source has no more are deleted."""
    columns: Columns = "evolve"
    """`contract` refuses a source whose columns differ from the table's."""
    max_rejects: int | None = None
    """Rows that may be put aside as unreadable; None: the setting `ingest.max_rejects`."""
    retries: int | None = None
    """How often a load is tried again after a passing fault; None: the setting `ingest.retries`."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> IngestRequest:
        """The request in `data`; raises InvalidInput for anything that is not one."""
        for name in data:
            if name not in _FIELDS:
                raise _invalid(f"Unknown field {name!r} in an ingest request. {did_you_mean(name, _FIELDS)}".rstrip())
        config = data.get("config")
        if not isinstance(config, Mapping) or not config:
            raise _invalid(f"`config` must be an object such as {{'path': 'orders.csv'}}, not {config!r}.")
        return cls(
            connector=_text(data, "connector") or "auto",
            config=dict(config),
            target=_text(data, "target"),
            mode=checked_mode(_text(data, "mode") or "replace"),
            cursor=_text(data, "cursor"),
            key=key_columns(data.get("key")),
            look_back=_look_back(data.get("look_back")),
            delete_missing=_flag(data, "delete_missing"),
            columns=_columns(_text(data, "columns") or "evolve"),
            max_rejects=_count(data, "max_rejects"),
            retries=_count(data, "retries"),
        ).checked()

    @property
    def title(self) -> str:
        """The source and its table in a line, without secrets."""
        shown = secret_references.public(self.config)
        named = next((shown[name] for name in ("url", "paths", "path", "host") if shown.get(name)), self.connector)
        source = ", ".join(map(str, named)) if isinstance(named, list) else str(named)
        return f"{source} → {self.target}" if self.target else source

    def checked(self) -> IngestRequest:
        """This request where its options belong to its mode. Raises InvalidInput."""
        if self.mode == "incremental" and not self.cursor:
            message = "Mode 'incremental' needs the cursor: the column that rises with each new row."
            raise _invalid(message, "--cursor COLUMN")
        if self.mode == "merge" and not self.key:
            raise _invalid("Mode 'merge' needs the key: the column or columns that name a row.", "--key COLUMN")
        for name, modes in _BELONGS.items():
            if getattr(self, name) and self.mode not in modes:
                flag = "--" + name.replace("_", "-")
                raise _invalid(f"{flag} belongs to mode {' and '.join(modes)}, not to {self.mode!r}.")
        return self

    def to_dict(self) -> dict[str, Any]:
        """The request as `POST /ingest` takes it; what is not set is left out."""
        unset = IngestRequest(self.connector, {})
        own = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "config"}
        kept = {name: value for name, value in own.items() if value != getattr(unset, name)}
        base = {"connector": self.connector, "config": self.config, "target": self.target, "mode": self.mode}
        return {**base, **kept, **({"key": list(self.key)} if self.key else {})}


_BELONGS: dict[str, tuple[Mode, ...]] = {
    "cursor": ("incremental", "merge"),
    "key": ("incremental", "merge"),
    "look_back": ("incremental",),
    "delete_missing": ("merge",),
}


def checked_mode(mode: str) -> Mode:
    """`mode` where it is one of ours. Raises InvalidInput."""
    if mode in MODES:
        return cast(Mode, mode)
    raise _invalid(f"No mode {mode!r}. Available: {', '.join(MODES)}. {did_you_mean(mode, MODES)}".rstrip())


def key_columns(value: Any) -> tuple[str, ...]:
    """The columns of a key: `a,b` or a list of names. Raises InvalidInput."""
    names = value.split(",") if isinstance(value, str) else value or ()
    if not isinstance(names, Sequence) or not all(isinstance(each, str) and each.strip() for each in names):
        raise _invalid(f"`key` must be a column or a list of columns, not {value!r}.")
    return tuple(each.strip() for each in names)


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
    """One table as it was loaded: `rows` of this load that went in, `columns` of the table, rows `rejected`.

    `rows` are inserted and updated ones; those that were there already and did not change are not counted.
    """

    table: str
    rows: int
    columns: int
    rejected: int = 0
    inserted: int = 0
    updated: int = 0
    deleted: int = 0


@dataclass(frozen=True)
class LoadResult:
    """The last item of a load: everything below is committed."""

    tables: list[TableResult]
    mode: Mode
    warnings: list[str] = field(default_factory=list)
    elapsed_ms: int = 0

    def to_dict(self) -> dict[str, Any]:
        """`{tables: [{table, rows, columns, rejected, inserted, updated, deleted}], mode, warnings, elapsed_ms}`."""
        return asdict(self)


def _text(data: Mapping[str, Any], name: str) -> str | None:
    value = data.get(name)
    if value is None or isinstance(value, str):
        return value or None
    raise _invalid(f"`{name}` must be text, not {value!r}.")


def _look_back(value: Any) -> str | None:
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return str(value) if value not in (None, "") else None
    raise _invalid(f"`look_back` must be a number or a time such as '2 days', not {value!r}.")


def _flag(data: Mapping[str, Any], name: str) -> bool:
    value = data.get(name) or False
    if isinstance(value, bool):
        return value
    raise _invalid(f"`{name}` must be true or false, not {value!r}.")


def _count(data: Mapping[str, Any], name: str) -> int | None:
    value = data.get(name)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise _invalid(f"`{name}` must be a number from 0 up, not {value!r}.")


def _columns(value: str) -> Columns:
    known: tuple[Columns, ...] = get_args(Columns)
    if value in known:
        return cast(Columns, value)
    raise _invalid(f"`columns` must be {' or '.join(known)}, not {value!r}. {did_you_mean(value, known)}".rstrip())


def _invalid(message: str, option: str = "") -> InvalidInput:
    """`option`: what is missing, as the command line takes it."""
    hint = f"Add {option}." if option else "`pluto-duck ingest --help` lists what an option takes."
    return InvalidInput(message, code="bad_ingest_request", hint=hint)
