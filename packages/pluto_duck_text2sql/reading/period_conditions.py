"""What restricts rows by when: periods and cycles of the date that they are told of, counted from a day."""

from __future__ import annotations

import datetime as dt

from pluto_duck_text2sql.data.catalog import newest_day
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.reading.slots import Unreadable
from pluto_duck_text2sql.reading.value_conditions import SaidValues
from pluto_duck_text2sql.times.periods import Period
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, During, Either, Expr, Query, Related, Rows, is_total
from pluto_duck_text2sql.trees.phrases import NO_TABLE, counted_from, range_text, shown_name
from pluto_duck_text2sql.trees.years import year_said


class SaidPeriods(SaidValues):
    """Conditions by periods and cycles, counted from a day, of the dates of the rows that they tell of."""

    def _period_conditions(self, query: Query) -> list[Cond]:
        """All that periods say: of one in another the narrower holds, of several of which none is in another any."""
        made = [each for period in self.periods if (each := self._period_condition(period, query))]
        fixed = list(dict.fromkeys(each for each in made if isinstance(each, During)))
        kept = [each for each in fixed if not any(_is_part(other, each) for other in fixed)]
        fixed = fixed if any(cue.kind == "versus" for cue in self.cues) else kept
        others = [each for each in made if not isinstance(each, During)]
        if len(fixed) > 1 and self._wants_both() and all(self._is_of_many(each, query) for each in fixed):
            return [*others, *(Related(each.left.table, (each,)) for each in fixed if isinstance(each.left, Col))]
        return [*others, Either(tuple(fixed))] if len(fixed) > 1 else [*others, *fixed]

    def _period_condition(self, period: Period, query: Query) -> Cond | None:
        """A period of the date or the year that it tells of; None where nothing has one."""
        if year := self._year_column(period, query):
            return year
        try:
            column = self._time(self._time_owner(period, query.anchor), period)
        except Unreadable:
            return None
        self.claimed.update(range(period.start, period.end))
        start, end = period.resolve(self._counted_from(period, column))
        said, where = self.text(period.start, period.end), f"{shown_name(column.table)}.{column.name}"
        self.lines.append(f"{said} → {range_text(start, end)} of {where}")
        if period.relative:
            self.assumptions.append(counted_from(self._anchor_day(column)))
        return self._during(column, start, end)

    def _cycle_conditions(self, query: Query) -> list[Cond]:
        """`on weekends`: the weekday of the time that periods of the same rows would be of."""
        made = list[Cond]()
        for cycle in (each for each in self.cycles if each.restricts):
            column = self._time(query.anchor, cycle)
            self.claimed.update(range(cycle.start, cycle.end))
            made.append(cycle.condition(column))
            self.lines.append(
                f"{self.text(cycle.start, cycle.end)} → weekday of {shown_name(column.table)}.{column.name}"
            )
        return made

    def _is_of_many(self, condition: During, query: Query) -> bool:
        """Whether what is listed has many rows of which the condition may hold."""
        column = condition.left
        is_measured = any(is_total(each) and not _counts_rows(each, query) for each in query.select)
        return not is_measured and isinstance(column, Col) and self.reader.joins.belongs(column.table, query.anchor)

    def _year_column(self, period: Period, query: Query) -> Cond | None:
        """A bare year means a column of years where there is no time column."""
        if not period.bare_year:
            return None
        near = [query.anchor, *self.near]
        has_time = any(c.is_time for key in near for c in (self.reader.catalog.table(*key) or NO_TABLE).columns)
        targets = [each for each in self.reader.names.find(("year",)) if each.column]
        scored = self.reader.resolver.best(targets, near, None)
        if has_time or not scored:
            return None
        column = year_said(scored[0][1].table, {token.stem for token in self.tokens}) or scored[0][1].column
        assert column is not None
        self.claimed.update(range(period.start, period.end))
        start, _ = period.resolve(self.reader.today)
        year = start.year if start else 0
        return Compare(Col(scored[0][1].table.key, column.name), "=", year if column.kind == "number" else str(year))

    def _during(self, column: Col, start: dt.date | None, end: dt.date | None) -> Cond:
        if start and end:
            return During(column, start, end)
        return Compare(column, ">=", start) if start else Compare(column, "<", end)

    def _counted_from(self, period: Period, column: Col) -> dt.date:
        """On a day that the question calls today, the last month is never that day's own."""
        day = self._anchor_day(column)
        return day - dt.timedelta(days=1) if period.complete and self.counted_from else day

    def _anchor_day(self, column: Col) -> dt.date:
        """The day that the question counts from, else today, or the data's last day where the data ends earlier."""
        return self._said_day() or self.reader.catalog.last_day(*column.table, column.name, self.reader.today)

    def _said_day(self) -> dt.date | None:
        """The day itself, or the last on which something happened; None where the question says neither."""
        said = self.counted_from
        if said is None or not said.of:
            return said.day if said else None
        stems = tuple(token.stem for token in tokenise(said.of))
        days = (self._last_day_of(each) for each in self.reader.resolver.best(self._named(stems), self.near, None))
        return next((each for each in days if each), None)

    def _named(self, stems: tuple[str, ...]) -> list[Target]:
        """What the words name together, else the last of them that names something."""
        parts = [stems, *((each,) for each in reversed(stems))]
        return next((found for part in parts if (found := list(self.reader.names.find(part)))), [])

    def _last_day_of(self, scored: tuple[float, Target]) -> dt.date | None:
        """The last day in a time column, or in that which dates a table's rows."""
        target = scored[1]
        column = Col(target.table.key, target.column.name) if target.column else None
        times = self.reader.resolver.time_column([target.table.key], frozenset()) if column is None else []
        column = column or next((each for _, each in times if each.table == target.table.key), None)
        if column is None or not self._is_time(column):
            return None
        return newest_day(self.reader.catalog.column(*column.table, column.name))


def _counts_rows(shown: Expr, query: Query) -> bool:
    return shown == Agg("count", Rows(query.anchor))


def _is_part(one: During, whole: During) -> bool:
    """Whether a period is a part of another: `in 2012 … in March 2012` is March."""
    return one != whole and one.left == whole.left and whole.start <= one.start and one.end <= whole.end
