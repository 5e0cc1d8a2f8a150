"""Columns of years as numbers: `released_year`, `work_year`. Where rows keep no dates these are their times."""

from __future__ import annotations

from collections.abc import Collection

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.date_names import ends
from pluto_duck_text2sql.tree import Col

_NUMBER = int | float
_FIRST_YEAR = 1000
"""Numbers below are no years of the calendar."""


def is_of_years(column: Col, catalog: Catalog) -> bool:
    """Whether a column is called a year."""
    table = catalog.table(*column.table)
    return table is not None and "year" in table.stems(column.name)


def holds_years(column: Col, catalog: Catalog) -> bool:
    """Whether a column holds years of the calendar, and not a number of them."""
    stored = catalog.column(*column.table, column.name)
    return is_of_years(column, catalog) and stored is not None and is_from_a_year_on(stored)


def year_columns(table: Table) -> list[Column]:
    """The columns of a table that hold years."""
    return [each for each in table.columns if "year" in table.stems(each.name) and is_from_a_year_on(each)]


def own_year(table: Table) -> Column | None:
    """The year that is a row's own: the only one that is no end, as `startYear` beside `endYear`."""
    years = [each for each in year_columns(table) if not ends(table.stems(each.name))]
    return years[0] if len(years) == 1 else None


def year_said(table: Table, said: Collection[str]) -> Column | None:
    """The one year of a table that words said tell, else its own."""
    told = [each for each in year_columns(table) if set(said) & (set(table.stems(each.name)) - {"year"})]
    return told[0] if len(told) == 1 else own_year(table)


def is_from_a_year_on(column: Column) -> bool:
    """Whether all numbers of a column are as high as years."""
    return column.kind == "number" and isinstance(column.minimum, _NUMBER) and column.minimum >= _FIRST_YEAR
