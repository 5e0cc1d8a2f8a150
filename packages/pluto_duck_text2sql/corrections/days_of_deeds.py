"""Periods and grains by the day of the deed that is told: closed in 2023, fixed the most, bookings that start."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.corrections.date_columns import OF_TIME, DateColumns
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.date_names import is_meant
from pluto_duck_text2sql.data.event_dates import SAID, deeds_of, happening
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, spoken_stems, stem, table_words, tokenise
from pluto_duck_text2sql.tree import Bucket, Col, Compare, Cond, During, Missing, Query, columns_in, kinds_in, mapped
from pluto_duck_text2sql.trees.durations import rooted

_SEVERAL = 2
DEED_IN = Pattern(r"\b(?P<deed>[a-z]{4,}) (?:in|during|last|this|since|before|after)\b", re.IGNORECASE)
_ASKS_WHEN = Pattern(
    r"^(?:(?:on|in|at|during) )?(?:which|what)"
    r" (?:days? of the week|weekdays?|months?|quarters?|years?|hours?|time of day)"
    r"(?: of the day)? (?:are|were|is|was|do|did|get|got|have|has|had|saw)\b(?P<rest>.+)$",
    re.IGNORECASE,
)
_DUE_THEN = Pattern(r"(?<!over)(?<!past )\b(?:due|promised|expected|scheduled|planned)\b(?! dates?\b)", re.IGNORECASE)
_STATES_AS_THEY_ARE = frozenset("open close complete active live due current".split())
"""Words that say how rows are, no deed: what is open, though there is a day on which it was opened."""
_ACTIVE = Pattern(
    r"\b(?:which|what|who)(?: [a-z]+){0,2} (?P<deed>[a-z]+)"
    r" (?=(?:the most|the fewest|more than|at least|fewer than) [a-z0-9])",
    re.IGNORECASE,
)


def without_deed(query: Query, question: str) -> Query:
    """`booked in March`: what was booked then, whatever has become of it since. A word said once is the date's, and no
    status called so; tickets opened in March were created then."""
    dated = [each for each in columns_in(replace(query, where=_timed(query.where))) if isinstance(each, Col)]
    told = {root: each.table for each in dated for root in rooted(deeds_of(name_stems(each.name)))}
    tokens = tokenise(question)
    said = [each for token in tokens for each in rooted([token.stem])]
    plain = {token.lower for token in tokens if token.lower in _STATES_AS_THEY_ARE}

    def is_deed(condition: Cond) -> bool:
        if not isinstance(condition, Compare) or condition.operator != "=" or not isinstance(condition.right, str):
            return False
        (root, *others) = rooted([stem(condition.right.lower())])
        is_of_it = isinstance(condition.left, Col) and told.get(root) == condition.left.table
        return is_of_it and not others and said.count(root) == 1 and condition.right.lower() not in plain

    kept = tuple(each for each in query.where if not is_deed(each))
    return query if kept == query.where else replace(query, where=kept)


def _timed(conditions: tuple[Cond, ...]) -> tuple[Cond, ...]:
    """The conditions on when."""
    return tuple(each for each in conditions if isinstance(each, During))


def of_said_date(query: Query, said: frozenset[str], known: DateColumns) -> Query:
    """`by departure year, just 2023`: the year of departing, where the words name no other date."""
    grains = [each.of for each in query.group if isinstance(each, Bucket) and isinstance(each.of, Col)]
    if len(grains) != 1 or During not in kinds_in(query) or not known.is_named(grains[0], said):
        return query

    def of_it(node: Any) -> Any:
        is_other = isinstance(node, During) and isinstance(node.left, Col) and node.left.table == grains[0].table
        return replace(node, left=grains[0]) if is_other and not known.is_named(node.left, said) else node

    where = tuple(mapped(each, of_it) for each in query.where)
    return query if where == query.where else replace(query, where=where)


def of_due_day(query: Query, question: str, said: frozenset[str], known: DateColumns) -> Query:
    """`parcels due this week`, `expected in May`: of the one day for which rows are promised or planned."""
    table = known.catalog.table(*query.anchor) if _DUE_THEN.search(question) else None
    meant = [each.name for each in table.columns if each.is_time and is_meant(name_stems(each.name))] if table else []
    if table is None or len(meant) != 1:
        return query
    day = Col(table.key, meant[0])

    def of_it(node: Any) -> Any:
        is_other = isinstance(node, During) and isinstance(node.left, Col) and node.left.table == table.key
        return replace(node, left=day) if is_other and not known.is_named(node.left, said) else node

    where = tuple(mapped(each, of_it) for each in query.where)
    return query if where == query.where else replace(query, where=where)


def by_asked_deed(query: Query, question: str, known: DateColumns) -> Query:
    """`on which weekday are most invoices paid`: by the day of paying, where no word names the tree's own day."""
    said = _ASKS_WHEN.search(question)
    grains = [each for each in query.group if isinstance(each, Bucket)]
    day = grains[0].of if len(grains) == 1 else None
    table = known.catalog.table(*day.table) if said and isinstance(day, Col) else None
    if said is None or table is None or not isinstance(day, Col):
        return query
    deeds = frozenset(stem(word) for word in said["rest"].lower().split())
    times = [Col(table.key, each.name) for each in table.columns if each.is_time]
    named = [each for each in times if known.is_named(each, deeds)]
    if len(named) != 1 or named[0] == day:
        return query
    made: Query = mapped(query, lambda each: replace(each, of=named[0]) if each == grains[0] else each)
    return made


def of_their_deed(query: Query, question: str, known: DateColumns) -> Query:
    """`bookings that start in July`, `bookings arriving on a Saturday`: of that day, not of the one that only the
    rows' own name says."""
    table = known.catalog.table(*query.anchor)
    dates = [each.name for each in table.columns if each.is_time] if table else []
    if table is None or len(dates) < _SEVERAL:
        return query
    nouns = {form for word in table_words(table.name) for form in (word, f"{word}s", word.removesuffix("s"))}
    others = [token for token in tokenise(question) if token.lower not in nouns]
    said = spoken_stems(others) | {token.lower for token in others}
    named = [each for each in dates if rooted(said) & rooted(set(table.stems(each)) - OF_TIME)]
    to = _day_told(table, dates, named, said)
    own = frozenset(token.stem for token in tokenise(question) if token.lower in nouns)
    by_noun = {day for each in dates if each not in named and known.is_named(day := Col(table.key, each), own)}
    return _with_dates(query, by_noun, Col(table.key, to)) if to and by_noun else query


def _day_told(table: Table, dates: list[str], named: list[str], said: frozenset[str] | set[str]) -> str | None:
    """The one date that words name, else the one that a deed tells."""
    told = [each for each in dates if happening(table, each, said) >= SAID]
    return named[0] if len(named) == 1 else told[0] if len(told) == 1 and not named else None


def _with_dates(query: Query, old: set[Col], new: Col) -> Query:
    """The query with its periods and grains of these dates as those of another."""

    def put(node: Any) -> Any:
        is_dated = isinstance(node, During | Bucket)
        return mapped(node, lambda each: new if each in old else each) if is_dated else node

    made: Query = mapped(query, put)
    return made


def of_day_done(query: Query, question: str, said: frozenset[str], known: DateColumns) -> Query:
    """`pubs closed in 2023`: of the day of closing, where a tree has those closed of another day of theirs."""
    deeds = frozenset(stem(each["deed"].lower()) for each in DEED_IN.finditer(question))
    done = [each for each in query.where if isinstance(each, Missing) and each.negated]
    done = [each for each in done if known.is_named(each.left, deeds) and known.is_date(each.left)]
    periods = [each for each in query.where if isinstance(each, During)]
    if len(done) != 1 or len(periods) != 1:
        return query
    day, other = done[0].left, periods[0].left
    if not isinstance(other, Col) or other.table != day.table or known.is_named(other, said):
        return query
    kept = tuple(each for each in query.where if each not in (*done, *periods))
    return replace(query, where=(*kept, replace(periods[0], left=day)))


def of_active_deed(query: Query, question: str, said: frozenset[str], known: DateColumns) -> Query:
    """`which mechanic fixed the most bikes in 2024`: of the day of fixing, where no word names the tree's own."""
    deeds = frozenset(stem(each["deed"].lower()) for each in _ACTIVE.finditer(question))

    def put(node: Any) -> Any:
        left = node.left if isinstance(node, During) else None
        if not isinstance(left, Col) or known.is_named(left, said):
            return node
        table = known.catalog.table(*left.table)
        dates = [Col(left.table, each.name) for each in table.columns if each.is_time] if table else []
        done = [each for each in dates if each != left and known.is_named(each, deeds)]
        return replace(node, left=done[0]) if len(done) == 1 else node

    made: Query = mapped(query, put, (During,)) if deeds else query
    return made
