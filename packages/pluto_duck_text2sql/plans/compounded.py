"""The rate at which something grew each period, compounded: `CAGR of revenue from 2023 to 2025`, `compound monthly
growth rate of signups from January to October 2026`.

The figure by period is a question of its own; the rate leads from its first period to its last.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.readings import Readings, planned
from pluto_duck_text2sql.plans.series import FIGURE, PERIOD, series

_RATE = (
    r"(?:cagr|cmgr|compound(?:ed)? (?:average )?(?:(?P<ly>annual|yearly|quarterly|monthly|weekly) )?"
    r"(?:growth(?: rate)?|rate of growth))"
)
_LEAD = (
    r"^(?:(?:show|tell|give|compute|calculate)(?: me)? |what(?:['’]s| is| was| has been| were)? |how high (?:is|was) )?"
    r"(?:the |our )?"
)
_SPAN = r"(?P<span>from .+? (?:to|until|through|till) .+?|between .+? and .+?|(?:in |over )?\d{4} ?(?:-|–|to) ?\d{4})"
_END = r"(?:,? (?P<percent>in (?:percent|per cent|%)|as a percentage))?$"
PATTERNS = tuple(
    Pattern(_LEAD + pattern, re.IGNORECASE)
    for pattern in (
        rf"{_RATE} (?:of|in|for) (?:the |our )?(?P<what>[a-z].*?)(?:,? {_SPAN})?{_END}",
        rf"(?P<what>[a-z].*?) {_RATE}(?:,? {_SPAN})?{_END}",
    )
)
_UNITS = {"quarterly": "quarter", "monthly": "month", "weekly": "week"}
_GROUPED = Pattern(r"^(?P<what>.+?) (?:by|per|for each|of each) (?:the )?(?P<by>[a-z]+(?: [a-z]+)?)$", re.IGNORECASE)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The rate between the first and the last period, for each group where one is said."""
    unit = _UNITS.get((found["ly"] or "").lower(), "month" if "cmgr" in found[0].lower() else "year")
    grouped = _GROUPED.match(found["what"])
    what, by = (grouped["what"], f" and {grouped['by']}") if grouped else (found["what"], "")
    span = found["span"] or ""
    asked = (f"{lead}{what} by {unit}{by} {span}".strip() for lead in ("total ", "", "number of "))
    rows = next((made for each in asked if (made := series(each, unit, readings, most_keys=bool(by)))), None)
    if rows is None or bool(by) is not bool(rows.keys):
        return None
    scale = 100 if found["percent"] else 1
    part = rows.part("observed", f"{what} by {unit}")
    told = [f"The rate leads from the first {unit} to the last: (last / first) ^ (1 / {unit}s between) - 1."]
    title = f"Compound growth of {what} by {unit}"
    return planned([rows.base], title, [part], _rate(unit, rows.key_names, scale), told)


def _rate(unit: str, keys: list[str], scale: int) -> str:
    first, last = (f"{function}({FIGURE}, {PERIOD})" for function in ("arg_min", "arg_max"))
    spans = f"nullif(date_diff('{unit}', {_day(f'min({PERIOD})')}, {_day(f'max({PERIOD})')}), 0)"
    if unit == "year":
        spans = f"nullif(max({PERIOD}) - min({PERIOD}), 0)"
    rate = f"power(CAST({last} AS DOUBLE) / nullif({first}, 0), 1.0 / {spans}) - 1"
    shown = f"{scale} * ({rate})" if scale > 1 else rate
    name = "growth_rate_percent" if scale > 1 else "growth_rate"
    listed = "".join(f"{key}, " for key in keys)
    return f"SELECT {listed}{shown} AS {name}\nFROM observed{' GROUP BY ALL ORDER BY 2 DESC' if keys else ''}"


def _day(period: str) -> str:
    return f"CAST({period} AS DATE)"
