"""A level at the end of each period: `total balance at the end of each month`, `month-end balance per branch`, `the
latest balance of each account`.

The level by day is a question of its own; of each period's days the last one counts. By a bare `balance by month` that
is meant too, since no sum of balances says anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.data.snapshots import snapshots
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.plans.readings import Readings, planned
from pluto_duck_text2sql.plans.series import FIGURE, PERIOD, Series, series
from pluto_duck_text2sql.tree import Agg, Col

_LEAD = (
    r"^(?:(?:show|give|list|tell|what(?:['’]s| is| was| are| were)?)(?: me)? |how (?:much|high|large) (?:is|was) )?"
    r"(?:the |our )?"
)
_UNIT = r"(?P<unit>week|month|quarter|year)"
_BY = r"by|per|for each|for every|of each|of every|in each|each"
_END = r"(?:at|as of|on|by) the (?:end|close|last day)"
PATTERNS = tuple(
    Pattern(_LEAD + pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<what>[a-z].*?),? {_END} of (?:each|every) {_UNIT}(?P<rest>.*)$",
        rf"{_UNIT}[- ]end(?:ing)? (?P<what>[a-z].*?)(?: (?:{_BY}) (?:month|quarter|week|year))?(?P<rest>)$",
        rf"end[- ]of[- ]{_UNIT} (?P<what>[a-z].*?)(?P<rest>)$",
        rf"(?:(?:closing|ending) )?(?P<what>(?!average|mean|median|max|min)[a-z].*?) (?:{_BY}) {_UNIT}(?P<rest>.*)$",
        rf"(?:latest|current|most recent|last|newest) (?P<what>[a-z]+(?: [a-z]+)?) (?P<each>{_BY}) (?P<rest>[a-z].*)$",
    )
)
_GROUP = Pattern(r" (?:by|per|for each|of each|for every) (?P<by>(?!month|quarter|week|year)[a-z]+)\b", re.IGNORECASE)
_OF = Pattern(r"^,? ?(?:of|for) (?=(?:the )?(?:\d{4}|first|second|third|fourth|last|this|[a-z]+ \d{4}))", re.IGNORECASE)
_TOTAL = Pattern(r"^(?:total|sum of(?: the)?|overall) ", re.IGNORECASE)


@dataclass(frozen=True)
class _Asked:
    """The level that is asked for, what it is told apart by, and when."""

    what: str
    by: str
    rest: str

    def by_day(self) -> str:
        """The same by day."""
        groups = f"{self.by} and day" if self.by else "day"
        return tidy(f"total {self.what} by {groups} {self.rest}")


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The level on the last day of each period, or of each thing."""
    levels = {each.level for each in snapshots(readings.catalog)}
    if not levels or not _names_level(found["what"], levels, readings):
        return None
    each = found.groupdict().get("each")
    asked = _asked(f"{found['what']} by {found['rest']}", "") if each else _asked(found["what"], found["rest"])
    rows = series(asked.by_day(), "day", readings, most_keys=2)
    figure = rows.tree.select[-1] if rows else None
    if rows is None or not isinstance(figure, Agg) or figure.function != "sum" or figure.of not in levels:
        return None
    if each:
        return _latest(rows, asked) if rows.keys else None
    return _at_ends(rows, asked, found["unit"].lower())


def _names_level(what: str, levels: set[Col], readings: Readings) -> bool:
    """Whether words name a level, so that nothing else is read in vain."""
    names = readings.parts.reader.names
    found = (each for token in tokenise(what) for each in names.find((token.stem,)))
    return any(each.column and Col(each.table.key, each.column.name) in levels for each in found)


def _asked(what: str, rest: str) -> _Asked:
    whole = f"{_TOTAL.sub('', what)}{rest}"
    group = _GROUP.search(whole)
    left = f"{whole[: group.start()]}{whole[group.end() :]}" if group else whole
    head = _TOTAL.sub("", what if not group or group.start() > len(what) else what[: group.start()])
    after = left.removeprefix(head)
    return _Asked(head, group["by"] if group else "", _OF.sub("in ", after).strip(" ,"))


def _at_ends(rows: Series, asked: _Asked, unit: str) -> Candidate:
    """The figure of the last day of each period that has any."""
    start = f"CAST(date_trunc('{unit}', {PERIOD}) AS DATE)"
    keys = "".join(f", {each}" for each in rows.key_names)
    last = (
        f"SELECT {start} AS {unit}{keys}, {FIGURE} AS {_name(asked.what)} FROM observed\n"
        f"QUALIFY {PERIOD} = max({PERIOD}) OVER (PARTITION BY {start}) ORDER BY 1{keys}"
    )
    part = rows.part("observed", f"{asked.what} by day")
    told = [f"Of each {unit} its last day counts: {asked.what} is a level, which is not added up over days."]
    return planned([rows.base], f"{asked.what} at the end of each {unit}".capitalize(), [part], last, told)


def _latest(rows: Series, asked: _Asked) -> Candidate:
    """The figure of the last day of each thing."""
    keys = ", ".join(rows.key_names)
    last = (
        f"SELECT {keys}, arg_max({FIGURE}, {PERIOD}) AS {_name(asked.what)} FROM observed GROUP BY ALL ORDER BY {keys}"
    )
    part = rows.part("observed", f"{asked.what} by day")
    return planned([rows.base], f"Latest {asked.what} of each", [part], last, ["Of each the last day counts."])


def _name(what: str) -> str:
    return re.sub(r"\W+", "_", what.lower()).strip("_") or FIGURE
