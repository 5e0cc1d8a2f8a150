"""Are the columns that a question lists shown, all of them?

A part of the accounts (accounts.py), for trees of any origin: `id, city and name of the airports by name` is no answer
without the names, though it is sorted by them. Each rule gives the spans of words that left no mark. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.tree import Agg, Col, Query, columns_in, is_total

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.reading.reader import Pass

Spans = Iterator[tuple[int, int]]
_BETWEEN = frozenset("and the their its".split())
"""What stands between two columns that are listed; commas are no words."""
_OF = frozenset(("of", "for"))
_ASKS, _IS = frozenset(("what", "which", "who")), frozenset("is are was were".split())
_NAMES = frozenset(map(stem, ("name", "title")))
"""What is shown by what rows are called, whatever that column is called."""
_NAMED = 0.6
_DATES = Pattern(r"\bdates?\b(?: \w+){1,5}?,?(?: and)? the dates?\b", re.IGNORECASE)
_WITH_COUNT = Pattern(r"\b(?:and|along with|as well as) (?:its|the|their) number of\b", re.IGNORECASE)


def lost_columns(roles: Pass, query: Query) -> Spans:
    """The words for what is asked to be shown that a tree does not show."""
    for lost in (_lost_listed, _lost_besides, _lost_dates, _lost_counts):
        yield from lost(roles, query)


def _lost_listed(roles: Pass, query: Query) -> Spans:
    """`name, sex and weight of the riders`: each of the columns that are listed, if any is."""
    shown = {each for each in columns_in(query.select) if isinstance(each, Col)}
    listed = _listed(roles)
    are_shown = [_is_shown(each, shown, roles) for each in listed]
    if any(are_shown):
        yield from ((item.start, item.end) for item, is_shown in zip(listed, are_shown, strict=True) if not is_shown)


def _lost_besides(roles: Pass, query: Query) -> Spans:
    """`who is the youngest, and what is their weight`: what is asked for in a clause of its own."""
    shown = {each for each in columns_in(query.select) if isinstance(each, Col)}
    starts = set(_clauses([token.lower for token in roles.tokens]))
    asked = (each for each in roles.mentions if each.start in starts and not (each.hits or each.term))
    yield from ((each.start, each.end) for each in asked if shown and not _is_shown(each, shown, roles))


def _clauses(words: list[str]) -> Iterator[int]:
    """Where what is asked for stands in `and what is the …`."""
    for place in range(1, len(words) - 3):
        if words[place] == "and" and words[place + 1] in _ASKS and words[place + 2] in _IS:
            yield place + 3 + (words[place + 3] in _BETWEEN)


def _listed(roles: Pass) -> list[Mention]:
    """The columns that a question begins with, where they are told to be of something; none where it is only one."""
    words = [token.lower for token in roles.tokens]
    run: list[Mention] = []
    for item in roles.mentions:
        if not _is_column(item) or (run and not _BETWEEN.issuperset(words[run[-1].end : item.start])):
            break
        run.append(item)
    is_of = bool(run) and run[-1].end < len(words) and words[run[-1].end] in _OF
    return run if is_of and len(run) > 1 else []


def _is_column(item: Mention) -> bool:
    """Whether words name columns, and no rows."""
    is_of_rows = any(each.column is None and each.score >= _NAMED for each in item.targets)
    return bool(item.targets) and not (item.hits or item.term or is_of_rows)


def _is_shown(item: Mention, shown: set[Col], roles: Pass) -> bool:
    """Whether one of the columns that words may mean is shown, or what the rows are called that it leads to."""
    pointed, label = roles.reader.joins.pointed, roles.reader.resolver.label
    meant = {Col(each.table.key, each.column.name) for each in item.targets if each.column}
    led = {pointed(each) for each in meant}
    rows = [each.table for each in item.targets if each.column is None]
    led_to = (*(led - meant), *(shown if _NAMES.issuperset(map(stem, item.text.lower().split())) else ()))
    tables = (*rows, *(roles.reader.catalog.table(*each.table) for each in led_to))
    called = {column for table in tables if table for column in label(table)}
    return not shown.isdisjoint(meant | called) or not led.isdisjoint(map(pointed, shown))


def _lost_dates(roles: Pass, query: Query) -> Spans:
    """`the date it was made and the date it was settled`: two dates, no amount that was settled."""
    columns = {each for each in query.select if isinstance(each, Col)}
    stored = (roles.reader.catalog.column(*each.table, each.name) for each in columns)
    are_dates = [each.is_time for each in stored if each]
    if _DATES.search(roles.whole) and sum(are_dates) == 1 < len(are_dates):
        yield 0, 1


def _lost_counts(roles: Pass, query: Query) -> Spans:
    """`the state with the most sales and its number of shops`: a number is shown, not only what is ranked by."""
    said = _WITH_COUNT.search(roles.words_at(0, len(roles.tokens)))
    totals = [each for each in query.select if is_total(each)]
    if said and totals and all(isinstance(each, Agg) and each.of in _ranked_by(query) for each in totals):
        place = len(said.string[: said.end()].split())
        yield place - 1, place + 1


def _ranked_by(query: Query) -> set[object]:
    """What a tree sorts totals of that are no counts."""
    totals = (each.by for each in query.order if isinstance(each.by, Agg))
    return {each.of for each in totals if each.function != "count"}
