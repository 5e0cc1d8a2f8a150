"""Does an answer hold the amount that its question asks for? `how much`, `how old`, `how fast`.

A count of rows is none, nor is a text, a whole row, or the sum of years or of keys.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.tree import Agg, Col, Expr, Query, Rows
from pluto_duck_text2sql.unstored import is_of_years

_HOW_MUCH = re.compile(r"\s*(?P<said>how (?:much|old|tall|heavy|far|fast|deep))\b", re.IGNORECASE)
_COUNTS = re.compile(r"\b(?:how many|number|count|counts)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\D{0,3}[\d.,:' ]*\d[\d.,:' ]*(?:[^\W\d_]|[%\"']){0,4}\.?")
"""A text that is a number, maybe in a unit: `51`, `1:57.10`, `40 mph`."""
_ADDED_UP = ("sum", "avg", "median")
_FIRST_YEAR = 1000

Found = Sequence[Sequence[Any]] | None


def lacks_amount(question: str, query: Query, found: Found, catalog: Catalog, joins: JoinGraph) -> str:
    """The words that ask for an amount, where the query and the rows found hold none; else nothing."""
    asked = _HOW_MUCH.match(question)
    if asked is None:
        return ""
    counts = not _COUNTS.search(question)
    held = (
        not (counts and _counts_rows(each)) and not _is_no_amount(each, place, found, catalog, joins)
        for place, each in enumerate(query.select)
    )
    return "" if any(held) else asked["said"].lower()


def _counts_rows(shown: Expr) -> bool:
    return isinstance(shown, Agg) and shown.function == "count" and isinstance(shown.of, Rows)


def _is_no_amount(shown: Expr, place: int, found: Found, catalog: Catalog, joins: JoinGraph) -> bool:
    if isinstance(shown, Agg) and isinstance(shown.of, Col) and shown.function in _ADDED_UP:
        return joins.is_key(shown.of) or _are_years(shown.of, catalog)
    if isinstance(shown, Col):
        table = catalog.table(*shown.table)
        column = table.column(shown.name) if table else None
        return column is not None and column.kind == "text" and not _says_amounts(found, place)
    return isinstance(shown, Rows)


def _says_amounts(found: Found, place: int) -> bool:
    """Whether the texts found are numbers, kept as texts."""
    cells = [row[place] for row in found or () if len(row) > place and row[place] is not None]
    return bool(cells) and all(_AMOUNT.fullmatch(str(each)) for each in cells)


def _are_years(column: Col, catalog: Catalog) -> bool:
    table = catalog.table(*column.table)
    stored = table.column(column.name) if table else None
    first = stored.minimum if stored else None
    return is_of_years(column, catalog) and isinstance(first, int | float) and first >= _FIRST_YEAR
