"""Rows that are Python dicts into Parquet files, one piece at a time, so that DuckDB reads them like any table.

`dlt_sources` uses it. What must stay true: no value is cut to fit: a column of values of several kinds becomes text, a
nested value JSON; columns that come late are NULL before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import literal, quote

_ROWS = 50_000  # of a piece
_EXACT = 2**53  # the integers that a DOUBLE holds


class Records:
    """Takes in items (a dict, a list of them, or a frame) and writes a file whenever there are enough rows."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: list[Mapping[str, Any]] = []
        self._nested: set[str] = set()
        self._written: dict[str, None] = {}
        self.columns: dict[str, None] = {}
        self.files: list[Path] = []
        self.rows = 0

    def add(self, item: Any) -> None:
        """Raises InvalidInput for anything else."""
        import polars as pl

        if isinstance(item, Mapping):
            self._waiting.append(item)
        elif isinstance(item, list | tuple):
            for each in item:
                self.add(each)
        elif hasattr(item, "__arrow_c_stream__") or type(item).__module__.split(".")[0] == "pandas":
            self.close()
            self._write(pl.DataFrame(item))
        else:
            raise InvalidInput(
                f"A row must be a dict or a frame, not {type(item).__name__}.",
                code="bad_rows",
                hint="Yield dicts, lists of dicts, or Arrow tables.",
            )
        if len(self._waiting) >= _ROWS:
            self.close()

    def close(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._write(self._frame(self._waiting))
            self._waiting = []

    @property
    def sql(self) -> str:
        """A SELECT over all rows."""
        files = ", ".join(literal(str(each)) for each in self.files)
        columns = ", ".join(f"{self._read(name)} AS {quote(name)}" for name in self.columns)
        return f"SELECT {columns} FROM read_parquet([{files}], union_by_name = true)"

    def _read(self, name: str) -> str:
        if name not in self._written:
            return "CAST(NULL AS VARCHAR)"
        return _json(quote(name)) if name in self._nested else quote(name)

    def _frame(self, rows: Sequence[Mapping[str, Any]]) -> Any:
        import polars as pl

        names = list(dict.fromkeys(name for row in rows for name in row))
        return pl.DataFrame([self._series(name, [row.get(name) for row in rows]) for name in names])

    def _series(self, name: str, values: list[Any]) -> Any:
        """Of the values' own type; text where they have several."""
        import polars as pl

        if any(isinstance(each, Mapping | list | tuple) for each in values):
            self._nested.add(name)
            return pl.Series(name, [None if each is None else _as_json(each) for each in values], dtype=pl.String)
        try:
            found = pl.Series(name, values, strict=not _are_numbers(values))
            if found.dtype in (pl.Object, pl.Int128, pl.UInt64, pl.Categorical):
                raise TypeError(found.dtype)
        except (TypeError, OverflowError, ValueError, pl.exceptions.PolarsError):
            return pl.Series(name, [None if each is None else str(each) for each in values], dtype=pl.String)
        return found

    def _write(self, frame: Any) -> None:
        """A column without a value is left out, since nobody knows its type; one column at least stays."""
        import polars as pl

        if not frame.height:
            return
        self.columns |= dict.fromkeys(frame.columns)
        known = frame.select(name for name, kind in frame.schema.items() if kind != pl.Null)
        known = known if known.width else frame.cast(pl.String)
        self._written |= dict.fromkeys(known.columns)
        self.files.append(self._folder / f"{len(self.files)}.parquet")
        known.write_parquet(self.files[-1])
        self.rows += frame.height


def _are_numbers(values: Sequence[Any]) -> bool:
    """Whether a DOUBLE holds them all, integers among fractions."""
    kinds = {type(each) for each in values if each is not None}
    return kinds == {int, float} and all(abs(each) <= _EXACT for each in values if isinstance(each, int))


def _as_json(value: Any) -> str:
    return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


def _json(column: str) -> str:
    """JSON of a column that holds JSON texts, and in other pieces plain values."""
    text = f"CAST({column} AS VARCHAR)"
    return f"CASE WHEN json_valid({text}) THEN CAST({text} AS JSON) ELSE to_json({text}) END"
