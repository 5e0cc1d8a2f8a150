"""Rows that begin and end: `subscriptions that were active in March`, `customers who cancelled in 2023`.

Where a table has one date at which its rows begin and one at which they end, and nothing stored says that they are
active, these two dates do: active within a period is what begins before its end and has not ended before its start.
Taken out of the question by asides.py, and put into the tree of the rest.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.date_names import begins, is_broken_off
from pluto_duck_text2sql.data.states import TELLS_STATES, standing
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.calendar_days import shift
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import (
    Bucket,
    Col,
    Compare,
    Cond,
    Days,
    During,
    Either,
    Inside,
    Missing,
    Query,
    Related,
    TableKey,
    columns_in,
    mapped,
)
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.marks import Marks
from pluto_duck_text2sql.trees.parts import home

_IS = r"(?:,? ?\b(?:that|which|who))?(?: ?\b(?:are|were|is|was|be|been))?(?: ?\b(?:still|currently|now))?"
_NOW = r"(?: (?:now|today|right now|at the moment|at present|currently|still))?"
_RUNNING = r"running(?! (?:total|sum|count|number|average|balance)s?\b)"
_ACTIVE = Pattern(
    rf"{_IS} ?\b(?P<word>active|ongoing|{_RUNNING}|in force|in effect){_NOW}"
    r"(?! (?:(?:from|to|until) )?dates?\b)(?![\w-])",
    re.IGNORECASE,
)
_STAYING = Pattern(
    rf"{_IS} ?\b(?:staying|in[- ]house|checked in)(?: (?:with us|here|there))?(?= (?:in|on|at|over|during)\b)",
    re.IGNORECASE,
)
_AT_PRESENT = Pattern(
    r",? ?\b(?:as of (?:now|today)|right now|currently|at the moment|at present|presently|(?<=the )current)\b"
    r"(?=[ ,.?!]|$)",
    re.IGNORECASE,
)
_BEING_TODAY = Pattern(
    r"\b(?:is|are) (?:on|using|renting|subscribed|living|staying|enrolled|insured|employed|signed up|covered"
    r"|paying for)\b"
    r".*?(?P<now>,? ?\btoday)\W*$",
    re.IGNORECASE,
)
"""`today` beside what lasts is no day on which something happened."""
_BEGAN = "started|began|begun|commenced"
_ENDED = "cancelled|canceled|churned|ended|terminated|expired|lapsed|quit"
_ENDS_THEN = ("ended", "terminated")
"""What ended last quarter did so by its day of ending, whether a state says as well that it has ended."""
_TURNED = Pattern(
    rf"(?:,? ?\b(?:that|which|who))?(?: ?\b(?:has|have|had|was|were|got))?(?: been)? ?\b(?:(?P<began>{_BEGAN})"
    rf"|(?P<ended>{_ENDED}))\b",
    re.IGNORECASE,
)
_ENDED_ONES = Pattern(
    rf"(?:^|\b(?:of|the|all|our|many|list|show|find|per|each) )(?P<ended>{_ENDED})"
    r"(?= (?!in\b|by\b|per\b|and\b|or\b|since|during|last|this|within|before|after)[a-z]{3,})",
    re.IGNORECASE,
)
"""`churned subscriptions by month`: those that have ended, by the day when they did."""
_SAYS_NO_MORE = Pattern(r"\W*(?:$|(?:by|per|each|every|for each|for every)\b)", re.IGNORECASE)
_WITHIN = ("in", "during", "on", "at", "throughout")
_MOST_WORDS, _MOST_BETWEEN = 6, 2
_CLEARLY = 0.6
_STATES = frozenset(map(stem, ("status", "state", "stage", "phase")))
_END_OF = Pattern(r"(?:at|by|as of|as at|on) (?:the )?(?:very )?end of ", re.IGNORECASE)
_OF_EACH = Pattern(r"\bend of (?:each|every)\b", re.IGNORECASE)
"""What a plan counts at the end of each period (levels.py)."""
_TOLD = "Active is what has begun and not ended by its dates."
_TOLD_THERE = "Who is there has come and not gone by these dates, nor called it off."
_TOLD_ENDED = "What has ended has a day of ending that is over."
_TOLD_PRESENT = "What is so now has begun and not ended by its dates."


Span = tuple[dt.date, dt.date]
"""From a day to before another."""


class InForce:
    """Finds what a question says of rows that begin and end, over one catalog."""

    def __init__(self, reader: Reader) -> None:
        self._catalog, self._joins, self._names, self._today = reader.catalog, reader.joins, reader.names, reader.today
        durations = Durations(reader.catalog, reader.resolver)
        pairs = ((table.key, _pair(table, durations)) for table in reader.catalog.tables)
        self._pairs = {key: pair for key, pair in pairs if pair}

    def aside(self, question: str) -> Aside | None:
        """What the question says of it; None where it says nothing, or something stored says it."""
        if not self._pairs or _OF_EACH.search(question):
            return None
        said = next(self._staying(question), None) or next(self._active(question), None)
        said = said or next(self._turned(question), None)
        return said or next(self._ended(question), None) or next(self._at_present(question), None)

    def _active(self, question: str) -> Iterator[Aside]:
        """What is active now, or within a period that is said near by: `active contracts in March`."""
        for found in _ACTIVE.finditer(question):
            today = self._catalog.latest_day(self._today)
            text, span = _without(question, found, today, _MOST_BETWEEN)
            is_over = span is not None and span[1] <= today  # a state that is stored is that of today
            if is_over or not self._catalog.values.lookup(found["word"], 1):
                flagged = self._flagged(found["word"])
                yield Aside(text, partial(self._restricted, span=span, flagged=flagged), (_TOLD,))

    def _staying(self, question: str) -> Iterator[Aside]:
        """Who is there within a period that is said right after it: `guests staying with us on 14 August`."""
        for found in _STAYING.finditer(question):
            text, span = _without(question, found, self._catalog.latest_day(self._today), 0)
            if span and not TELLS_STATES.search(question):
                yield Aside(text, partial(self._there, span=span), (_TOLD_THERE,))

    def _there(self, query: Query, span: Span) -> Query | None:
        """Whoever goes on the first of the days is not there, nor who called it off."""
        later = (shift(span[0], "day", 1), span[1])
        return self._put(query, lambda pair: (*self._overlaps(pair, later), *self._standing(pair)), adds=True)

    def _standing(self, pair: Days) -> tuple[Cond, ...]:
        table = self._catalog.table(*_col(pair.start).table)
        return standing(table, self._catalog) if table else ()

    def _at_present(self, question: str) -> Iterator[Aside]:
        """What is so `right now`, of rows of which nothing stored tells their state."""
        said = [each.span() for each in _AT_PRESENT.finditer(question)]
        said += [each.span("now") for each in _BEING_TODAY.finditer(question)]
        for start, end in said:
            text = tidy(f"{question[:start]}{question[end:]}").strip()
            yield Aside(text, self._lasting, (_TOLD_PRESENT,))

    def _lasting(self, query: Query) -> Query | None:
        """The query of rows that have not ended; None where a condition tells of their state, or all that is asked."""
        if any(_tells_state(each) for each in query.where):
            return None
        return self._put(query, lambda pair: self._overlaps(pair, None), adds=not query.where)

    def _turned(self, question: str) -> Iterator[Aside]:
        """What began or ended within a period that is said right after it."""
        for found in _TURNED.finditer(question):
            text, span = _without(question, found, self._catalog.latest_day(self._today), 0)
            word = found["began"] or found["ended"]
            is_stored = word.lower() not in _ENDS_THEN and bool(self._catalog.values.lookup(word, 1))
            if span and not is_stored and not self._names_time(word):
                flagged = self._flagged(word) - {*self._pairs}
                yield Aside(text, partial(self._within, span=span, is_end=bool(found["ended"]), flagged=flagged))
            is_all = found["ended"] and not span and _SAYS_NO_MORE.compiled.match(question, found.end())
            if is_all and not self._is_told_else(word):
                yield Aside(text, self._over, (_TOLD_ENDED,))

    def _ended(self, question: str) -> Iterator[Aside]:
        """What has ended, with its periods those of ending, where nothing stored is called so."""
        for found in _ENDED_ONES.finditer(question):
            if not self._is_told_else(found["ended"]):
                text = tidy(f"{question[: found.start('ended')]}{question[found.end('ended') :]}").strip()
                yield Aside(text, self._over, (_TOLD_ENDED,))

    def _is_told_else(self, word: str) -> bool:
        """Whether something stored, a date or a flag is called so."""
        return bool(self._catalog.values.lookup(word, 1) or self._names_time(word) or self._flagged(word))

    def _over(self, query: Query) -> Query | None:
        """The query of what has ended, by its days of ending."""
        pair = next((self._pairs[key] for key in self._tables(query) if key in self._pairs), None)
        if pair is None:
            return None
        start, end = _col(pair.start), _col(pair.end)
        moved: Query = mapped(query, lambda each: _moved(each, start, end), (During, Bucket))
        today = self._catalog.latest_day(self._today)
        return replace(moved, where=(*moved.where, Compare(end, "<=", today)))

    def _flagged(self, word: str) -> frozenset[TableKey]:
        """The tables that say it of their rows themselves."""
        named = self._names.called((stem(word.lower()),))
        flags = (each for each in named if each.column and each.score >= _CLEARLY and is_yes_or_no(each.column))
        return frozenset(each.table.key for each in flags)

    def _names_time(self, word: str) -> bool:
        named = self._names.called((stem(word.lower()),))
        return any(each.column and each.column.is_time and each.score >= _CLEARLY for each in named)

    def _restricted(self, query: Query, span: Span | None, flagged: frozenset[TableKey]) -> Query | None:
        if query.anchor in flagged:
            return None
        return self._put(query, lambda pair: self._overlaps(pair, span), adds=False)

    def _within(self, query: Query, span: Span, is_end: bool, flagged: frozenset[TableKey]) -> Query | None:
        if not flagged.isdisjoint(Marks.of(query).tables):
            return None
        return self._put(query, lambda pair: (During(pair.end if is_end else pair.start, *span),), adds=True)

    def _overlaps(self, pair: Days, span: Span | None) -> tuple[Cond, ...]:
        start, end = _col(pair.start), _col(pair.end)
        broken = [Col(end.table, each) for each in self._broken_off(end)]
        if span is None:
            return (*self._begun(start), *(self._not_over(start, each) for each in (end, *broken)))
        return (Compare(start, "<", span[1]), *(self._open(each, span[0]) for each in (end, *broken)))

    def _begun(self, start: Col) -> tuple[Cond, ...]:
        """That rows have begun, where some have not."""
        column = self._catalog.column(*start.table, start.name)
        last = column.maximum if column else None
        last = last.date() if isinstance(last, dt.datetime) else last
        today = self._catalog.latest_day(self._today)
        if isinstance(last, dt.date) and last > today:
            return (Compare(start, "<=", today),)
        return (Missing(start, negated=True),) if column and column.null_fraction else ()

    def _broken_off(self, end: Col) -> list[str]:
        """The dates on which rows were broken off before the day when they would have ended."""
        table = self._catalog.table(*end.table)
        times = [each.name for each in table.columns if each.is_time and each.name != end.name] if table else []
        return [each for each in times if is_broken_off(name_stems(each))]

    def _not_over(self, start: Col, end: Col) -> Cond:
        """Without an end; where ends are known beforehand, or all are, not ended before the day counted from."""
        column = self._catalog.column(*end.table, end.name)
        last = column.maximum if column else None
        last = last.date() if isinstance(last, dt.datetime) else last
        if column and column.null_fraction and not (isinstance(last, dt.date) and last > self._today):
            return Missing(end)
        return self._open(end, self._catalog.last_day(*start.table, start.name, self._today))

    def _open(self, end: Col, day: dt.date) -> Cond:
        """Not ended before a day, nor on it where the next one begins then; an end that stands for none is after it."""
        column = self._catalog.column(*end.table, end.name)
        later = Compare(end, ">" if column and column.meets_next else ">=", day)
        is_later = column and column.open_end and not column.open_end.beside_gaps
        return later if is_later else Either((Missing(end), later))

    def _put(self, query: Query, conditions: Any, *, adds: bool) -> Query | None:
        """The query with the conditions on its table that has such dates; `adds`: or on rows that belong to its own."""
        inside = mapped(query, lambda each: self._in_related(each, conditions))
        if inside != query:
            return inside
        here = [key for key in (*self._tables(query), *self._on_the_way(query)) if key in self._pairs]
        if here:
            return replace(query, where=(*query.where, *conditions(self._pairs[here[0]])))
        owned = [key for key in self._pairs if self._joins.belongs(key, query.anchor)]
        if len(owned) != 1 or not adds:
            return None
        related = Related(owned[0], tuple(conditions(self._pairs[owned[0]])))
        return replace(query, where=(*query.where, related))

    def _tables(self, query: Query) -> list[TableKey]:
        """The tables of a query's own rows, that of its figure first: employees by pub are those, and no pubs."""
        return list(
            dict.fromkeys((home(query) or query.anchor, query.anchor, *(each.table for each in columns_in(query))))
        )

    def _on_the_way(self, query: Query) -> list[TableKey]:
        """The tables that join a query's own: the subscriptions of customers on a plan."""
        steps = self._joins.tree(query.anchor, set(self._tables(query))) or ()
        return [step.target for step in steps]

    def _in_related(self, node: Any, conditions: Any) -> Any:
        if isinstance(node, Related) and node.table in self._pairs and not node.negated:
            return replace(node, where=(*node.where, *conditions(self._pairs[node.table])))
        if isinstance(node, Inside) and node.query.anchor in self._pairs and not node.negated:
            where = (*node.query.where, *conditions(self._pairs[node.query.anchor]))
            return replace(node, query=replace(node.query, where=where))
        return node


def _pair(table: Table, durations: Durations) -> Days | None:
    """When its rows begin and end, those of a stay by coming and going."""
    return durations.pair(table) or durations.pair(table, is_stay=True) or _until_broken_off(table)


def _until_broken_off(table: Table) -> Days | None:
    """From the one date of a start to the one date on which rows are broken off, where they have no other end."""
    times = [(name_stems(each.name), Col(table.key, each.name)) for each in table.columns if each.is_time]
    starts = [column for stems, column in times if begins(stems)]
    breaks = [column for stems, column in times if is_broken_off(stems)]
    return Days(starts[0], breaks[0]) if len(starts) == len(breaks) == 1 else None


def _moved(node: Any, start: Col, end: Col) -> Any:
    """A period, or a grain, of the day of beginning as that of the day of ending."""
    return mapped(node, lambda each: end if each == start else each) if isinstance(node, During | Bucket) else node


def _tells_state(condition: Cond) -> bool:
    """Whether it restricts a status, or when rows begin or end."""
    stems = {each for column in columns_in(condition) if isinstance(column, Col) for each in name_stems(column.name)}
    return isinstance(condition, Missing) or bool(stems & _STATES)


def _col(part: Any) -> Col:
    assert isinstance(part, Col)
    return part


def _without(question: str, found: re.Match[str], today: dt.date, most: int) -> tuple[str, Span | None]:
    """The question without the words found and the period after them, or after at most so many others; that period."""
    before, after = question[: found.start()], question[found.end() :]
    words = list(re.finditer(r"\S+", after))
    for skipped in range(min(most + 1, len(words))):
        start = words[skipped].start()
        end, span = _period(after[start:], today)
        if span and (not skipped or words[skipped][0].lower() in _WITHIN):
            return tidy(f"{before}{after[:start]}{after[start + end :]}").strip(), span
    return tidy(f"{before}{after}").strip(), None


def _period(text: str, today: dt.date) -> tuple[int, Span | None]:
    """The period that a text begins with: its letters, and its first day and the one after its last."""
    if ends := _END_OF.match(text):
        length, span = _period(text[ends.end() :], today)
        return (ends.end() + length, (span[1] - dt.timedelta(1), span[1])) if span else (0, None)
    words = list(re.finditer(r"\S+", text))
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        said = text[: words[count - 1].end()].rstrip("?.!,:;")
        found = period_of(said)
        start, end = found.resolve(today) if found else (None, None)
        if start and end:
            return len(said), (start, end)
    return 0, None
