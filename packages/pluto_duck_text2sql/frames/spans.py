"""Spans of days: `average time to ship by country`, `orders that took longer than two weeks to arrive`.

The question without the span (span_words.py) counts or lists the rows that have it, and is answered as any other; the
span then stands in the place of their number, or restricts them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.corrections.sound import from_earlier
from pluto_duck_text2sql.corrections.working_days import in_working_days
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.starting import started
from pluto_duck_text2sql.frames.compounds import Compounds, Read
from pluto_duck_text2sql.frames.span_words import Span, figure_of, filter_of
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_words, tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import Deeds
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.terms.lasting import is_between_moments, when_it_begins
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    Days,
    Expr,
    First,
    Grain,
    Later,
    Minus,
    Missing,
    Nested,
    Query,
    Ratio,
    TableKey,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.parts import home, swapped

_SHARE = Pattern(
    r"^(?:what |which |show (?:me )?)?(?:the )?(?P<part>percentage|percent|share|proportion|fraction|part) of"
    r" (?P<of>.+)$",
    re.IGNORECASE,
)
_OF_SOME = Pattern(r"^for (?!each\b|every\b)(?:the |all |our )?", re.IGNORECASE)
_LEFT = Pattern(r"[ ,]*(?:\bthe)?[ ,]*$", re.IGNORECASE)
"""What is left of a question's end where its figure was taken out."""
_OF_ONE = Pattern(r"\bof (?:(?:the|their|its|his|her) )?(?:very )?(?:first|last|latest|earliest)\b", re.IGNORECASE)
"""What a date is told of that is one of several rows: `the start of the first campaign`."""
_IN_DAYS = {"day": 1, "week": 7}
_EXTREME = Pattern(r"\b(?:longest|shortest|maximum|minimum|max|min|median|total)\b", re.IGNORECASE)
_STAYS = frozenset(map(stem, ("stay", "night")))
_TIME = stem("time")
_CALLED = 0.95
"""How well a column must be called as a unit is, that the unit means it."""


class Spans(Compounds):
    """Answers questions about spans of days."""

    def __init__(self, reader: Reader, read: Read) -> None:
        super().__init__(reader, read)
        self._durations = Durations(reader.catalog, reader.resolver)

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The figure or the rows of a span; None where the question says no such, or `plain` holds it."""
        main, phrases = split_spec(question)
        figure = figure_of(main)
        span = figure or filter_of(main)
        if span is None:
            return None
        if span.kind == "one to the next":
            return self._to_the_next(span, main, phrases, run, plain)
        days = None if figure and _ranks(plain) else self._days_said(span, main)
        found = self._of_span(span, days, run, is_figure=figure is not None) if days else None
        if days is None or found is None:
            return None
        (part, shown), listed = found, phrases or span.listed
        shown = in_working_days(shown, question)
        query = when_it_begins(shown, question, self.reader.catalog)
        made = self.candidate(query, [part], listed, run)
        if made and run and figure and not span.says_unit and self._are_short(days, run(made.sql)):
            short = replace(days, unit="hour")
            made, days = self.candidate(swapped(query, days, short), [part], listed, run), short
        elif _shows(plain, shown):
            return None
        return Analysis("answered", (self._told(made, days), *plain.candidates), links=plain.links) if made else None

    def _to_the_next(
        self, span: Span, main: str, phrases: Sequence[str], run: Run | None, plain: Analysis
    ) -> Analysis | None:
        """The mean of the days from one to the next, or why there is no other figure of them."""
        is_mean = span.function == "avg" and not _EXTREME.search(main)
        told = self._consecutive(span, phrases, run, plain) if is_mean else None
        return told or self._not_told(span, plain)

    def _days_said(self, span: Span, main: str) -> Days | None:
        """From where to where a span is, in the unit that is said; None where a number is kept for it."""
        if self._is_kept(span):
            return None
        days = self._days(span, not _STAYS.isdisjoint(token.stem for token in tokenise(main)))
        return replace(from_earlier(days, self.reader.catalog), unit=span.counted_in) if days else None

    def _of_span(self, span: Span, days: Days, run: Run | None, *, is_figure: bool) -> tuple[Candidate, Query] | None:
        """The part that counts or lists the rows, and it with the span in the place of their number, or held to it."""
        share = None if is_figure else _SHARE.match(span.rest)
        asked = f"number of {self._rows(days)} {span.rest}" if is_figure else span.rest
        part = self._part(f"number of {share['of']}" if share else asked, run)
        if part is None:
            return None
        if is_figure:
            query = self._figure(part.tree, days, span)
        elif share:
            query = self._share(part.tree, days, span, share["part"])
        else:
            query = self._restricted(part.tree, days, span)
        return (part, query) if query else None

    def _is_kept(self, span: Span) -> bool:
        """`total hours`, `average delivery time`, where a column of numbers is called so."""
        called = (*map(stem, span.last.split()), _TIME) if span.kind == "until" else (stem(span.counted_in),)
        called = (stem(span.rows),) if span.rows == "nights" else called
        named = self.reader.names.called(called) if span.kind in ("lasting", "until") else []
        return any(each.column and each.column.kind == "number" and each.score >= _CALLED for each in named)

    def _consecutive(self, span: Span, phrases: Sequence[str], run: Run | None, plain: Analysis) -> Analysis | None:
        """The days from each deed of an owner to its next: those from its first to its last, by all but one of them."""
        owner = self.table(span.rows) if span.rows else self._named(span.rest) or self._whose(span.last)
        deeds = self.deeds(owner, span.last) if owner else None
        rest = _OF_SOME.sub("for each ", _LEFT.sub("", span.rest))
        part = self._part(f"number of {span.last} {rest}", run) if deeds else None
        if deeds is None or owner is None or part is None:
            return None
        tree = part.tree
        if self.has_gaps(deeds.date):  # a row without a date is no step from one to the next
            tree = replace(tree, where=(*tree.where, Missing(deeds.date, negated=True)))
        query = self._steps_of_each(tree, deeds, owner) if tree.group else _steps_of_all(tree, deeds)
        made = self.candidate(query, [part], phrases, run) if query else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _not_told(self, span: Span, plain: Analysis) -> Analysis | None:
        """Why there is no such figure, where the words are those of one: no two dates of one row are its answer, and
        the first and the last day tell the mean alone."""
        owner = self._whose(span.last)
        if owner is None and not (_EXTREME.search(span.rest) or span.function != "avg"):
            return None
        each = f"'{span.last}' to the next" + (f" of each of {owner.name}" if owner else "")
        message = f"Of the days from one of {each} only the mean is told: over all, or for each of them. Ask for that."
        return Analysis("cannot_answer", message=message, links=plain.links)

    def _whose(self, deed: str) -> Table | None:
        """The one kind of people whose deeds are called so."""
        done = self.table(deed)
        return self.people_of([done]) if done else None

    def _steps_of_each(self, tree: Query, deeds: Deeds, owner: Table) -> Query | None:
        """Of each owner: the days from its first deed to its last, by all but one of them."""
        keys = {Col(owner.key, each) for each in self.reader.resolver.key(owner)} | {deeds.owner}
        counts = [each for each in tree.select if is_total(each)]
        if len(counts) != 1 or tree.limit or tree.then or tree.distinct or not keys.intersection(tree.group):
            return None
        whole = Days(Agg("min", deeds.date), Agg("max", deeds.date))
        steps = Ratio(whole, Minus(Agg("count", deeds.date), Agg("count", deeds.owner, distinct=True)))
        shown = tuple(steps if each == counts[0] else each for each in tree.select)
        again = Compare(Agg("count", deeds.date), ">", 1)
        return replace(tree, select=shown, order=(), having=(*tree.having, again))

    def _are_short(self, days: Days, rows: Sequence[tuple[Any, ...]]) -> bool:
        """Whether spans between moments last less than a day: nothing in days, and something in hours."""
        figures = [row[-1] for row in rows if row[-1] is not None]
        are_parts = all(isinstance(each, int | float) and abs(each) < 1 for each in figures)
        return bool(figures) and are_parts and is_between_moments(days, self.reader.catalog)

    def _told(self, candidate: Candidate, days: Days) -> Candidate:
        line = f"{days.unit}s → {_label(days.start)} to {_label(days.end)}"
        return replace(candidate, reading=(*candidate.reading, line))

    def _days(self, span: Span, says_stay: bool) -> Days | None:
        """The two dates that a span is between."""
        rows = self.table(span.rows) if span.rows else None
        if span.kind == "between":
            return None if _OF_ONE.search(span.rest) else self._durations.between(span.first, span.last)
        if span.kind == "same day":
            return self._durations.same_day(span.first, span.last, rows or self._named(span.rest))
        if span.kind == "lead":
            return self._durations.lead(self._named(span.rest))
        if span.kind == "until":
            return self._durations.until(span.first, span.last, rows or self._named(span.rest))
        if span.kind == "lasting":
            place = self._named(span.rest)
            own = self._durations.pair(rows) if rows else None
            stay = None if own else self._durations.stay(place, by_day=says_stay)
            return stay or self._durations.lasting(rows or place)
        return self._of_owner(span, rows or self._named(span.rest) or self._only_owner(span.last))

    def _only_owner(self, deed: str) -> Table | None:
        """The one table whose rows began on a day and do such a thing."""
        found = [each for each in self.reader.catalog.tables if started(each) and self.deeds(each, deed)]
        return found[0] if len(found) == 1 else None

    def _named(self, text: str) -> Table | None:
        """The first table that a word of a text names."""
        return next((found for word in text.split() if (found := self.table(word))), None)

    def _of_owner(self, span: Span, owner: Table | None) -> Days | None:
        """From an owner's first deed to the last, or from when it became one to the first."""
        deeds = self.deeds(owner, span.last) if owner else None
        keys = self.reader.resolver.key(owner) if owner else []
        if owner is None or deeds is None or len(keys) != 1:
            return None
        first = First(deeds.date, Col(owner.key, keys[0]))
        if span.kind == "first to last":
            return Days(first, replace(first, last=True))
        since = started(owner)
        return Days(since, first) if since else None

    def _rows(self, days: Days) -> str:
        """What the rows that have a span are called: those of the date that the other's row has one of."""
        first, last = (next(columns_in(each)).table for each in (days.start, days.end))
        return " ".join(table_words((first if self.reader.joins.belongs(first, last) else last)[1]))

    def _figure(self, tree: Query, days: Days, span: Span) -> Query | None:
        """The tree of a count with the span's figure in the count's place."""
        counts = [each for each in tree.select if is_total(each)]
        plain = not (tree.having or tree.limit or tree.then or tree.per or tree.distinct)
        if not plain or len(counts) != 1 or not isinstance(counts[0], Agg) or counts[0].function != "count":
            return None
        figure = Agg(span.function or "avg", days, where=counts[0].where)
        shown = tuple(figure if each == counts[0] else each for each in tree.select)
        order = tuple(each for each in tree.order if not is_total(each.by))
        return replace(tree, select=shown, order=order, flat=False)

    def _share(self, tree: Query, days: Days, span: Span, said: str) -> Query | None:
        """The tree of a count with the part of it whose span compares so."""
        counts = [each for each in tree.select if is_total(each)]
        at = home(tree)
        if len(counts) != 1 or not isinstance(counts[0], Agg) or counts[0].function != "count" or at is None:
            return None
        kept = self._held(at, _compared(days, span))
        share = Ratio(replace(counts[0], where=kept), counts[0], 100 if said.lower().startswith("percent") else 1)
        shown = tuple(share if each == counts[0] else each for each in tree.select)
        return replace(tree, select=shown, order=tuple(each for each in tree.order if not is_total(each.by)))

    def _restricted(self, tree: Query, days: Days, span: Span) -> Query | None:
        """The tree of those rows whose span compares so."""
        tables = {each.table for each in columns_in(days)}
        known = {tree.anchor, *(each.table for each in columns_in(tree))}
        if not tables & known or tree.then or any(isinstance(each, Days) for each in nodes_in(tree)):
            return None
        return replace(tree, where=(*tree.where, *self._held(tree.anchor, _compared(days, span))))

    def _held(self, anchor: TableKey, compared: Cond) -> tuple[Cond, ...]:
        """What its rows must meet: by a join, where they compare with a date of the one row that each belongs to."""
        tables = {each.table for each in columns_in(compared)}
        owners = tables - {anchor}
        if anchor in tables and all(self.reader.joins.is_of(anchor, each) for each in owners):
            return (compared,)
        return self.of_rows(anchor, (compared,))


def _compared(days: Days, span: Span) -> Cond:
    """Days and weeks are counted in days; other units are those of the calendar."""
    size = _IN_DAYS.get(span.unit)
    if span.unit == "hour" or span.unit == "minute":
        return Compare(replace(days, unit=span.unit), span.operator, span.number)
    if size or isinstance(days.start, Agg):
        return Compare(days, span.operator, span.number * (size or 1))
    return Compare(days.end, span.operator, Later(days.start, int(span.number), cast(Grain, span.unit)))


def _shows(plain: Analysis, query: Query) -> bool:
    """Whether an answer has the same span, rows and keys."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    spans = [_spans(each) for each in (tree, query) if each]
    if tree is None or spans[0] != spans[1]:
        return False
    compared = all(each in list(nodes_in(tree)) for each in nodes_in(query) if isinstance(each, Compare))
    compared = compared and _functions(query) <= _functions(tree)
    return set(tree.group) == set(query.group) and tree.where == query.where and compared


def _functions(tree: Query) -> set[str]:
    """What is computed of spans: their mean, the longest."""
    return {each.function for each in nodes_in(tree) if isinstance(each, Agg) and isinstance(each.of, Days)}


def _ranks(plain: Analysis) -> bool:
    """Whether an answer has rows in the order of a span: `which carrier has the highest average days from …`."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    return tree is not None and any(isinstance(each, Days) for order in tree.order for each in nodes_in(order.by))


def _spans(tree: Query) -> Sequence[Days]:
    return [each for each in nodes_in(tree) if isinstance(each, Days)]


def _label(end: Expr) -> str:
    column = next(each for each in nodes_in(end) if isinstance(each, Col))
    return f"{column.table[1]}.{column.name}"


def _steps_of_all(tree: Query, deeds: Deeds) -> Query | None:
    """The days from the first to the last of each owner together, by the steps that they are made of."""
    if tree.anchor != deeds.table:
        return None
    whole = Days(Agg("min", deeds.date), Agg("max", deeds.date))
    inner = Query(deeds.table, (whole,), tree.where, (deeds.owner,))
    steps = Minus(Agg("count", deeds.owner), Agg("count", deeds.owner, distinct=True))
    return replace(tree, select=(Ratio(Agg("sum", Nested(inner)), steps),), flat=False)
