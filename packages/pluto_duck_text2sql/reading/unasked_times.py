"""Times that a tree tells apart by, puts together or counts from, and its question does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.reading.unasked_columns import column_of
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Days, Query, Related, all_nodes_in

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Pass

_OF_DATES = Pattern(r"\b(?:dates?|days?|when)\b", re.IGNORECASE)
_TIME_TO = Pattern(r"\b(?:time|days|takes?(?: us| them)?) to (?P<deed>[a-z]+)", re.IGNORECASE)
_DAYS = frozenset("day days date dates times moments hours weeks months".split())


def raw_times(roles: Pass, query: Query) -> Iterator[str]:
    """`bookings made each quarter`: no row for each moment beside its quarter; nor are the different days counted of
    tickets that were opened."""
    said = {token.lower for token in roles.tokens}
    buckets = {each.of for each in query.group if isinstance(each, Bucket)}
    yield from (each.name for each in query.group if isinstance(each, Col) and each in buckets)
    if said.isdisjoint(_DAYS):
        counted = (each.of for each in all_nodes_in(query.select) if isinstance(each, Agg) and each.distinct)
        times = (of for of in counted if isinstance(of, Col) and (column := column_of(of, roles)) and column.is_time)
        yield from (of.name for of in times)


def times_of_doers(roles: Pass, query: Query) -> Iterator[str]:
    """`users who logged an event, by month` is by the event's month, unless the user's own date is what is said."""
    deeds = [each for each in query.where if isinstance(each, Related) and not (each.negated or each.count)]
    dated = [each for each in deeds if (table := roles.reader.catalog.table(*each.table)) and table.has_times]
    said = {token.stem for token in roles.tokens}
    times = [each.of for each in query.group if isinstance(each, Bucket)] if dated else []
    own = (each for each in times if isinstance(each, Col) and each.table == query.anchor)
    yield from (each.name for each in own if said.isdisjoint(name_stems(each.name)))


def turned_spans(roles: Pass, query: Query) -> Iterator[str]:
    """`time to hire` ends with the hiring: the days from there on are no such time."""
    said = {stem(match["deed"].lower()) for match in _TIME_TO.finditer(roles.words_at(0, len(roles.tokens)))}
    spans = (each for each in all_nodes_in(query) if isinstance(each, Days)) if said else ()
    for each in spans:
        begins, ends = (set(name_stems(end.name)) if isinstance(end, Col) else set() for end in (each.start, each.end))
        if said & begins and said.isdisjoint(ends):
            yield str(each.start)


def mean_dates(roles: Pass, query: Query) -> Iterator[str]:
    """`time to hire` is no mean of the dates of hiring; nothing is, but where dates are what is asked."""
    if not _OF_DATES.search(roles.words_at(0, len(roles.tokens))):
        of = (each.of for each in all_nodes_in(query.select) if isinstance(each, Agg) and each.function == "avg")
        yield from (each.name for each in of if isinstance(each, Col) and (c := column_of(each, roles)) and c.is_time)
