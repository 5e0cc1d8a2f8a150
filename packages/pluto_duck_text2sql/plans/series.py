"""A figure along time as a part of a plan: `number of returns by day`, one row for each period that has any.

Plans that look at how its periods follow one another share it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, called
from pluto_duck_text2sql.times.calendar_days import shift
from pluto_duck_text2sql.tree import Bucket, Col, Compare, During, Expr, Query, is_total

PERIOD, FIGURE = "period", "figure"


@dataclass(frozen=True)
class Series:
    """A figure by periods of `time`, and by the `keys` beside these; `tree` shows the keys, the period, the figure."""

    base: Candidate
    tree: Query
    time: Bucket
    keys: tuple[Expr, ...]
    sql: str

    @property
    def key_names(self) -> list[str]:
        """What the keys are called, as SQL."""
        return [quoted(called(each)) for each in self.keys]

    def part(self, name: str, purpose: str) -> Part:
        """It as a part with the keys under their names, the period and the figure."""
        keys = [called(each) for each in self.keys]
        return Part(name, purpose, with_columns(self.sql, *keys, PERIOD, FIGURE))

    def said(self) -> tuple[dt.date, dt.date | None] | None:
        """The first day of the period that is asked about, and the day after it where it has an end."""
        own = [each for each in self.tree.where if isinstance(each, During | Compare) and each.left == self.time.of]
        if len(own) != 1:
            return None
        if isinstance(own[0], During):
            return own[0].start, own[0].end
        is_since = own[0].operator == ">=" and isinstance(own[0].right, dt.date)
        return (own[0].right, None) if is_since else None


def series(asked: str, unit: str, readings: Readings, most_keys: int = 0) -> Series | None:
    """The figure that a question by periods of a unit asks for; None where it is read in another way."""
    base = readings.of(asked)
    tree = base.tree if base and not base.parts else None
    if base is None or tree is None or not tree.is_plain:
        return None
    times = [each for each in tree.select if isinstance(each, Bucket) and each.grain == unit]
    figures = [each for each in tree.select if is_total(each)]
    if len(times) != 1 or len(figures) != 1:
        return None
    keys = tuple(each for each in tree.select if each not in (*times, *figures))
    made = replace(tree, select=(*keys, times[0], figures[0]), order=())
    sql = readings.sql(made) if len(keys) <= most_keys else None
    return Series(base, made, times[0], keys, sql) if sql else None


def last_day(found: Series, readings: Readings) -> dt.date:
    """The day up to which periods are looked at: today, or the last of the data."""
    column = found.time.of
    today = readings.parts.reader.today
    home = column if isinstance(column, Col) else None
    return readings.catalog.last_day(*home.table, home.name, today) if home else readings.catalog.latest_day(today)


def day_after(day: dt.date) -> dt.date:
    """The next day."""
    return shift(day, "day", 1)
