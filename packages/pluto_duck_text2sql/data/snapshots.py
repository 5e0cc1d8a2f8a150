"""Snapshots: rows that say how much there was of a thing on a day or in a month, one for each thing and each of these.

`daily_balance(account_id, balance_date, balance)`, `stock_levels`, `mrr_monthly`. Of one day they are added up, of
several they are not: what there was at the end of a period is that of its last one.
"""

from __future__ import annotations

from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.tree import Col

_LEVELS = frozenset(map(stem, "balance stock inventory headcount backlog mrr arr level hand".split()))
_CHANGES = frozenset(map(stem, "change movement delta new churned lost added".split()))
_DENSE = 0.3
"""How many of all things on all days have a row at least, for rows to be snapshots."""
_FEWEST = 3


@dataclass(frozen=True)
class Snapshot:
    """A level and the date of which it is."""

    level: Col
    date: Col


def snapshots(catalog: Catalog) -> list[Snapshot]:
    """The levels among the tables' columns."""
    return [found for table in catalog.tables for found in snapshots_of(table)]


def snapshots_of(table: Table) -> list[Snapshot]:
    """The levels that a table keeps."""
    times = [each for each in table.columns if each.is_time]
    levels = [each for each in table.columns if each.kind == "number" and _is_level(each)]
    if len(times) != 1 or not levels or not _is_dense(table, times[0]):
        return []
    return [Snapshot(Col(table.key, each.name), Col(table.key, times[0].name)) for each in levels]


def _is_level(column: Column) -> bool:
    stems = name_stems(column.name)
    return not _LEVELS.isdisjoint(stems) and _CHANGES.isdisjoint(stems)


def _is_dense(table: Table, date: Column) -> bool:
    """Whether there is a row for each date, or for each thing on most of them."""
    days, rows = date.n_distinct or 0, table.row_count or 0
    if days < _FEWEST or not rows:
        return False
    keys = (each.n_distinct or 0 for each in table.columns if each.name != date.name and each.kind != "time")
    return rows == days or any(_DENSE * key * days <= rows <= key * days for key in keys if 1 < key < rows / _FEWEST)
