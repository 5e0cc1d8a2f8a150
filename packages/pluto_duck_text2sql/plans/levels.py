"""How many there were at the end of each period: `active subscriptions at the end of each month in 2026`, `how many
open tickets did we have at the end of every quarter`.

Which rows are meant is a question of its own; each counts at the end of every period by when it had begun and was not
over. Periods that are not over on the day that is counted from are left out.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.date_names import is_broken_off
from pluto_duck_text2sql.data.event_dates import event_date
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, listed, planned
from pluto_duck_text2sql.times.calendar_days import floor, shift
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import Agg, Col, Missing, Query, columns_in
from pluto_duck_text2sql.trees.comings import comings
from pluto_duck_text2sql.trees.durations import Durations

_STATE = r"(?:active|open|running|ongoing|outstanding|unpaid|current|live|out|employed|with us|un[a-z]+ed)"
_DID = r"(?: (?:did|do) we (?:have|own|employ|run|operate|keep)| (?:are|were) there| we had| have we had)?"
PATTERNS = (
    Pattern(
        rf"^(?:(?:show|give|list|what (?:is|was)|what were)(?: me)? )?(?:the )?(?:how many|number of|count of)"
        rf"(?: the)? (?P<what>[a-z][a-z ]*?)"
        rf"(?: (?:is|are|was|were)(?: still)? (?P<state>{_STATE}))?{_DID}"
        rf",? (?:(?:at|as of|on) the (?:end|(?P<start>start|beginning)) of (?:each|every)"
        r"|(?P<first>on (?:1 january|january 1|the first (?:day )?of january) (?:of|in) (?:each|every)))"
        r" (?P<unit>week|month|quarter|year)(?P<when>(?:,? (?:in|of|during|for|since|over) .+)?)$",
        re.IGNORECASE,
    ),
)
_UNTOLD = (
    "How many there were at the end of each period is told of rows that keep when they begin and when they are over."
    " Ask that of such rows, or for how many began in each period."
)
_STATES = Pattern(rf"\b{_STATE}\b ?", re.IGNORECASE)
_BEGUN, _OVER = "begun", "over"
_LONGEST = 400
"""The most periods that are listed."""


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The rows with their two dates, the periods, and the number of rows at the end of each."""
    base = readings.likeliest(f"how many {_STATES.sub('', found['what']).strip()}")
    table = readings.catalog.table(*base.tree.anchor) if base else None
    dates = _dates(table, readings) if table else None
    if base is None or table is None or dates is None or not _counts_rows(base.tree):
        return None
    rows = _rows(base.tree, *dates, readings)
    at_start = bool(found["start"] or found["first"])
    periods = _periods(found, dates[0], at_start, readings)
    if rows is None or periods is None:
        return None
    unit = found["unit"].lower()
    by = " and ".join(each.name for each in (dates[0], *dates[1]))
    told = f"Those count that had begun and were not over: by {by}."
    parts = [
        Part("held", f"{found['what']} with when they begin and are over", rows),
        Part("periods", f"each {unit}", periods),
    ]
    title = f"{found['what']} at the {'start' if at_start else 'end'} of each {unit}".capitalize()
    return planned([base], title, parts, _counted(unit, at_start), [told])


def untold(text: str, readings: Readings) -> str:
    """Why there is no answer, where such a number is asked and cannot be planned; else nothing."""
    found = next((match for pattern in PATTERNS if (match := pattern.search(text))), None)
    return _UNTOLD if found and (found["state"] or _STATES.search(found["what"])) else ""


def _counts_rows(tree: Query) -> bool:
    figures = tree.select
    return len(figures) == 1 and isinstance(figures[0], Agg) and figures[0].function == "count" and not tree.group


def _dates(table: Table, readings: Readings) -> tuple[Col, list[Col]] | None:
    """When rows of a table begin, and the dates on which they may be over; None where it keeps no two such."""
    durations = Durations(readings.catalog, readings.parts.reader.resolver)
    pair = durations.pair(table) or durations.pair(table, is_stay=True)
    start = pair.start if pair else None
    gone = comings(table, durations) if pair is None else None
    if gone:
        return gone[0], list(gone[1])
    if pair is None:
        name = event_date(table)
        start = Col(table.key, name) if name else None
        pair = durations.until_over(table, start) if isinstance(start, Col) else None
    if pair is None or not isinstance(start, Col) or not isinstance(pair.end, Col):
        return None
    times = [Col(table.key, each.name) for each in table.columns if each.is_time]
    broken = [each for each in times if is_broken_off(name_stems(each.name)) and each not in (start, pair.end)]
    return start, [pair.end, *broken]


def _rows(tree: Query, start: Col, ends: list[Col], readings: Readings) -> str | None:
    """The rows that are meant: what restricts them, but for their dates, since a state is that of each period."""
    own = {start, *ends}
    kept = tuple(each for each in tree.where if not own & set(columns_in(each)))
    sql = readings.sql(replace(listed(tree, start, *ends), where=(*kept, Missing(start, negated=True))))
    if sql is None:
        return None
    names = [f"{_OVER}{n}" for n in range(len(ends))]
    least = f"least({', '.join(names)})" if len(names) > 1 else "".join(names) or "CAST(NULL AS DATE)"
    return f"SELECT {_BEGUN}, {least} AS {_OVER} FROM (\n{with_columns(sql, _BEGUN, *names)}\n) AS dated"


def _periods(found: re.Match[str], start: Col, at_start: bool, readings: Readings) -> str | None:
    """The first days of the periods that are over, or have begun, of those that are said, else since the first row."""
    unit, reader = found["unit"].lower(), readings.parts.reader
    after = shift(readings.catalog.latest_day(reader.today), "day", 1)
    when = re.sub(r"^,? ?(?:in|of|during|for|over) (?=last|this|the)", "", found["when"]).strip(" ,")
    period = period_of(when) if when else None
    first, last = period.resolve(shift(after, "day", -1)) if period else (_first(start, readings), None)
    if first is None or (when and period is None):
        return None
    end = min(last or after, after)
    end = end if at_start else floor(end, unit)
    count = 0
    while shift(floor(first, unit), unit, count) < end and count < _LONGEST:
        count += 1
    if not count:
        return None
    days = ", ".join(f"(DATE '{shift(floor(first, unit), unit, n)}')" for n in range(count))
    return f"SELECT * FROM (VALUES {days}) AS listed({quoted(unit)})"


def _first(start: Col, readings: Readings) -> dt.date | None:
    """The day on which the first row began."""
    column = readings.catalog.column(*start.table, start.name)
    least = column.minimum if column else None
    least = least.date() if isinstance(least, dt.datetime) else least
    return least if isinstance(least, dt.date) else None


def _counted(unit: str, at_start: bool) -> str:
    """How many had begun and were not over: by the end of each period, or on its first day."""
    first = f"periods.{quoted(unit)}"
    left = first if at_start else f"{first} + INTERVAL 1 {unit.upper()}"
    come = f"{first} + INTERVAL 1 DAY" if at_start else left
    shown = f"year({first}) AS year" if unit == "year" else first
    return (
        f"SELECT {shown}, count(held.{_BEGUN}) AS number FROM periods\n"
        f"LEFT JOIN held ON held.{_BEGUN} < {come} AND (held.{_OVER} IS NULL OR held.{_OVER} >= {left})\n"
        "GROUP BY 1 ORDER BY 1"
    )
