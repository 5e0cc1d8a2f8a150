"""Tables that hold each day once and nothing else, which tools make to join by (`time_spine`): they tell of nothing.

Called by `analyst`; a question that names one by its whole name is read over it all the same.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import replace

from pluto_duck_text2sql.data.catalog import Catalog, Table

_MANY = 366
"""With fewer days it may be a list of some."""


def without_spines(catalog: Catalog, named: Collection[str] = ()) -> Catalog:
    """The catalog without such tables, but those in `named` and any that others point at; the same where none is."""
    pointed = {(key.ref_schema, key.ref_table) for table in catalog.tables for key in table.foreign_keys}
    kept = tuple(
        each for each in catalog.tables if each.name in named or each.key in pointed or not _holds_all_days(each)
    )
    return catalog if len(kept) in (0, len(catalog.tables)) else replace(catalog, tables=kept)


def _holds_all_days(table: Table) -> bool:
    """Whether its one column holds as many different days as there are from the first to the last."""
    only = table.columns[0] if len(table.columns) == 1 else None
    if only is None or not only.is_day or (table.row_count or 0) < _MANY:
        return False
    first, last = only.minimum, only.maximum
    known = isinstance(first, dt.date) and isinstance(last, dt.date)
    return known and table.row_count == (last - first).days + 1
