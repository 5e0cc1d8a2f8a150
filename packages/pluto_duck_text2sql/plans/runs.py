"""How periods follow one another: `the longest run of days with a return`, `longest streak of weeks without any order`,
`on which days in May were there no orders`.

How many there were in each period is a question of its own. Runs are counted between its periods; those of which there
is nothing are listed against the calendar, from the first period of the data to its last or to today.
"""

from __future__ import annotations

import datetime as dt
import re

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.readings import Readings, planned
from pluto_duck_text2sql.plans.series import FIGURE, PERIOD, Series, day_after, last_day, series
from pluto_duck_text2sql.times.calendar_days import floor
from pluto_duck_text2sql.tree import Agg

_UNITS = r"(?P<unit>day|week|month|quarter|year)s"
_SOME = r"(?:with|having|on which there (?:was|were)|in which there (?:was|were)|that had|when there (?:was|were)|of)"
_NONE = (
    r"(?:without|with no|with not|with zero|that had no|on which there (?:was|were) no|in which there (?:was|were) no)"
)
_ANY = r"(?:at least (?:one|1|an?) |(?:a )?single |any |an? |one |the |our |some )?"
_LEAD = (
    r"^(?:(?:show|tell|give|find|list)(?: me)? |what(?:['’]s| is| was| has been)? "
    r"|how (?:long|many) (?:is|was|has been) )?(?:the |our )?"
)
_ROW = r"(?:consecutive |successive )?"
_IN_A_ROW = r"(?: in a row| in succession| on end)?"
_DATED = (
    r"(?P<when>(?:,? (?:in|during|since|between|from|over|this|last|of) (?:[a-z]+ )*\d{4}.*?|,? (?:this|last) [a-z]+)?)"
)
PATTERNS = (
    Pattern(
        rf"{_LEAD}(?:longest|biggest|largest) (?:run|streak|stretch|series|sequence|period|number|row|spell) of {_ROW}"
        rf"{_UNITS}{_IN_A_ROW} (?:(?P<some>{_SOME})|(?P<none>{_NONE})) {_ANY}(?P<what>[a-z].*?){_DATED}$",
        re.IGNORECASE,
    ),
    Pattern(
        rf"^(?:on |in |during )?(?:(?:which|what)|(?:list|show|give me|show me|name)(?: all)?(?: the)?)"
        rf" {_UNITS}(?P<when>(?: (?:in|during|of|since|between|from|last|this|over) [\w-]+(?: [\w-]+)*?)?)"
        r" ?(?:(?:had|have|saw|were there|was there|are there|did we (?:have|get|see|make)|that had|went by|passed) )?"
        r"(?:without|with no|no|(?:was|were) (?P<did>no)|with zero) (?:(?:any|an?|one|single) )?(?P<what>[a-z].+)$",
        re.IGNORECASE,
    ),
)
_EPOCH = "DATE '2000-01-03'"


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The length of the longest run, or the periods in which there was nothing."""
    said = found.groupdict()
    unit, when = found["unit"].lower(), (found["when"] or "").strip(" ,")
    rows = series(f"number of {_several(found['what'])} by {unit} {when}".rstrip(), unit, readings)
    figure = rows.tree.select[-1] if rows else None
    if rows is None or not isinstance(figure, Agg) or figure.function != "count":
        return None
    if "none" not in said:
        return _empty(rows, unit, found["what"], readings)
    return _longest(rows, unit, found, readings)


def _several(what: str) -> str:
    """Rows as one says them when they are counted: `paid order` as `paid orders`, `account opened` as `accounts
    opened`."""
    first, *rest = what.split()
    is_done = len(rest) == 1 and re.fullmatch(r"[a-z]+ed|made|sold", rest[0], re.IGNORECASE) is not None
    words = [first if not is_done or first.endswith("s") else f"{first}s", *rest]
    return " ".join(words if is_done or words[-1].endswith("s") else [*words[:-1], f"{words[-1]}s"])


def _longest(rows: Series, unit: str, found: re.Match[str], readings: Readings) -> Candidate | None:
    """How many periods in a row had some, or had none."""
    is_none = bool(found["none"])
    runs = _without(unit, rows.said()) if is_none else _with(unit)
    last = f"SELECT max({unit}s) AS longest_{unit}s FROM (\n{runs}\n) AS runs"
    part = rows.part("observed", f"{found['what']} by {unit}")
    told = [f"A run is of {unit}s that follow one another{' without any' if is_none else ''}."]
    without = "without" if is_none else "with"
    return planned([rows.base], f"Longest run of {unit}s {without} {found['what']}", [part], last, told)


def _with(unit: str) -> str:
    """The runs of periods that follow one another: their place on the calendar less that among themselves is one."""
    place = f"date_diff('{unit}', {_EPOCH}, {PERIOD}) - row_number() OVER (ORDER BY {PERIOD})"
    return (
        f"SELECT count(*) AS {unit}s FROM (SELECT {place} AS run FROM observed WHERE {FIGURE} > 0) AS placed"
        " GROUP BY run"
    )


def _without(unit: str, said: tuple[dt.date, dt.date | None] | None) -> str:
    """The periods between each that has some and the next; those of a period that is said begin and end there."""
    ends = ""
    if said and said[1]:
        before = f"CAST(DATE '{floor(said[0], unit)}' - INTERVAL 1 {unit.upper()} AS DATE)"
        ends = f" UNION ALL SELECT {before} UNION ALL SELECT DATE '{said[1]}'"
    return (
        f"SELECT date_diff('{unit}', {PERIOD}, lead({PERIOD}) OVER (ORDER BY {PERIOD})) - 1 AS {unit}s"
        f" FROM (SELECT {PERIOD} FROM observed WHERE {FIGURE} > 0{ends}) AS ended"
    )


def _empty(rows: Series, unit: str, what: str, readings: Readings) -> Candidate | None:
    """The periods that have none, from the first day that is said or kept to the last that is over."""
    after = day_after(last_day(rows, readings))
    start, until = rows.said() or (None, None)
    end = min(until or after, after)
    first = f"DATE '{floor(start, unit)}'" if start else f"(SELECT min({PERIOD}) FROM observed)"
    last = (
        f"SELECT CAST(listed.{unit} AS DATE) AS {unit}"
        f" FROM range({first}, DATE '{end}', INTERVAL 1 {unit.upper()}) AS listed({unit})\n"
        f"WHERE CAST(listed.{unit} AS DATE) NOT IN (SELECT {PERIOD} FROM observed WHERE {FIGURE} > 0) ORDER BY 1"
    )
    part = rows.part("observed", f"{what} by {unit}")
    day = "the first of them" if start is None else start.isoformat()
    told = [f"Looked at: each {unit} from {day} to {end - dt.timedelta(days=1)}."]
    return planned([rows.base], f"{unit}s without {what}".capitalize(), [part], last, told)
