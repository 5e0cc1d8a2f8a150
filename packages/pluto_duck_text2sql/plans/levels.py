"""How many there were at the end of each period, or what they came to: `how many open tickets did we have at the end of
every quarter`, `active subscriptions at the end of each month`, `MRR by month`.

Which rows are meant is a question of its own; each counts at the end of every period by when it had begun and was not
over. An amount is added up so only of rows that keep when they are over: of what they bring as long as they last.
Periods that are not over on the day that is counted from are left out.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.date_names import ends, is_broken_off
from pluto_duck_text2sql.data.event_dates import event_date
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, called, listed, planned
from pluto_duck_text2sql.times.calendar_days import floor, shift
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import Agg, Col, Expr, Missing, Query, columns_in
from pluto_duck_text2sql.trees.comings import comings
from pluto_duck_text2sql.trees.durations import Durations

_STATE = r"(?:active|open|running|ongoing|outstanding|unpaid|current|live|out|employed|with us|un[a-z]+ed)"
_DID = r"(?: (?:did|do) we (?:have|own|employ|run|operate|keep)| (?:are|were) there| we had| have we had)?"
_WHEN = r"(?P<when>(?:,? (?:in|of|during|for|since|over|this|last) .+)?)$"
_BY = r"(?:,? (?:by|per|for each) (?P<by>(?!week|month|quarter|year)[a-z]+))?"
_LEAD = (
    r"^(?:(?:show|give|list|what (?:is|was)|what were|what(?:['’]s))(?: me)? )?(?:(?:the|our|total|how did) )*"
    r"(?P<what>(?!how |number |count |average |mean )[a-z][a-z ]*?)"
)
_UNIT = r"(?P<unit>week|month|quarter|year)"
_LASTING = r"(?:mrr|arr|(?:monthly |annual )?recurring revenue)"
PATTERNS = (
    Pattern(
        rf"{_LEAD}{_BY},? (?:at|as of|on) the (?:end|(?P<start>start|beginning)) of (?:each|every) {_UNIT}{_WHEN}",
        re.IGNORECASE,
    ),
    Pattern(rf"{_LEAD},? (?:at|as of) (?:each |every )?{_UNIT}[- ]?end{_BY}{_WHEN}", re.IGNORECASE),
    Pattern(rf"^{_UNIT}[- ]end (?P<what>[a-z][a-z ]*?){_BY}{_WHEN}", re.IGNORECASE),
    Pattern(
        r"^(?:(?:show|give|list|what (?:is|was)|what were|what(?:['’]s))(?: me)? )?(?:(?:the|our|total) )*"
        rf"(?P<what>{_LASTING}) (?:by|per|for each|each) {_UNIT}{_WHEN}",
        re.IGNORECASE,
    ),
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
_OPEN = Pattern(r"\b(?:open|outstanding|unpaid|un[a-z]+ed)\b", re.IGNORECASE)
_BEGUN, _OVER, _AMOUNT = "begun", "over", "amount"
_MOST_SHOWN = 2
_LONGEST = 400
"""The most periods that are listed."""


@dataclass(frozen=True)
class _Held:
    """Rows that begin and are over: what is counted or added up of them, and what tells them apart."""

    tree: Query
    figure: Agg
    start: Col
    ends: list[Col]

    @property
    def keys(self) -> tuple[Expr, ...]:
        """What groups are told apart by."""
        return tuple(each for each in self.tree.select if each != self.figure)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The rows with their two dates, the periods, and the number of rows at the end of each, or their sum."""
    base = _base(found, readings)
    held = _held(base.tree, found, readings) if base else None
    rows = _rows(held, readings) if held else None
    at_start = bool(found.groupdict().get("start") or found.groupdict().get("first"))
    periods = _periods(found, held.start, at_start, readings) if held else None
    if base is None or held is None or rows is None or periods is None:
        return None
    unit = found["unit"].lower()
    by = " and ".join(each.name for each in (held.start, *held.ends))
    day = readings.catalog.latest_day(readings.parts.reader.today)
    told = [f"Those count that had begun and were not over: by {by}.", f"Periods are listed that were over on {day}."]
    parts = [
        Part("held", f"{found['what']} with when they begin and are over", rows),
        Part("periods", f"each {unit}", periods),
    ]
    title = f"{found['what']} at the {'start' if at_start else 'end'} of each {unit}".capitalize()
    made = planned([base], title, parts, _counted(held, unit, at_start), told)
    is_read_as_now = not {held.start, *held.ends}.isdisjoint(c for each in held.tree.where for c in columns_in(each))
    return replace(made, assumptions=tuple(told)) if is_read_as_now else made


def _base(found: re.Match[str], readings: Readings) -> Candidate | None:
    """Which rows are meant: those that are counted, else those whose amount is added up."""
    what, by = _STATES.sub("", found["what"]).strip(), found.groupdict().get("by")
    by = f" by {by}" if by else ""
    if what != found["what"] or "state" in found.groupdict():
        return readings.likeliest(f"how many {what}{by}") if what else None
    return readings.likeliest(f"total {what}{by}")


def _held(tree: Query, found: re.Match[str], readings: Readings) -> _Held | None:
    """The rows that a reading counts or adds up, with their dates; None where it does neither, or they keep none."""
    figures = [each for each in tree.select if isinstance(each, Agg) and each.function in ("count", "sum")]
    if len(figures) != 1 or len(tree.select) > _MOST_SHOWN or tree.limit is not None or tree.then or tree.having:
        return None
    figure = figures[0]
    homes = [tree.anchor] if figure.function == "count" else [each.table for each in columns_in(figure)]
    tables = [readings.catalog.table(*home) for home in dict.fromkeys(homes)]
    table = tables[0] if len(tables) == 1 else None
    dates = _dates(table, _is_open(found), readings) if table else None
    if table is None or dates is None or (figure.function == "sum" and not _last(table, dates[1])):
        return None
    return _Held(tree, figure, *dates)


def _last(table: Table, over: list[Col]) -> bool:
    """Whether rows are over on a day, rather than done by it: `ended_on`, not `delivered_at`."""
    return any(ends(stems := table.stems(each.name)) or is_broken_off(stems) for each in over)


def _is_open(found: re.Match[str]) -> bool:
    """Whether a state is said that rows are in since they came about."""
    return _OPEN.search(f"{found['what']} {found.groupdict().get('state') or ''}") is not None


def untold(text: str, readings: Readings) -> str:
    """Why there is no answer, where such a number is asked and cannot be planned; else nothing."""
    found = next((match for pattern in PATTERNS if (match := pattern.search(text))), None)
    state = found.groupdict().get("state") or _STATES.search(found["what"]) if found else None
    return _UNTOLD if state and found and "state" in found.groupdict() else ""


def _dates(table: Table, is_open: bool, readings: Readings) -> tuple[Col, list[Col]] | None:
    """When rows of a table begin, and the dates on which they may be over; None where it keeps no two such."""
    durations = Durations(readings.catalog, readings.parts.reader.resolver)
    pair = None if is_open else durations.pair(table) or durations.pair(table, is_stay=True)
    start = pair.start if pair else None
    gone = comings(table, durations) if pair is None and not is_open else None
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


def _rows(held: _Held, readings: Readings) -> str | None:
    """The rows that are meant: what restricts them, but for their dates, since a state is that of each period."""
    own = {held.start, *held.ends}
    kept = tuple(each for each in held.tree.where if not own & set(columns_in(each)))
    amount = (held.figure.of,) if held.figure.function == "sum" else ()
    shown = listed(held.tree, *held.keys, held.start, *held.ends, *amount)
    sql = readings.sql(replace(shown, where=(*kept, Missing(held.start, negated=True))))
    if sql is None:
        return None
    keys, names = [called(each) for each in held.keys], [f"{_OVER}{n}" for n in range(len(held.ends))]
    least = f"least({', '.join(names)})" if len(names) > 1 else "".join(names) or "CAST(NULL AS DATE)"
    amounts = [_AMOUNT] if amount else []
    kept_names = ", ".join([*map(quoted, keys), _BEGUN, f"{least} AS {_OVER}", *amounts])
    return f"SELECT {kept_names} FROM (\n{with_columns(sql, *keys, _BEGUN, *names, *amounts)}\n) AS dated"


def _periods(found: re.Match[str], start: Col, at_start: bool, readings: Readings) -> str | None:
    """The first days of the periods that are over, or have begun, of those that are said, else since the first row."""
    unit, reader = found["unit"].lower(), readings.parts.reader
    after = shift(readings.catalog.latest_day(reader.today), "day", 1)
    when = re.sub(r"^,? ?(?:in|of|during|for|over) (?=last|this|the)", "", found["when"], flags=re.IGNORECASE).strip(
        " ,"
    )
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


def _counted(held: _Held, unit: str, at_start: bool) -> str:
    """How many had begun and were not over: by the end of each period, or on its first day; or what they came to."""
    first = f"periods.{quoted(unit)}"
    left = first if at_start else f"{first} + INTERVAL 1 {unit.upper()}"
    come = f"{first} + INTERVAL 1 DAY" if at_start else left
    shown = f"year({first}) AS year" if unit == "year" else first
    keys = "".join(f", held.{quoted(called(each))}" for each in held.keys)
    places = ", ".join(str(n + 1) for n in range(1 + len(held.keys)))
    is_sum = held.figure.function == "sum"
    figure = f"coalesce(sum(held.{_AMOUNT}), 0) AS {_AMOUNT}" if is_sum else f"count(held.{_BEGUN}) AS number"
    return (
        f"SELECT {shown}{keys}, {figure} FROM periods\n"
        f"{'' if keys else 'LEFT '}JOIN held ON held.{_BEGUN} < {come}"
        f" AND (held.{_OVER} IS NULL OR held.{_OVER} >= {left})\n"
        f"GROUP BY {places} ORDER BY {places}"
    )
