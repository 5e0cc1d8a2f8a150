"""A finer time than the data keeps: the hour of what has days alone, the month of what has years alone.

Called by `decision` with the reading chosen. Such a reading takes the day for midnight, or the date of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.asides.clock import says_time
from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Bucket, Col, During, Query, TableKey, all_nodes_in, columns_in
from pluto_duck_text2sql.trees.years import holds_years

_NO_HOURS = "No time of day is kept of {}, only days: {}."
_NO_MONTHS = "{}.{} holds years, no shorter time."
_HOUR = Pattern(
    r"\b(?:hours?|times?|when|where|part) (?:of|in) (?:the |each |a )?day\b"
    r"|\b(?:what|which) (?:hour|time)s?\b|\bin the (?:morning|afternoon|evening)s?\b",
    re.IGNORECASE,
)
_PART_OF_YEAR = Pattern(r"\b(?:which|what) (?:date|day|weekday|week|month|quarter)\b", re.IGNORECASE)
_HOURS = ("hour", "hour_of_day")
_CALLED = frozenset(map(stem, "time hour clock minute shift duration slot".split()))
_YEAR_DAYS = 360


def too_fine(question: str, query: Query, mentions: Sequence[Mention], catalog: Catalog) -> str:
    """Why the data keeps no time as fine as the question asks for; nothing where it does."""
    tables = [table for table in (catalog.table(*each) for each in _tables(query)) if table]
    asks = says_time(question) or _HOUR.search(question) or any(_is_hour(each) for each in all_nodes_in(query))
    if asks and not any(_may_hold_hours(table, each) for table in tables for each in table.columns):
        days = [f"{table.name}.{each.name}" for table in tables for each in table.columns if each.is_time]
        return _NO_HOURS.format(" and ".join(table.name for table in tables), ", ".join(days)) if days else ""
    shown = [each for each in query.select if isinstance(each, Col)]
    if shown and _PART_OF_YEAR.search(question) and all(holds_years(each, catalog) for each in shown):
        return _NO_MONTHS.format(shown[0].table[1], shown[0].name)
    return next(_borrowed(query, mentions, catalog), "")


def _tables(query: Query) -> list[TableKey]:
    return list(dict.fromkeys((query.anchor, *(each.table for each in columns_in(query)))))


def _is_hour(node: object) -> bool:
    return isinstance(node, Bucket) and node.grain in _HOURS


def _may_hold_hours(table: Table, column: Column) -> bool:
    """Whether a column holds moments or times of day, or is called as if it did."""
    stems = table.stems(column.name)
    is_written = any(each in column.date_format for each in ("%H", "%I"))
    is_moment = column.is_moment or column.type.upper().startswith("TIME") or is_written
    return is_moment or ("per" not in stems and not _CALLED.isdisjoint(stems))


def _borrowed(query: Query, mentions: Sequence[Mention], catalog: Catalog) -> Iterator[str]:
    """Months or days of something that the question does not name, where the rows asked for have only a year."""
    own = catalog.table(*query.anchor)
    if own is None or own.has_times:
        return
    named = {each.table.key for item in mentions for each in item.targets if each.column is None}
    years = [each.name for each in own.columns if holds_years(Col(own.key, each.name), catalog)]
    for column in _cut_finer(query):
        if years and column.table not in {own.key, *named}:
            yield _NO_MONTHS.format(own.name, years[0])


def _cut_finer(query: Query) -> Iterator[Col]:
    """The dates that a query cuts to less than a year."""
    for node in all_nodes_in(query):
        is_short = isinstance(node, During) and (node.end - node.start).days < _YEAR_DAYS
        if isinstance(node, Bucket) and node.grain != "year" and isinstance(node.of, Col):
            yield node.of
        elif is_short and isinstance(node.left, Col):
            yield node.left
