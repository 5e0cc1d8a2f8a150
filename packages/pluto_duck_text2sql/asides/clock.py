"""Times of day: `appointments before 9 am`, `orders that came in after 8 pm`, `calls in the evening`, `morning orders`.

Taken out of the question by asides.py and put into the tree of the rest as a condition on a column of times of day,
else on the time of day of the moments that its table keeps. `after 8 pm` begins at 20:00. The morning begins at six,
the afternoon at noon, the evening at six and ends with the day; the night is from ten to six.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.same_times import moment_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Clock,
    Col,
    Compare,
    Cond,
    Either,
    Operator,
    Query,
    Ratio,
    TableKey,
    columns_in,
    is_total,
    nodes_in,
)

_TIME = (
    r"(?:\d{1,2}(?:[:.]\d\d)? ?(?:a\.?m\b\.?|p\.?m\b\.?|o'?clock(?: in the (?:morning|afternoon|evening))?)"
    r"|\d{1,2}:\d\d(?: ?h(?:rs|ours)?\b)?|noon|midday|midnight)"
)
_SAID = Pattern(
    rf",? ?\b(?:(?:starting|beginning|arriving|that (?:start|began|begin|started)) )?(?:"
    rf"(?:between|from) (?P<a>{_TIME}) (?:and|to|until|till) (?P<b>{_TIME})"
    rf"|(?P<op>before|earlier than|until|till|after|later than|past|since|from|at or after|no later than|not before)"
    rf" (?P<at>{_TIME})(?P<more> (?:or later|and later|on|onwards?))?)",
    re.IGNORECASE,
)
_BEFORE: dict[str, Operator] = {
    **dict.fromkeys(("before", "earlier than", "until", "till"), "<"),
    "no later than": "<=",
}
_NAMED = {"noon": dt.time(12), "midday": dt.time(12), "midnight": dt.time(0)}
_PARTS_OF_DAY = {
    "morning": (dt.time(6), dt.time(12)),
    "afternoon": (dt.time(12), dt.time(18)),
    "evening": (dt.time(18), None),
    "night": (dt.time(22), dt.time(6)),
}
_OF_DAY = Pattern(
    r"\b(?:(?:on (?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day) (?P<its>morning|afternoon|evening|night)s?)"
    r"|(?<!\d )(?<!\dpm )(?<!\dam )(?<!o'clock )(?:in|during) the (?P<in>morning|afternoon|evening|night)s?"
    r"|(?:at|by) (?P<at>night)(?:[- ]?time)?|over(?P<over>night)"
    r"|(?P<before>morning|afternoon|evening|night) (?P<rows>[a-z]+)"
    r"|(?P<rows2>[a-z]+) (?P<after>morning|afternoon|evening)s)"
    r"\b(?! of\b)",
    re.IGNORECASE,
)
_ROUGHLY = Pattern(r" (?:at night|(?:in|during) the (?:morning|afternoon|evening|night))\b", re.IGNORECASE)
"""What a time from one hour to another is called besides."""
_PART = Pattern(
    r"^\W*(?:(?:what|which)(?:'s| is| was)? )?(?:the )?(?P<how>share|fraction|proportion|percentage|percent|%)"
    r" of (?:the |our |all )*(?P<what>[a-z]+.*?)(?: (?:is|are|was|were|come|comes|came))?"
    r"(?: (?:placed|made|ordered|received|taken|booked|in))?[?. ]*$",
    re.IGNORECASE,
)
_PERCENT = 100
_HALF_DAY = 12
_HOURS = 24


def says_time(question: str) -> bool:
    """Whether the question sets a time of day as a bound."""
    found = _SAID.search(question)
    return found is not None and any(_spans(found))


def without_clock(query: Query) -> Query:
    """The query without what it says of the time of day."""
    kept = tuple(each for each in query.where if not any(isinstance(part, Clock) for part in nodes_in(each)))
    return query if kept == query.where else replace(query, where=kept)


@dataclass(frozen=True)
class _Said:
    """A question without its time of day, what that must meet, and what is told of it."""

    text: str
    spans: list[tuple[Operator, dt.time]]
    told: tuple[str, ...] = ()


class Clocks:
    """Finds what a question says of the time of day, over one catalog."""

    def __init__(self, reader: Reader) -> None:
        self._catalog, self._resolver, self._names = reader.catalog, reader.resolver, reader.names

    def aside(self, question: str) -> Aside | None:
        """The time of day that the question says; None where it says none."""
        said = _at_a_time(question) or self._in_a_part(question)
        if said is None:
            return None
        part = _PART.match(said.text)
        if part is None:
            return Aside(said.text, partial(self._restricted, spans=said.spans, question=question), said.told)
        is_rows = any(each.column is None for each in self._names.find((stem(part["what"].split()[0].lower()),)))
        whole = f"{'number of' if is_rows else 'total'} {part['what']}"
        in_percent = part["how"].lower().startswith("percent") or part["how"] == "%"
        change = partial(self._part, spans=said.spans, question=question, scale=_PERCENT if in_percent else 1)
        return Aside(whole, change, said.told)

    def _in_a_part(self, question: str) -> _Said | None:
        """The part of the day that the question says; None where data is called so."""
        found = _OF_DAY.search(question)
        word = next(each for each in found.group("its", "in", "at", "over", "before", "after") if each) if found else ""
        rows = (found["rows"] or found["rows2"] or "") if found else ""
        if found is None or self._is_kept(word.lower()) or (rows and self._names.rows(rows) is None):
            return None
        first, last = _PARTS_OF_DAY[word.lower()]
        spans: list[tuple[Operator, dt.time]] = [(">=", first)]
        if last:
            spans.append(("<", last))
        told = f"The {word.lower()} is from {first:%H:%M} to {last or dt.time():%H:%M}."
        return _Said(_without(found, question, f"on {found['weekday']}s" if found["weekday"] else rows), spans, (told,))

    def _is_kept(self, word: str) -> bool:
        """Whether a column is called so, or something that is stored: the shift `Night`."""
        return bool(self._names.called((stem(word),)) or self._catalog.values.lookup(word, 1))

    def _restricted(self, query: Query, spans: list[tuple[Operator, dt.time]], question: str) -> Query | None:
        tables = dict.fromkeys((query.anchor, *(each.table for each in columns_in(query))))
        at = next((made for key in tables if (made := self._clock(key, question))), None)
        if at is None:
            return None
        conditions: tuple[Cond, ...] = tuple(Compare(at, operator, time) for operator, time in spans)
        over_midnight = len(spans) > 1 and spans[0][1] > spans[1][1]
        conditions = (Either(conditions),) if over_midnight else conditions
        return replace(query, where=(*query.where, *conditions))

    def _part(self, query: Query, spans: list[tuple[Operator, dt.time]], question: str, scale: int) -> Query | None:
        """The part of a query's one figure that falls into the time of day."""
        timed = self._restricted(query, spans, question)
        figures = [each for each in query.select if is_total(each)]
        figure = figures[0] if len(figures) == 1 else None
        if timed is None or not isinstance(figure, Agg):
            return None
        added = tuple(each for each in timed.where if each not in query.where)
        share = Ratio(replace(figure, where=(*figure.where, *added)), figure, scale)
        return replace(query, select=tuple(share if each == figure else each for each in query.select), order=())

    def _clock(self, key: TableKey, question: str) -> Col | Clock | None:
        """A table's time of day: the column whose name the question says best, else that of its moments."""
        table = self._catalog.table(*key)
        if table is None:
            return None
        kept = [each for each in table.columns if each.type.upper() in ("TIME", "TIME WITH TIME ZONE")]
        if kept:
            said = {stem(word) for word in re.findall(r"\w+", question.lower())}
            return Col(key, max(kept, key=lambda each: len(said & set(table.stems(each.name)))).name)
        time = next((each for _, each in self._resolver.time_column([key], frozenset()) if each.table == key), None)
        moment = time if time is None or _has_hours(table, time) else moment_of(time, self._catalog)
        return Clock(moment) if moment else None


def _at_a_time(question: str) -> _Said | None:
    found = _SAID.search(question)
    spans = list(_spans(found)) if found else []
    if found is None or not spans:
        return None
    text = _without(found, question)
    return _Said(tidy(_ROUGHLY.sub("", text)) if found["a"] else text, spans)


def _without(found: re.Match[str], question: str, instead: str = "") -> str:
    return tidy(f"{question[: found.start()]}{instead}{question[found.end() :]}").strip()


def _has_hours(table: Table, moment: Col) -> bool:
    column = table.column(moment.name)
    return column is not None and column.is_moment


def _spans(found: re.Match[str]) -> Iterator[tuple[Operator, dt.time]]:
    """What the time of day must meet."""
    if found["a"]:
        first, last = _time(found["a"]), _time(found["b"])
        if first is not None and last is not None:
            yield ">=", first
            if last > dt.time():
                yield "<", last
    elif (at := _time(found["at"])) is not None:
        yield _BEFORE.get(found["op"].lower(), ">="), at


def _time(said: str) -> dt.time | None:
    """`8 pm`, `20:30`, `noon`; None where there is no such time."""
    said = said.lower()
    if said in _NAMED:
        return _NAMED[said]
    hour, minute = (int(each or 0) for each in re.match(r"(\d+)(?:[:.](\d\d))?", said).groups())  # type: ignore[union-attr]
    is_late = re.search(r"p\.?m|afternoon|evening", said) is not None
    if hour == _HALF_DAY and re.search(r"a\.?m|morning", said):
        hour = 0
    hour += _HALF_DAY if is_late and hour < _HALF_DAY else 0
    return dt.time(hour, minute) if hour < _HOURS and minute < 60 else None
