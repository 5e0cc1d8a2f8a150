"""Exports with a row for each line of which the first line of each order alone holds what is said of the whole order:
its total, state and address (`Total`, `Financial Status`, `Billing City` beside `Lineitem name`).

Told by how many rows lack a value: as many as there are lines after the first ones.
"""

from __future__ import annotations

from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.things import things
from pluto_duck_text2sql.language.words import name_words
from pluto_duck_text2sql.tree import Col

_LEAST = 3
"""So many columns must lack as many values, so that it is no chance."""
_ONE_ROW = 0.5


@dataclass(frozen=True)
class Heads:
    """What tells the things of a table apart, a column that every first line has, those that only first lines may have,
    and those that are of a line."""

    key: Col
    marker: Col
    columns: frozenset[Col]
    of_lines: frozenset[Col]


def heads(catalog: Catalog) -> list[Heads]:
    """The tables whose first lines are heads."""
    found = (_heads(table, each.key) for each in things(catalog) if (table := catalog.table(*each.key.table)))
    return list({each.key.table: each for each in found if each}.values())


def _heads(table: Table, key: Col) -> Heads | None:
    rows, column = table.row_count or 0, table.column(key.name)
    lines = rows - (column.n_distinct or 0) if column else 0
    whole = [each for each in table.columns if lines > 0 and abs(_lacking(each, rows) - lines) < _ONE_ROW]
    if len(whole) < _LEAST:
        return None
    may_lack = {Col(table.key, each.name) for each in table.columns if _lacking(each, rows) > lines - _ONE_ROW}
    of_lines = {Col(table.key, each.name) for each in table.columns if _is_of_line(each)} - may_lack
    return Heads(key, Col(table.key, whole[0].name), frozenset(may_lack), frozenset(of_lines))


def _lacking(column: Column, rows: int) -> float:
    return (column.null_fraction or 0) * rows


def _is_of_line(column: Column) -> bool:
    words = name_words(column.name)
    return words[:1] in (("lineitem",), ("item",)) or words[:2] == ("line", "item")
