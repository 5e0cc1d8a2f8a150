"""What a model is told of the data: the tables a question needs, as compact lines within a number of characters."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from pluto_duck_text2sql.analysis import Links
from pluto_duck_text2sql.catalog import Catalog, Column, Table

_LONGEST_COMMENT = 200
_LONGEST_VALUE = 60


def describe(catalog: Catalog, links: Links, room: int, *, values: bool) -> str:
    """The linked tables first, then the others as long as there is room; `values` of the data only where allowed."""
    first = [table for table, _ in links.tables]
    others = [table for table in catalog.tables if table not in first]
    lines = _fitting((_table(each) for each in [*first, *others]), room)
    return "\n\n".join([*lines, *_values(links, values)]) or "(There are no tables yet.)"


def _fitting(texts: Iterable[str], room: int) -> list[str]:
    kept: list[str] = []
    for text in texts:
        room -= len(text) + 2
        if room < 0:
            break
        kept.append(text)
    return kept


def _table(table: Table) -> str:
    rows = f", {table.row_count:,} rows" if table.row_count is not None else ""
    head = f"{table.schema}.{table.name}{rows}{_comment(table.comment)}"
    keys = [f"  key: {', '.join(table.primary_key)}"] if table.primary_key else []
    joins = [
        f"  {', '.join(key.columns)} -> {key.ref_schema}.{key.ref_table} ({', '.join(key.ref_columns)})"
        for key in table.foreign_keys
    ]
    return "\n".join([head, *(_column(each) for each in table.columns), *keys, *joins])


def _column(column: Column) -> str:
    return f"  {column.name} {column.type}{_comment(column.comment)}"


def _comment(text: str) -> str:
    line = " ".join(text.split())[:_LONGEST_COMMENT]
    return f"  -- {line}" if line else ""


def _values(links: Links, allowed: bool) -> list[str]:
    if not allowed or not links.values:
        return []
    named = [f"  {each.table}.{each.column} = {_shown(each.value)}" for each in links.values]
    return ["Stored values that the question may mean:\n" + "\n".join(dict.fromkeys(named))]


def _shown(value: Any) -> str:
    return repr(" ".join(str(value).split())[:_LONGEST_VALUE])


def today(now: dt.date | None = None) -> str:
    return f"{now or dt.date.today():%A, %d %B %Y}"


def rows_shown(names: Sequence[str], rows: Sequence[Sequence[Any]], room: int) -> str:
    """Rows as lines of a table, as many as fit."""
    lines = [" | ".join(names), *(" | ".join(str(cell) for cell in row) for row in rows)]
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(kept)
