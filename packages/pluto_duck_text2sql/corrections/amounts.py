"""Does an answer hold the amount, or the time, that its question asks for? `how much`, `how old`, `how long`, `when`.

A count of rows, or a number of things that is stored, is no amount, nor is a share of yes and no, a text, a whole row,
or the sum of years or of keys; days are no money that is paid. A time is of a column of times, of one called so, or is
told by a text with a digit in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Agg, Col, Days, Expr, Query, Rows, nodes_in
from pluto_duck_text2sql.trees.years import holds_years

_HOW_MUCH = Pattern(
    r"\s*(?P<said>how (?:much|old|tall|heavy|far|fast|deep|long(?! (?:ago|has|have|had))))\b", re.IGNORECASE
)
_EARNED = Pattern(r"\b(?P<said>(?:earn|spend|pay|cost)(?:s|ed)?|spent|paid) (?:the )?(?:most|least)\b", re.IGNORECASE)
_PAYS = Pattern(
    r"\s*how much (?:money )?(?:do|did|does|have|has) \w+ (?:pay|paid|spend|spent|earn|owe|charge)", re.IGNORECASE
)
_COUNTS = Pattern(r"\b(?:how many|number|count|counts)\b", re.IGNORECASE)
_AMOUNT = Pattern(r"\D{0,3}[\d.,:' ]*\d[\d.,:' ]*(?:[^\W\d_]|[%\"']){0,4}\.?")
"""A text that is a number, maybe in a unit: `51`, `1:57.10`, `40 mph`."""
_WHEN = Pattern(
    r"\s*(?:when\b(?! (?:is|are|was|were) (?:it|they)\b)|(?:in |on )?(?:what|which) (?:year|date)\b)", re.IGNORECASE
)
_YEARS = range(1000, 2100)
"""Numbers that are years: when a school was founded."""
_TIMES = frozenset(
    map(
        stem, "date year month day week quarter time hour when period season start end since until from to open".split()
    )
)
_HOW_MANY = frozenset(map(stem, "number num count".split()))
"""Before other words in a column's name these say that it is a number of things: `num_of_songs`."""
_ADDED_UP = ("sum", "avg", "median")

Found = Sequence[Sequence[Any]] | None


_WHO = Pattern(r"\s*who\b", re.IGNORECASE)


def lacks_amount(question: str, query: Query, found: Found, catalog: Catalog, joins: JoinGraph) -> str:
    """The words that ask for an amount, where the query and the rows found hold none; else nothing."""
    earned = _EARNED.search(question)
    if earned and query.order and all(_tells_how_many(each.by, catalog) for each in query.order):
        return earned["said"].lower()
    asked = _HOW_MUCH.match(question)
    if asked is None:
        return ""
    counts, is_money = not _COUNTS.search(question), _PAYS.match(question) is not None
    is_length = asked["said"].casefold().endswith("long")
    held = (
        not (is_length and _is_of_times(each, catalog))
        and not (is_money and any(isinstance(part, Days) for part in nodes_in(each)))
        and not (counts and _tells_how_many(each, catalog))
        and not _is_no_amount(each, place, found, catalog, joins)
        for place, each in enumerate(query.select)
    )
    return "" if any(held) else asked["said"].lower()


def lacks_time(question: str, query: Query, found: Found, catalog: Catalog) -> bool:
    """Whether the question asks when, and nothing that the query shows is a time."""
    if not _WHEN.match(question) or not query.select:
        return False
    return not any(_may_be_time(each, place, found, catalog) for place, each in enumerate(query.select))


def showing_when(query: Query, question: str, catalog: Catalog) -> Query:
    """`when was the first order`: the date that it is the first by, not which one it is."""
    by = query.order[0].by if len(query.order) == 1 and query.limit is not None else None
    if not isinstance(by, Col) or query.group or not lacks_time(question, query, None, catalog):
        return query
    column = catalog.column(*by.table, by.name)
    return replace(query, select=(by,)) if column and column.is_time else query


def _may_be_time(shown: Expr, place: int, found: Found, catalog: Catalog) -> bool:
    of = shown.of if isinstance(shown, Agg) else shown
    if not isinstance(of, Col):
        return not isinstance(shown, Agg)
    table = catalog.table(*of.table)
    stored = table.column(of.name) if table else None
    if table is None or stored is None or stored.is_time or not _TIMES.isdisjoint(table.stems(of.name)):
        return True
    cells = [row[place] for row in found or () if len(row) > place and row[place] is not None]
    if stored.kind == "text":
        return any(re.search(r"\d", str(each)) for each in cells)
    return bool(cells) and all(_is_year(each) for each in cells)


def _is_year(cell: Any) -> bool:
    """Whether a cell is a year, as a number or as a text."""
    number = int(cell) if isinstance(cell, str) and cell.isdecimal() else cell
    return isinstance(number, int | float) and number in _YEARS


def _tells_how_many(shown: Expr, catalog: Catalog) -> bool:
    """Whether it counts rows, or is of a column that says a number of things."""
    of = shown.of if isinstance(shown, Agg) else shown
    if isinstance(of, Rows):
        return isinstance(shown, Agg) and shown.function == "count"
    table = catalog.table(*of.table) if isinstance(of, Col) else None
    return table is not None and isinstance(of, Col) and not _HOW_MANY.isdisjoint(table.stems(of.name)[:-1])


def _is_of_times(shown: Expr, catalog: Catalog) -> bool:
    """Whether it is a day, or the first or last of them: no length."""
    of = shown.of if isinstance(shown, Agg) and shown.function in ("min", "max") else shown
    column = catalog.column(*of.table, of.name) if isinstance(of, Col) else None
    return column is not None and column.is_time


def _is_no_amount(shown: Expr, place: int, found: Found, catalog: Catalog, joins: JoinGraph) -> bool:
    if isinstance(shown, Agg) and isinstance(shown.of, Col) and shown.function in _ADDED_UP:
        column = catalog.column(*shown.of.table, shown.of.name)
        is_flag = column is not None and column.kind == "flag"
        return (
            is_flag or joins.is_key(shown.of) or joins.pointed(shown.of) != shown.of or holds_years(shown.of, catalog)
        )
    if isinstance(shown, Col):
        column = catalog.column(*shown.table, shown.name)
        return column is not None and column.kind == "text" and not _says_amounts(found, place)
    return isinstance(shown, Rows)


def _says_amounts(found: Found, place: int) -> bool:
    """Whether the texts found are numbers, kept as texts."""
    cells = [row[place] for row in found or () if len(row) > place and row[place] is not None]
    return bool(cells) and all(_AMOUNT.fullmatch(str(each)) for each in cells)


def lacks_person(question: str, query: Query, catalog: Catalog) -> bool:
    """Whether `who` is answered by nothing but times."""
    if not _WHO.match(question):
        return False
    shown = [catalog.column(*each.table, each.name) if isinstance(each, Col) else None for each in query.select]
    return bool(shown) and all(each is not None and each.is_time for each in shown)
