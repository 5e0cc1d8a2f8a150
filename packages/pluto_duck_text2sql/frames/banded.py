"""Rows by ranges of a number: `attrition rate by age group: under 30, 30-39, 40 and over`, `how many listings cost
under 50, 50 to 99 or more`, `tracks per decade`, `customers by age group`.

The question without its ranges is asked by the number itself, else for the first range alone, whose condition tells
which number is meant; then the ranges take its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.ranges import Ranges, ranges_in
from pluto_duck_text2sql.tree import (
    Age,
    Agg,
    Band,
    Bands,
    Bucket,
    Col,
    Compare,
    Expr,
    Order,
    Query,
    Steps,
    is_total,
    mapped,
)

_RANGE = r"(?:ranges?|groups?|bands?|brackets?|buckets?|bins?|tiers?|categor(?:y|ies)|class(?:es)?|intervals?|levels?)"
_BY_RANGE = Pattern(
    rf"\b(?P<by>by|per|for each|in each|each) (?P<what>[a-z]+(?: [a-z]+)?) {_RANGE}(?=\W*$|\W*[:(])", re.IGNORECASE
)
_ADJECTIVES = Pattern(
    r"\b(?:(?:small|medium|large|big|short|mid|long|low|middle|high|cheap|expensive|young|old|new)(?:-\w+)?"
    r"(?:,| and|, and| or)? )+",
    re.IGNORECASE,
)
_MARKS = " :;,.?!(–—-"
_DECADE = Pattern(r"\bdecades?\b", re.IGNORECASE)
_YEARS, _TEN = "year", 10
_AGE_GROUPS = Pattern(r"\bage (?:groups?|bands?|brackets?|ranges?)\b", re.IGNORECASE)
_OLDEST = 120


class Banded(Compounds):
    """Answers questions for rows by ranges."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """A row for each range; None where the question lists none, or nothing tells which number they are of."""
        made = next(self._made(question.strip(), run), None)
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _made(self, question: str, run: Run | None) -> Iterator[Candidate]:
        ranges = ranges_in(question)
        if ranges:
            yield from self._by_ranges(question, ranges, run)
        elif _DECADE.search(question):
            yield from self._cut(_DECADE.sub(self._years(), question), run, _by_decade)
        elif _AGE_GROUPS.search(question):
            yield from self._cut(_AGE_GROUPS.sub("age", question), run, self._by_tens)

    def _years(self) -> str:
        """What years are called: by the one column that holds them as numbers, where there is one."""
        columns = (column for table in self.reader.catalog.tables for column in table.columns)
        called = {" ".join(name_words(each.name)) for each in columns if each.kind == "number"}
        years = [each for each in called if each.split()[-1:] == [_YEARS]]
        return years[0] if len(years) == 1 else _YEARS

    def _by_ranges(self, question: str, ranges: Ranges, run: Run | None) -> Iterator[Candidate]:
        before, after = question[: ranges.start].rstrip(_MARKS), question[ranges.end :].lstrip(" ):.?!,")
        rest = _ADJECTIVES.sub("", f"{before} {after}".strip())
        by_number = _BY_RANGE.sub(lambda found: f"{found['by']} {found['what']}", rest)
        if re.search(r"\b(?:by|per|each)\b", by_number, re.IGNORECASE):
            yield from self._cut(by_number, run, lambda query: self._of_number(query, ranges.bands))
        first = f"{_ADJECTIVES.sub('', before)} {ranges.first} {after}".strip()
        yield from self._cut(first, run, lambda query: _of_condition(query, ranges.bands))

    def _cut(self, text: str, run: Run | None, cut: Any) -> Iterator[Candidate]:
        part = self._part(text, run)
        query = cut(part.tree) if part else None
        made = self.candidate(query, [part], (), run) if part and query else None
        yield from [made] if made else []

    def _of_number(self, query: Query, bands: tuple[Band, ...]) -> Query | None:
        """By ranges of what the query groups by; None where that holds no numbers."""
        key = _key(query)
        column = self.reader.catalog.column(*key.table, key.name) if isinstance(key, Col) else None
        return _of_key(query, bands) if column is None or column.kind == "number" else None

    def _by_tens(self, query: Query) -> Query | None:
        """By ten years each, between the youngest and the oldest where that is known."""
        key = _key(query)
        column = self.reader.catalog.column(*key.table, key.name) if isinstance(key, Col) else None
        known = (
            column is not None and isinstance(column.minimum, int | float) and isinstance(column.maximum, int | float)
        )
        least, most = (int(column.minimum), int(column.maximum)) if column and known else (0, _OLDEST - 1)
        starts = range(least // _TEN * _TEN, most + 1, _TEN)
        bands = tuple(Band(f"{start}-{start + _TEN - 1}", start, start + _TEN) for start in starts)
        return _of_key(query, bands) if 0 <= least <= most < _OLDEST else None


def _of_key(query: Query, bands: tuple[Band, ...]) -> Query | None:
    """The query by ranges of the one number that it groups by."""
    key = _key(query)
    return _in_place(query, key, Bands(key, bands), key) if key is not None else None


def _of_condition(query: Query, bands: tuple[Band, ...]) -> Query | None:
    """The query by ranges of the number that its condition sets the first bound of."""
    edges = {bands[0].low, bands[0].high} - {None}
    found = [each for each in query.where if isinstance(each, Compare) and each.right in edges]
    keys = list(dict.fromkeys(each.left for each in found))
    if len(keys) != 1 or query.group or query.limit or not all(map(is_total, query.select)):
        return None
    key = Bands(keys[0], bands)
    where = tuple(each for each in query.where if each not in found)
    order = (Order(Agg("min", keys[0])),)
    return replace(query, where=where, select=(key, *query.select), group=(key,), order=order)


def _key(query: Query) -> Expr | None:
    """The one thing that a query of totals groups by."""
    is_plain = len(query.group) == 1 and not (query.limit or query.then or query.per or query.beside)
    key = query.group[0] if is_plain else None
    is_shown = key in query.select and any(map(is_total, query.select))
    return key if isinstance(key, Col | Age) and is_shown else None


def _in_place(query: Query, key: Expr, banded: Expr, by: Expr) -> Query:
    select = tuple(banded if each == key else each for each in query.select)
    return replace(query, select=select, group=(banded,), order=(Order(Agg("min", by)),))


def _by_decade(query: Query) -> Query | None:
    """The query by decades in place of years."""
    years = [each for each in query.group if _holds_years(each)]
    if len(years) != 1:
        return None
    key = years[0]

    def cut(node: Any) -> Any:
        return Steps(node, _TEN) if node == key else node

    where, rest = query.where, replace(query, where=())
    return replace(mapped(rest, cut), where=where)


def _holds_years(key: Expr) -> bool:
    is_named = isinstance(key, Col) and any(part in key.name.lower() for part in ("year", "yr"))
    return is_named or (isinstance(key, Bucket) and key.grain == _YEARS)
