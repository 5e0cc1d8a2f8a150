"""The connectors there are: ours and any installed package's, through the same door.

A package adds one under the entry-point group `pluto_duck.connectors`. The service asks here by name or by file name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, cast

from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.services.ingestion.contract import Connector
from pluto_duck_backend.app.services.ingestion.requests import IngestRequest

GROUP = "pluto_duck.connectors"
COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz", ".zip")
_HERE = "pluto_duck_backend.app.services.ingestion.connectors"
_BUILT_IN = {
    "csv": "csv_files:CsvFiles",
    "json": "json_files:JsonFiles",
    "parquet": "parquet:ParquetFiles",
    "excel": "excel:ExcelFiles",
    "sqlite": "sqlite:SqliteFiles",
    "duckdb": "duckdb_files:DuckdbFiles",
    "postgres": "postgres:PostgresServer",
    "mysql": "mysql:MysqlServer",
    "http": "http_files:HttpFiles",
    "objects": "objects:ObjectStores",
    "arrow": "arrow_files:ArrowFiles",
    "avro": "arrow_files:AvroFiles",
    "archive": "archives:Archives",
    "fixed": "fixed_width:FixedWidthFiles",
    "frame": "frame:Frame",
    "adbc": "adbc:Adbc",
    "dlt": "dlt_sources:DltSources",
}


def _doors() -> dict[str, EntryPoint]:
    ours = {name: EntryPoint(name, f"{_HERE}.{value}", GROUP) for name, value in _BUILT_IN.items()}
    return {**{each.name: each for each in entry_points(group=GROUP)}, **ours}


@cache
def installed() -> Mapping[str, Connector]:
    """Every connector by name. Imports all of them."""
    return {name: cast(Connector, cast(Any, door.load())()) for name, door in _doors().items()}


def get(name: str) -> Connector:
    """The connector called `name`. Raises InvalidInput with the installed names."""
    if name not in installed():
        raise InvalidInput(
            f"No connector {name!r}. Installed: {', '.join(installed())}. {did_you_mean(name, installed())}".rstrip(),
            code="unknown_connector",
            hint="Leave the connector out (or say auto) and it is chosen from the file.",
        )
    return installed()[name]


def chosen(name: str, config: Mapping[str, Any]) -> Connector | None:
    """The connector named, or that of a URL's scheme; None where each file says which. Raises InvalidInput."""
    if name != "auto":
        return get(name)
    url = config.get("url")
    return for_url(str(url)) if url else None


def requested(data: Mapping[str, Any]) -> IngestRequest:
    """The request in `data`, of a connector that is there. Raises InvalidInput for anything that is not one."""
    request = IngestRequest.from_dict(data)
    chosen(request.connector, request.config)
    return request


def for_url(url: str) -> Connector:
    """The connector that opens URLs of this scheme. Raises InvalidInput for one that none opens."""
    scheme = url.split("://")[0].casefold()
    by_scheme = {name: each for each in installed().values() for name in getattr(each, "schemes", ())}
    if scheme not in by_scheme:
        raise InvalidInput(
            f"No connector opens {scheme}:// addresses. Known: {', '.join(f'{name}://' for name in sorted(by_scheme))}."
            f" {did_you_mean(scheme, by_scheme)}".rstrip(),
            code="unknown_connector",
            hint="Check the address, or install a package that brings a connector for it.",
        )
    return by_scheme[scheme]


def suffixes() -> dict[str, Connector]:
    """Which connector reads which file suffix."""
    return {suffix: each for each in installed().values() for suffix in each.suffixes}


def suffix_of(path: Path) -> str:
    """The suffix that says what is inside: `.csv` for `orders.csv.gz`; `.zip` for an archive of any name."""
    inside, outside = _without_compression(path).suffix.casefold(), path.suffix.casefold()
    return outside if inside not in suffixes() and outside in suffixes() else inside


def stem_of(path: Path) -> str:
    """The name without suffixes: `orders` for `orders.csv.gz`."""
    inner = _without_compression(path)
    return inner.stem if inner.suffix.casefold() in suffixes() else inner.name


def _without_compression(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.casefold() in COMPRESSIONS else path


def for_file(path: Path) -> Connector:
    """The connector for a file, by its suffix. Raises InvalidInput for an unknown one."""
    suffix = suffix_of(path)
    by_suffix = suffixes()
    if suffix not in by_suffix:
        known = ", ".join(sorted(by_suffix))
        raise InvalidInput(
            f"{path}: no connector reads files ending in {suffix or 'nothing'!r}. Known: {known}.",
            code="unknown_file_type",
            hint="Rename the file to what it is, or name the connector.",
        )
    return by_suffix[suffix]
