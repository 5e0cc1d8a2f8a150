"""Small results on their way to disk: the rows an answer was made of become a frame, and the frame a Parquet file.

polars takes a second to import, so a server loads it beforehand (`QueryService.warm`) and a command never does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.app.services.execution.results import Column, json_value, stored_names

if TYPE_CHECKING:
    import polars

Rows = Sequence[Sequence[Any]]
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_SIMPLE = {
    "BIGINT": "Int64",
    "INTEGER": "Int32",
    "SMALLINT": "Int16",
    "TINYINT": "Int8",
    "UBIGINT": "UInt64",
    "UINTEGER": "UInt32",
    "USMALLINT": "UInt16",
    "UTINYINT": "UInt8",
    "DOUBLE": "Float64",
    "FLOAT": "Float32",
    "BOOLEAN": "Boolean",
    "VARCHAR": "String",
    "DATE": "Date",
}


def load() -> None:
    """Import polars."""
    import polars

    polars.DataFrame()


def can_hold(columns: Sequence[Column]) -> bool:
    """Whether a frame keeps every value of such columns exactly."""
    return all(_is_simple(column["type"]) for column in columns) and bool(columns)


def _is_simple(kind: str) -> bool:
    return kind in _SIMPLE or kind in ("TIMESTAMP", "HUGEINT") or bool(_DECIMAL.fullmatch(kind))


def frame_of(rows: Rows, columns: Sequence[Column]) -> polars.DataFrame:
    """The rows as DuckDB gave them, with DuckDB's types. Raises ValueError where a value does not fit its type."""
    import polars

    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    try:
        return polars.DataFrame(
            [
                polars.Series(name, _fitting(each, column["type"]), _type(column["type"]), strict=True)
                for name, column, each in zip(stored_names(columns), columns, values, strict=True)
            ]
        )
    except (polars.exceptions.PolarsError, TypeError, OverflowError) as error:
        raise ValueError(str(error)) from error


def _fitting(values: Sequence[Any], kind: str) -> Sequence[Any]:
    return [None if each is None else Decimal(each) for each in values] if kind == "HUGEINT" else values


def _type(kind: str) -> Any:
    import polars

    if kind == "TIMESTAMP":
        return polars.Datetime("us")
    if kind == "HUGEINT":
        return polars.Decimal(38, 0)
    decimal = _DECIMAL.fullmatch(kind)
    return polars.Decimal(int(decimal[1]), int(decimal[2])) if decimal else getattr(polars, _SIMPLE[kind])


def write(frame: polars.DataFrame, path: Path) -> None:
    """The frame as a Parquet file."""
    frame.write_parquet(path, compression="snappy")


def profile_of(frame: polars.DataFrame, columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Of each column: nulls, distinct values, least and greatest."""
    return [
        {
            "name": column["name"],
            "nulls": series.null_count(),
            "distinct": series.n_unique() - series.has_nulls(),
            "least": json_value(series.min()),
            "greatest": json_value(series.max()),
        }
        for column, series in zip(columns, frame.get_columns(), strict=True)
    ]
