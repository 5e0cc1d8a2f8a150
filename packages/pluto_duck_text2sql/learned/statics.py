"""What the network is told of a table or column whatever is asked: kinds, keys, statistics. Made once for each name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.learned.names import Name
from pluto_duck_text2sql.tree import TableKey

FEATURES = 40
"""Of a node, in all; names have theirs at 1, 2 and from 11 on."""
Floats = NDArray[np.float32]
Pointing = Mapping[tuple[TableKey, str], tuple[TableKey, str]]
"""Each foreign key's column (its name in lower case), and the column it points at."""


def pointing(catalog: Catalog) -> Pointing:
    """Of all keys of a catalog."""
    found = {}
    for table in catalog.tables:
        for key in table.foreign_keys:
            for column, ref in zip(key.columns, key.ref_columns, strict=False):
                found[table.key, column.casefold()] = ((key.ref_schema, key.ref_table), ref.casefold())
    return found


class Statics:
    """Rows of features, one for each name of a catalog that was looked at."""

    def __init__(self, keys: Pointing) -> None:
        self._keys = keys
        self._made: dict[Name, Floats] = {}

    def of(self, name: Name) -> Floats:
        """The row of a name, not to be changed."""
        if name not in self._made:
            self._made[name] = self._row(name)
        return self._made[name]

    def _row(self, name: Name) -> Floats:
        row = np.zeros(FEATURES, np.float32)
        row[1 if name.column else 2] = 1
        row[11] = min(name.table.row_count or 0, 1000) / 1000
        row[12] = min(len(name.table.columns), 30) / 30
        if name.column:
            self._column(row, name.table, name.column)
        else:
            row[13] = min(len(name.table.foreign_keys), 4) / 4
        return row

    def _column(self, row: Floats, table: Table, column: Column) -> None:
        for n, kind in enumerate(("number", "time", "text", "flag", "other")):
            row[14 + n] = column.kind == kind
        row[19] = column.name in table.primary_key
        row[20] = (table.key, column.name.casefold()) in self._keys
        rows = table.row_count or 0
        row[21] = (column.n_distinct or 0) / rows if rows else 0
        row[22] = min(column.n_distinct or 0, 20) / 20
        row[23] = column.null_fraction or 0
        row[24] = table.stems(column.name)[-1:] == ("id",)
        row[25] = "nam" in table.stems(column.name)
        places = [n for n, each in enumerate(table.columns) if each.name == column.name]
        row[26] = min(places[0], 10) / 10 if places else 1
