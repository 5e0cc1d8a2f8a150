"""How long rows last that say when they begin and end: `total duration of bookings`, `the most hours of bookings`.

A term as what the time taken is (computed.py), where no column says how long a row lasts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, name_stems, stem, tokenise
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Days,
    During,
    Function,
    Query,
    Unit,
    is_total,
    mapped,
    nodes_in,
)
from pluto_duck_text2sql.trees.durations import Durations, runs
from pluto_duck_text2sql.trees.term import BY_ITS_COLUMNS, Said, Term
from pluto_duck_text2sql.trees.titles import words as in_words
from pluto_duck_text2sql.trees.units import DURATIONS, unit_of

_UNITS: dict[str, Unit] = {"hours": "hour", "minutes": "minute", "days": "day"}
_FUNCTIONS: dict[str, Function] = {
    **dict.fromkeys(("total", "combined", "overall", "summed"), "sum"),
    **dict.fromkeys(("average", "mean", "avg"), "avg"),
    "median": "median",
}
_SAID = (
    r"(?:(?P<how>total|combined|overall|summed|average|mean|avg|median) )?"
    r"(?:(?:duration|length)(?: in (?P<unit>hours|minutes|days))?|(?P<hours>hours|minutes|days)(?= of ))"
)
_MOST = Pattern(r"\b(?P<way>most|fewest|least) (?P<unit>hours|minutes|days) of\b", re.IGNORECASE)
_TIME = r"(?P<what>(?:(?!(?:of|the|per|by|in|a)\b)[a-z]+ )?(?P<rows>[a-z]{2,}time))"
_TIMES = (
    (Pattern(rf"\b(?P<way>most|least) {_TIME}\b", re.IGNORECASE), "{way} total hours of {what}"),
    (Pattern(rf"\bhow much {_TIME}\b", re.IGNORECASE), "how many hours of {what}"),
    (Pattern(rf"\b(?P<how>total|average|mean|avg) {_TIME}\b", re.IGNORECASE), "{how} hours of {what}"),
    (Pattern(rf"\b(?P<hours>hours|minutes) (?:of )?{_TIME}\b", re.IGNORECASE), "{hours} of {what}"),
    (Pattern(rf"\b(?:total )?{_TIME} (?P<hours>hours|minutes)\b", re.IGNORECASE), "total {hours} of {what}"),
    (Pattern(rf"^{_TIME}(?= (?:by|per|for each|in|this|last)\b)", re.IGNORECASE), "total hours of {what}"),
    (
        Pattern(rf"(?P<lead>\b(?:top|bottom)\b.* by ){_TIME}(?=\W*$| (?:in|this|last)\b)", re.IGNORECASE),
        "{lead}total hours of {what}",
    ),
)
"""Rows that are called a time are no number: `the most downtime`, `downtime hours per machine`, `downtime by hall`."""
_HIGHEST = {"most": "highest", "fewest": "lowest", "least": "lowest"}
_LONGER = Pattern(r"\b(?:days?|nights?|weeks?|months?|quarters?|years?|daily|weekly)\b", re.IGNORECASE)
_DATES = frozenset(map(stem, "date time day moment at on timestamp ts dt".split()))
_NEAR = 4
"""So many words after `hours` may be said of whose they are: `of the completed bookings`."""
_ENDS = 2
_LENGTHS = frozenset(map(stem, DURATIONS))


class Lasting:
    """Reads how long rows last over one catalog."""

    def __init__(self, catalog: Catalog, durations: Durations, homes: Homes) -> None:
        self._homes = homes
        self._told = {table.key for table in catalog.tables if says_how_long(table)}
        pairs = ((table, durations.length(table)) for table in catalog.tables if table.key not in self._told)
        self._spans = {
            table.key: replace(pair, unit="hour" if is_between_moments(pair, catalog) else "day")
            for table, pair in pairs
            if pair
        }

    def by_time_spent(self, question: str) -> str:
        """`the most hours of bookings`, `most downtime` as the highest total of hours, where no column holds them."""
        spent = self._of_times(question)
        text = _MOST.sub(lambda found: f"{_HIGHEST[found['way'].lower()]} total {found['unit']} of", spent)
        return text if text != question and any(self.find(tokenise(text))) else question

    def _of_times(self, question: str) -> str:
        """`total downtime` as the total hours of it, where rows from one moment to another are called so."""
        found = ((each.search(question), shape) for each, shape in _TIMES)
        said = next(((match, shape) for match, shape in found if match and self._is_time(match["rows"])), None)
        if said is None:
            return question
        match, shape = said
        parts = match.groupdict()
        way = _HIGHEST.get((parts.get("way") or "").lower(), "")
        return question[: match.start()] + shape.format(**{**parts, "way": way}) + question[match.end() :]

    def _is_time(self, word: str) -> bool:
        called = self._homes.called(tokenise(word))
        return bool(called) and all(key in self._spans and self._spans[key].unit == "hour" for key in called)

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of it."""
        words = Words(tokens)
        if not self._spans:
            return
        for match in words.peek(_SAID):
            start, end = words.span(match)
            rows = tokens[end : end + _NEAR] if match["hours"] else [*tokens[:start], *tokens[end:]]
            named, meant = self._homes.named(rows), self._homes.of(rows, self._spans)
            if meant and not self._told.intersection(named) and (not named or meant[0] in named):
                days = self._spans[meant[0]]
                unit = _UNITS.get(match["unit"] or match["hours"] or "", days.unit)
                function = _FUNCTIONS.get(match["how"] or "", "sum" if match["hours"] else "avg")
                measure = Agg(function, Days(days.start, days.end, unit))
                text, stems = " ".join(t.text for t in tokens[start:end]), tuple(t.stem for t in tokens[start:end])
                yield Said(start, end, text, Term(stems, in_words(measure), BY_ITS_COLUMNS, text, (), measure))


def says_how_long(table: Table) -> bool:
    """Whether a column says how long its rows last."""
    amounts = (each for each in table.columns if each.kind == "number" or each.of_numbers)
    return any(unit_of(each) or _LENGTHS & {*name_stems(each.name)} for each in amounts)


def is_between_moments(days: Days, catalog: Catalog) -> bool:
    """Whether it is times of day that a span begins and ends at."""
    ends = [catalog.column(*each.table, each.name) for each in (days.start, days.end) if isinstance(each, Col)]
    return len(ends) == _ENDS and all(each and each.is_moment for each in ends)


def in_hours(query: Query, question: str, catalog: Catalog) -> Query:
    """`how long are breakdowns on average`: the hours from when each started to when it ended, where these are moments
    and no word says a longer unit; whole days of what lasts hours tell nothing."""

    def hours(node: Any) -> Any:
        is_run = isinstance(node, Days) and node.unit == "day" and runs(node) and is_between_moments(node, catalog)
        return replace(node, unit="hour") if is_run else node

    made: Query = query if _LONGER.search(question) else mapped(query, hours, (Days,))
    return made


def when_it_begins(query: Query, question: str, catalog: Catalog) -> Query:
    """How long what lasted in a period is said of what began in it, unless another of its dates is named."""
    measured = [each for each in (*query.select, *(order.by for order in query.order)) if is_total(each)]
    spans = [each for total in measured for each in nodes_in(total) if isinstance(each, Days)]
    starts = {each.start for each in spans}
    start = next(iter(starts)) if len(starts) == 1 else None
    table = catalog.table(*start.table) if isinstance(start, Col) else None
    if table is None or not isinstance(start, Col):
        return query
    said = {token.stem for token in tokenise(question)}

    def change(node: Any) -> Any:
        name = "of" if isinstance(node, Bucket) else "left" if isinstance(node, During) else ""
        old = getattr(node, name, None) if name else None
        if not isinstance(old, Col) or old.table != table.key or said & {*name_stems(old.name)} - _DATES:
            return node
        return replace(node, **{name: start})

    changed: Query = mapped(query, change, (Bucket, During))
    return changed
