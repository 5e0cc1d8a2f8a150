"""Periods of a follow-up: "what about 2023?", "and in November?", "the year before", "since March"."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any, TypeGuard

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.followups.telling import told
from pluto_duck_text2sql.followups.trees import kind_of, times
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, root, stem
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.calendar_days import shift
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, Cond, During, Missing, Query, is_total, mapped, nodes_in
from pluto_duck_text2sql.trees.parts import conditions, replaced, with_where
from pluto_duck_text2sql.trees.phrases import flattened

_MONTH = (
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_PARTS = Pattern(
    r"(?P<lead>^(?:the )?"
    r"|\b(?:in|for|during|of|about|only|by|from|to|and|since|until|before|after|between|with|than) (?:the )?)"
    rf"(?P<part>{_MONTH}|q[1-4]|(?:first|second|third|fourth|last|1st|2nd|3rd|4th) (?:quarter|half))\b"
    r"(?!\s*(?:of )?(?:\d|the |last |this |that |which ))",
    re.IGNORECASE,
)
_FIRST_YEAR, _LAST_YEAR = 1900, 2100
_UNIT = r"(?P<{0}>year|quarter|month|week|day)"
_EARLIER = Pattern(
    rf"(?:in |for |to |with |than |from )?(?:(?:the |its )?(?:previous|prior|preceding) {_UNIT.format('a')}"
    rf"|(?:the |a |one )?{_UNIT.format('b')} (?:before|earlier|prior|ago|previously)(?: (?:that|this|it))?"
    r"|(?:the )?same (?:period|time|months?|quarter|days?|weeks?) (?:of )?(?:the )?(?:last|previous|prior|a)"
    rf" {_UNIT.format('c')}(?: (?:before|earlier))?)",
    re.IGNORECASE,
)
_SAME_AS_NONE = Pattern(r"\b(?:the )?same (?:period|time|month|quarter|week|day)s? (?:of )?(?=last\b)", re.IGNORECASE)
"""Where no period was asked about, the same time last year is last year."""
_LATER = Pattern(
    rf"(?:in |for |to |with |than )?(?:(?:the |its )?(?:following|subsequent) {_UNIT.format('a')}"
    rf"|(?:the |a |one )?{_UNIT.format('b')} (?:after|later|afterwards)(?: (?:that|this|it))?)",
    re.IGNORECASE,
)


_WITH = r"(?:in |for |to |with |than |from )?"
_ONE_EARLIER = Pattern(
    rf"{_WITH}(?:the )?(?:(?:one|period) before(?: (?:that|this|it))?|(?:previous|prior|preceding) (?:one|period))"
    r"|\bbefore that$",
    re.IGNORECASE,
)
_ONE_LATER = Pattern(
    rf"{_WITH}(?:the )?(?:(?:one|period) after(?: (?:that|this|it))?|(?:next|following) (?:one|period))|\bafter that$",
    re.IGNORECASE,
)
_WHOLE_YEAR = Pattern(r"\b(?:the |that )?(?:whole|entire|full|complete) year\b(?! (?:of )?\d)", re.IGNORECASE)
_DAYS = Pattern(
    r"(?:from |between )?\bthe (?P<first>\d\d?)(?:st|nd|rd|th) (?:to|until|till|through|and)"
    r" (?:the )?(?P<last>\d\d?)(?:st|nd|rd|th)\b(?! of| \d)",
    re.IGNORECASE,
)


_OF_THAT = Pattern(rf"\b(?:in|of|for|during) (?:that|the same) {_UNIT.format('unit')}\b", re.IGNORECASE)


def completed(text: str, query: Query, reader: Reader) -> str:
    """The text with the year of the earlier question where it says but a month, the month where it says but days, and
    dates for "the year before" and "the one before"; a mean per month of what is shown by month is one of all."""
    text = _OF_THAT.sub(lambda said: "" if _is_held(said["unit"], query, reader) else said[0], text)
    text = _of_grain_shown(text, query)
    period = _last_period(query, reader)
    if period is None:
        return _SAME_AS_NONE.sub("", text)
    text = _ONE_EARLIER.sub(lambda _: _next_to(period, -1), text)
    text = _ONE_LATER.sub(lambda _: _next_to(period, 1), text)
    if shift(period.start, "month", 1) == period.end:
        text = _DAYS.sub(rf"from \g<first> to \g<last> {period.start:%B} {period.start.year}", text)
    if period.start.year == (period.end - dt.timedelta(days=1)).year:
        text = _WHOLE_YEAR.sub(str(period.start.year), text)
    text = _EARLIER.sub(lambda found: _moved(found, period, -1), text)
    text = _LATER.sub(lambda found: _moved(found, period, 1), text)
    year = (period.end - dt.timedelta(days=1)).year
    return _PARTS.sub(rf"\g<lead>\g<part> of {year}", text) if period.start.year == year else text


def _is_held(unit: str, query: Query, reader: Reader) -> bool:
    """Whether a column called after a unit of time has to be one value: `spring of that year` after `year = 2006`."""
    equal = [each.left for each in conditions(query) if isinstance(each, Compare) and each.operator == "="]
    tables = [(each, reader.catalog.table(*each.table)) for each in equal if isinstance(each, Col)]
    return any(table and stem(unit.lower()) in table.stems(each.name) for each, table in tables)


def _of_grain_shown(text: str, query: Query) -> str:
    grains = [each.grain for each in query.group if isinstance(each, Bucket)]
    for grain in grains:
        text = re.sub(rf"\b(average|mean|median)(?: number| count)? (?:per|a|each) {grain}\b", r"\1", text, flags=re.I)
    return text


def _last_period(query: Query, reader: Reader) -> During | None:
    found = [each for each in times(query, reader) if isinstance(each, During)]
    return max(found, key=lambda each: each.start, default=None)


def _next_to(period: During, count: int) -> str:
    """The period as long as this one that ends where it begins, or begins where it ends."""
    months = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month
    whole = shift(period.start, "month", months) == period.end
    unit, size = ("month", months) if whole and months else ("day", (period.end - period.start).days)
    start, end = (shift(each, unit, count * size) for each in (period.start, period.end))
    return f"between {start.isoformat()} and {(end - dt.timedelta(days=1)).isoformat()}"


def _moved(found: re.Match[str], period: During, count: int) -> str:
    unit = next(each for each in found.groupdict().values() if each).lower()
    start, end = shift(period.start, unit, count), shift(period.end, unit, count) - dt.timedelta(days=1)
    return f"between {start.isoformat()} and {end.isoformat()}"


def periods(turn: Turn, draft: Draft) -> list[Draft]:
    """The follow-up's periods in the place of the earlier ones."""
    fragment = turn.fragment
    if not fragment.periods:
        return [draft]
    new = fragment.when(draft.query)
    if not new:
        return [_of_year_said(turn, draft)]
    said = _dates_said(fragment, new)
    new = new if said else _by_deed(new, draft.query, turn.reader)
    new = [_same_part(each, draft.query, turn.reader) for each in new]
    used = {place for each in fragment.periods for place in range(each.start, each.end)} | said
    if numbered := _year_told(draft.query, new, turn.reader.catalog):
        old, year = numbered
        return [draft.changed(replaced(draft.query, [old], year), f"when → {told([year])}", used)]
    two = _two(draft.query)
    if two and len(new) == 1 and isinstance(new[0], During) and _is_shown(new[0], two):
        return [draft.changed(_alone(draft.query, new[0]), f"when → {told(new)}", used)]
    query = _pair(draft.query, two, new) if two else exchanged(draft.query, new, turn.reader)
    query = query if said or query is None or two else _everywhere(query, draft.query, new)
    return [draft.changed(query, f"when → {told(new)}", used)] if query else [draft]


def _same_part(new: Cond, query: Query, reader: Reader) -> Cond:
    """`sales in Q3`, which says no year, and `what about 2025?`: the third quarter of that year."""
    olds = [each for each in times(query, reader) if isinstance(each, During)]
    is_year = isinstance(new, During) and _is_whole_year(new)
    if not is_year or len(olds) != 1 or not isinstance(new, During) or olds[0].left != new.left:
        return new
    said = olds[0].said
    years = new.start.year - olds[0].start.year
    if not isinstance(said, Period) or not said.name:
        return new
    start, end = (shift(each, "year", years) for each in (olds[0].start, olds[0].end))
    return replace(new, start=start, end=end, said=said)


def _by_deed(new: list[Cond], query: Query, reader: Reader) -> list[Cond]:
    """The periods by the day of what was done, where that alone tells the earlier rows apart: `who completed the most
    courses`, `in 2024`; or of what it was done for: `how often was each cancel reason given`."""
    deeds = {each.left for each in conditions(query) if isinstance(each, Missing) and each.negated}
    dates = {each for each in deeds if isinstance(each, Col) and kind_of(each, reader) == "time"}
    dates = dates or _days_of_grounds(query, reader.catalog)
    lefts = {getattr(each, "left", None) for each in flattened(tuple(new))}
    if len(dates) != 1 or len(lefts) != 1 or any(isinstance(each, During) for each in times(query, reader)):
        return new
    old, (date,) = lefts.pop(), dates
    is_beside = isinstance(old, Col) and old.table == date.table
    return list(mapped(tuple(new), lambda node: date if node == old else node)) if is_beside else new


def _days_of_grounds(query: Query, catalog: Catalog) -> set[Col]:
    """The days that only some rows have and that are called as what the rows are grouped by: of a `cancel_reason`."""
    tables = [(each, catalog.table(*each.table)) for each in query.group if isinstance(each, Col)]
    return {
        Col(each.table, date.name)
        for each, table in tables
        for date in (table.columns if table else ())
        if table
        and date.is_time
        and date.null_fraction
        and _share_a_root(table.stems(each.name), table.stems(date.name))
    }


def _share_a_root(one: Collection[str], other: Collection[str]) -> bool:
    return bool({*map(root, one)} & {root(each) for each in other if each not in STOP})


def _of_year_said(turn: Turn, draft: Draft) -> Draft:
    """`and 2023?` of rows that keep but the number of a year."""
    said = turn.fragment.periods
    told_ = [each for each in conditions(draft.query) if _tells_year(each, turn.reader.catalog)]
    if len(said) != 1 or not said[0].bare_year or len(told_) != 1:
        return draft
    start, _ = said[0].resolve(turn.reader.today)
    year = replace(told_[0], right=start.year if start else told_[0].right)
    used = range(said[0].start, said[0].end)
    return draft.changed(replaced(draft.query, told_, year), f"when → {told([year])}", used)


def _year_told(query: Query, new: list[Cond], catalog: Catalog) -> tuple[Compare, Compare] | None:
    """What tells a year as a number, and another year in its place: `season 2025` and `what about 2024?`"""
    year = next((each.start.year for each in new if isinstance(each, During) and _is_whole_year(each)), None)
    told_ = [each for each in conditions(query) if _tells_year(each, catalog)]
    return (told_[0], replace(told_[0], right=year)) if year is not None and len(told_) == 1 else None


def _is_whole_year(period: During) -> bool:
    return (period.start.month, period.start.day) == (1, 1) and shift(period.start, "year", 1) == period.end


def _tells_year(condition: Cond, catalog: Catalog) -> TypeGuard[Compare]:
    """Whether it holds a number to one of the years that a column holds."""
    if not isinstance(condition, Compare) or condition.operator != "=" or not isinstance(condition.left, Col):
        return False
    column = catalog.column(*condition.left.table, condition.left.name)
    first, last = (column.minimum, column.maximum) if column else (None, None)
    if not isinstance(first, int | float) or not isinstance(last, int | float):
        return False
    is_whole = isinstance(condition.right, int | float) and condition.right == int(condition.right)
    return is_whole and first >= _FIRST_YEAR and last < _LAST_YEAR


def _dates_said(fragment: Fragment, new: list[Cond]) -> set[int]:
    """The words right before a period that name the date it is of: `starting in 2025`."""
    dates = {getattr(each, "left", None) for each in flattened(tuple(new))}
    starts = {each.start - gap for each in fragment.periods for gap in (0, 1)}
    named = [
        each
        for each in fragment.mentions
        if each.end in starts and any(t.column and Col(t.table.key, t.column.name) in dates for t in each.targets)
    ]
    return {place for each in named for place in range(each.start, each.end)}


def exchanged(query: Query, new: list[Cond], reader: Reader) -> Query:
    """The query with these conditions in the place of those that said when."""
    lefts = {getattr(each, "left", None) for each in flattened(tuple(new))}
    olds = [each for each in times(query, reader) if getattr(each, "left", None) in lefts]
    olds = olds or [each for each in conditions(query) if getattr(each, "left", None) in lefts]
    if not olds:
        return with_where(query, new)
    return with_where(replaced(query, olds, new[0]), new[1:])


def _everywhere(query: Query, before: Query, new: list[Cond]) -> Query:
    """The query with its new period also of other dates that were restricted as the one that it is of."""
    period = new[0] if len(new) == 1 and isinstance(new[0], During) else None
    olds = [each for each in conditions(before) if isinstance(each, During)] if period else []
    spans = {(each.start, each.end) for each in olds if period and each.left == period.left}

    def moved(node: Any) -> Any:
        is_other = isinstance(node, During) and period and (node.start, node.end) in spans and node in olds
        return replace(period, left=node.left) if is_other and period else node

    found: Query = mapped(query, moved) if spans else query
    return found


def _two(query: Query) -> tuple[During, During] | None:
    """The two periods of a query that sets one beside the other, the earlier one first."""
    aggregates = [each for shown in query.select for each in nodes_in(shown) if isinstance(each, Agg)]
    found = {each for agg in aggregates for each in agg.where if isinstance(each, During)}
    ordered = sorted(found, key=lambda each: each.start)
    return (ordered[0], ordered[1]) if len(ordered) == 2 else None


def _is_shown(period: During, two: tuple[During, During]) -> bool:
    """Whether a period is one of the two shown, or holds both: `every month of that year` after March and February."""
    holds = all(period.start <= each.start and each.end <= period.end for each in two)
    return holds or (period.start, period.end) in {(each.start, each.end) for each in two}


def _alone(query: Query, period: During) -> Query:
    """The figure of one of two periods that stand side by side: `break 2004 down by country`."""
    figures = dict.fromkeys(each for shown in query.select for each in nodes_in(shown) if isinstance(each, Agg))
    figure = next(each for each in figures if any(isinstance(one, During) for one in each.where))
    rest = tuple(each for each in figure.where if not isinstance(each, During))
    select = (*(each for each in query.select if not is_total(each)), replace(figure, where=rest))
    order = tuple(each for each in query.order if not is_total(each.by))
    return with_where(replace(query, select=select, order=order), [period])


def _pair(query: Query, old: tuple[During, During], new: list[Cond]) -> Query | None:
    """Both periods replaced; of one period alone the other lies as far before it as it did."""
    found = sorted((each for each in flattened(tuple(new)) if isinstance(each, During)), key=lambda each: each.start)
    if len(found) == 1:
        found = _halves(found[0], old)
    if len(found) != 2:
        return None
    now = dict(zip(old, found, strict=True))
    made: Query = mapped(query, lambda node: now.get(node, node) if isinstance(node, During) else node)
    return made


def _halves(period: During, old: tuple[During, During]) -> list[During]:
    years = period.end.year - period.start.year
    if years >= 2:
        first = replace(period, end=period.start.replace(year=period.start.year + 1))
        return [first, replace(period, start=period.end.replace(year=period.end.year - 1))]
    months = (old[1].start.year - old[0].start.year) * 12 + old[1].start.month - old[0].start.month
    before = replace(period, start=shift(period.start, "month", -months), end=shift(period.end, "month", -months))
    return [before, period]
