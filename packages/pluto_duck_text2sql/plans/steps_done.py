"""Steps of a funnel over a table of events: `conversion from checkout_started to order_paid by month`, `by week, what
percentage of the users who visited paid an order`, `how many users visited, opened a recipe and paid an order in May`.

The steps are values of the column that says what happened; a step is taken by whoever has such a row in the period.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, planned
from pluto_duck_text2sql.reading.frames import UNIT
from pluto_duck_text2sql.tree import Col, Query

_SHARE = r"what (?P<share>percentage|percent|share|proportion|fraction) of (?:(?:the|our|all) )*(?P<who>[a-z]+)"
_WHEN = r"(?P<when>,? (?:in|of|during|since|for|last|this|between|over) .+?)?"
PATTERNS = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        r"^(?:what(?:['’]s| is| was) )?(?:the |our )?(?:(?P<unit2>dai|week|month|quarter|year)ly )?"
        rf"conversion(?: rates?)? from (?P<one>.+?) to (?P<two>.+?)(?:,? (?:by|per|in each|for each) (?P<unit>{UNIT}))?"
        rf"{_WHEN}$",
        rf"^(?:by|per|for each) (?P<unit>{UNIT}){_WHEN},? {_SHARE} (?:who|that) (?P<both>.+?)"
        rf"(?: (?:in|during|within) (?:that|the same|this) (?:{UNIT}))?$",
        rf"^how many (?P<who>[a-z]+) (?P<steps>[a-z]\S*(?: [^,]+)?(?:, [^,]+)+?,? and .+?){_WHEN}$",
    )
)
_CALLED = frozenset(map(stem, "event action activity step".split()))
_WHO = frozenset(map(stem, "user customer visitor member player session account client".split()))
_LISTED = Pattern(r"\s*,\s*(?:and )?|\s+and\s+", re.IGNORECASE)
_FEWEST, _MOST = 3, 60
_LY = {"dai": "day"}


@dataclass(frozen=True)
class _Events:
    """Rows that say who did what and when."""

    what: Col
    who: Col
    when: Col
    kinds: tuple[str, ...]

    def step(self, said: str) -> str | None:
        """The one kind of event that words say: by the same words, else the only one that holds them all."""
        stems = _roots([token.lower for token in tokenise(said.replace("_", " ")) if token.lower not in STOP])
        known = {each: _roots(each.replace("_", " ").split()) for each in self.kinds}
        same = [each for each, roots in known.items() if roots == stems]
        within = [each for each, roots in known.items() if stems and stems <= roots]
        found = same or within
        return found[0] if len(found) == 1 else None


def _roots(words: Sequence[str]) -> frozenset[str]:
    return frozenset(stem(each.lower()) for each in words)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The part that took the later step of those who took the one before, or how many took each."""
    events = next((made for table in readings.catalog.tables if (made := _events(table, readings))), None)
    said = found.groupdict()
    steps = _steps(said, events) if events else None
    if events is None or steps is None:
        return None
    unit = (said.get("unit") or _LY.get(said.get("unit2") or "", said.get("unit2")) or "").lower()
    rows = _rows(events, said.get("when") or "", readings)
    base = readings.of(f"number of {events.what.table[1].replace('_', ' ')}")
    if rows is None or base is None:
        return None
    counts = [f"count(DISTINCT who) FILTER (WHERE step = '{each.replace(chr(39), chr(39) * 2)}')" for each in steps]
    shown = _rate(counts, said) if not said.get("steps") else _each(counts, steps)
    by = f"CAST(date_trunc('{unit}', moment) AS DATE) AS {unit}, " if unit else ""
    last = f"SELECT {by}{shown} FROM happened{' GROUP BY 1 ORDER BY 1' if unit else ''}"
    told = [f"A step is taken by each {events.who.name} with such a row in the {unit or 'period'}."]
    return planned([base], " to ".join(steps), [Part("happened", "who did what and when", rows)], last, told)


def _events(table: Table, readings: Readings) -> _Events | None:
    """A table as events; None where it does not say what happened, to whom and when."""
    kinds = [(each, held) for each in table.columns if (held := _kinds(table, each, readings))]
    times = [each for _, each in readings.parts.reader.resolver.time_column([table.key], frozenset())]
    when = next((each for each in times if each.table == table.key), None)
    people = readings.parts.people_of([table])
    who = readings.joins.pointer(table.key, people.key) if people else None
    who = who or next((Col(table.key, each.name) for each in table.columns if _is_of_somebody(each, table)), None)
    if len(kinds) != 1 or when is None or who is None:
        return None
    return _Events(Col(table.key, kinds[0][0].name), who, when, kinds[0][1])


def _kinds(table: Table, column: Column, readings: Readings) -> tuple[str, ...]:
    """What can have happened, where a column tells it."""
    stems = set(name_stems(column.name))
    is_type = stem("type") in stems or stem("name") in stems or len(stems) == 1
    is_called = bool(_CALLED & stems) or (stem("type") in stems and bool(_CALLED & set(table_stems(table.name))))
    if column.kind != "text" or not is_type or not is_called:
        return ()
    held = tuple(readings.catalog.values.held_in(*table.key, column.name))
    return held if _FEWEST <= len(held) <= _MOST else ()


def _is_of_somebody(column: Column, table: Table) -> bool:
    stems = name_stems(column.name)
    return stems[-1:] == (stem("id"),) and bool(_WHO & set(stems)) and column.n_distinct != table.row_count


def _steps(said: dict[str, str | None], events: _Events) -> list[str] | None:
    """The steps that are said, each one that is known; None where any is not."""
    if listed := said.get("steps"):
        found = [events.step(each) for each in _LISTED.split(listed)]
    elif both := said.get("both"):
        words = both.split()
        ways = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words)))
        found = next((list(pair) for one, two in ways if all(pair := (events.step(one), events.step(two)))), [])
    else:
        found = [events.step(said["one"] or ""), events.step(said["two"] or "")]
    steps = [each for each in found if each]
    return steps if len(steps) > 1 and len(steps) == len(found) and len(set(steps)) == len(steps) else None


def _rows(events: _Events, when: str, readings: Readings) -> str | None:
    """Who did what and when, in the period that is said."""
    text = re.sub(r"^,? ?(?:of|for) ", "in ", when.strip(" ,"), flags=re.IGNORECASE)
    within = readings.parts.during(text, events.when) if text else None
    if text and (within is None or within[1]):
        return None
    query = Query(events.what.table, (events.who, events.what, events.when), (within[0],) if within else ())
    sql = readings.sql(query)
    return with_columns(sql, "who", "step", "moment") if sql else None


def _rate(counts: Sequence[str], said: dict[str, str | None]) -> str:
    is_part = (said.get("share") or "percent").lower().startswith("percent")
    scale, name = ("100.0", "percent") if is_part else ("1.0", "share")
    return f"{scale} * {counts[1]} / nullif({counts[0]}, 0) AS {name}"


def _each(counts: Sequence[str], steps: Sequence[str]) -> str:
    return ", ".join(f"{count} AS {quoted(step)}" for count, step in zip(counts, steps, strict=True))
