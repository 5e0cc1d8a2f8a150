"""The rows of each owner in order of time: `average days between a customer's first and second order`, `how many
customers placed a second order within 30 days of their first`, `the longest gap between two consecutive orders of each
customer`, `by month of first order, what percentage of customers ordered again within 90 days`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, number_of, tokenise
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, planned
from pluto_duck_text2sql.reading.frames import UNIT, Deeds
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import Col, Missing, Query

PLACES = {
    word: n
    for n, words in enumerate(("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th"), 1)
    for word in words.split()
}
NTH = "|".join(PLACES)
PLACES |= {"two": 2, "three": 3, "four": 4, "five": 5}
_FN = r"(?P<fn>average|mean|median|typical|longest|shortest|maximum|minimum|largest|smallest|biggest|max|min)"
_TIME = r"(?:(?:number of )?(?P<unit>day|week|month|hour)s?|time|gap|interval|distance|break|pause)"
_LEAD = r"^(?:(?:show|list|give|tell|what(?:['’]s| is| was| are| were)?)(?: me)? )?(?:the |our )?"
_OF = r"(?:of|for|by|per|from|in)(?: the same| each| every| an?| one| our| the)?"
_OWN = r"(?P<who>[a-z]+(?: [a-z]+)??)"
_WHAT = r"(?P<what>[a-z]+(?: [a-z]+)??)"
_SPAN = rf"(?P<n>{A_NUMBER}) (?P<unit>day|week|month|year)s?"
_SHARE = (
    r"(?:what|which) (?P<share>percentage|percent|share|proportion|fraction)(?: of)?(?: the| our| all)*"
    r"|how many(?: of)?(?: the| our)*"
)
_DID = r"(?:placed|made|had|did|bought|booked|took|have|with|[a-z]+ed)"
_AGAIN = rf"(?:{_DID}|came) (?:back|again|another [a-z]+|a second [a-z]+)|with at least two [a-z]+"
_TIMES = rf"(?P<one>{NTH}) and (?:the |their |his |her |its )?(?P<two>{NTH})"
_IN_UNITS = r"(?: in (?:days|weeks|months|hours))?"
PATTERNS = (
    Pattern(
        rf"{_LEAD}{_FN} {_TIME}{_IN_UNITS} between (?:an?|each|every|the|our) {_OWN}['’]?s?['’]? {_TIMES} {_WHAT}$",
        re.IGNORECASE,
    ),
    Pattern(
        rf"{_LEAD}{_FN} {_TIME}{_IN_UNITS} (?:between|from) (?:the )?{_TIMES} {_WHAT} {_OF} {_OWN}$", re.IGNORECASE
    ),
    Pattern(
        rf"{_LEAD}{_FN} {_TIME}{_IN_UNITS} between (?:two |any two )?(?:consecutive |successive |subsequent )?"
        rf"(?P<what>[a-z]+s) (?P<each>of each|of every|for each|for every|per|by) {_OWN}"
        r"(?:[,:;] (?P<columns>[a-z ,]+))?$",
        re.IGNORECASE,
    ),
    Pattern(
        rf"^(?P<ask>{_SHARE}) {_OWN} {_DID} (?:at least |an? |the |their )?"
        rf"(?P<two>(?!first|1st)(?:{NTH}|two|three|four|five)) {_WHAT} within {_SPAN} (?:of|after|from)"
        r" (?:the|their|his or her|its) first(?: one| [a-z]+)?$",
        re.IGNORECASE,
    ),
    Pattern(
        rf"^(?:for each|for every|by|per) (?P<grain>{UNIT}) of (?:the |their )?first {_WHAT}"
        rf"(?: (?P<when>in (?:[a-z]+ )?\d{{4}}))?,? (?P<ask>{_SHARE}) {_OWN} (?:{_AGAIN}) within {_SPAN}"
        r"(?: (?:of|after) .+)?$",
        re.IGNORECASE,
    ),
)
_FUNCTIONS = {"median": "median", "longest": "max", "largest": "max", "biggest": "max", "maximum": "max", "max": "max"}
_FUNCTIONS |= dict.fromkeys(("shortest", "smallest", "minimum", "min"), "min")


@dataclass(frozen=True)
class _Rows:
    """Whose rows of what, in order, as a part: `owner`, `day`, `place` among the owner's, `before` it, the `first`."""

    owner: Table
    deeds: Deeds
    part: Part
    base: Candidate


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The span between rows of one owner, or those whose rows follow so soon."""
    said = found.groupdict()
    rows = _rows(found["who"], found["what"], readings)
    if rows is None:
        return None
    if said.get("grain"):
        return _again_by_period(found, rows, readings)
    if said.get("ask"):
        return _followed(found, rows)
    return _gaps_of_each(found, rows, readings) if said.get("each") else _between(found, rows)


def _rows(who: str, what: str, readings: Readings) -> _Rows | None:
    """The rows of an owner that words name, each with its place among the owner's."""
    parts = readings.parts
    owner = parts.table(who) or parts.table(who.rstrip("s"))
    deeds = parts.deeds(owner, what) if owner else None
    base = readings.of(f"number of {what.removesuffix('s')}s") if deeds else None
    if owner is None or deeds is None or base is None:
        return None
    query = Query(deeds.table, (deeds.owner, deeds.date), (Missing(deeds.owner, True), Missing(deeds.date, True)))
    sql = readings.sql(query)
    if sql is None:
        return None
    window = "OVER (PARTITION BY owner ORDER BY day)"
    text = (
        f"SELECT owner, day, row_number() {window} AS place, lag(day) {window} AS before,"
        f" first_value(day) {window} AS first"
        f"\nFROM (\n{with_columns(sql, 'owner', 'day')}\n) AS dated"
    )
    return _Rows(owner, deeds, Part("placed", f"{what} of each {owner.name} in order", text), base)


def _told(rows: _Rows) -> list[str]:
    return [f"In order of {rows.deeds.date.table[1]}.{rows.deeds.date.name}, for each {rows.deeds.owner.name}."]


def _span(unit: str, start: str, end: str) -> str:
    return f"date_diff('{unit}', {start}, {end})"


def _between(found: re.Match[str], rows: _Rows) -> Candidate | None:
    """The time from one place to another, over all owners that came so far."""
    one, two = (PLACES[found[each].lower()] for each in ("one", "two"))
    if two <= one:
        return None
    unit = (found["unit"] or "day").lower()
    function = _FUNCTIONS.get(found["fn"].lower(), "avg")
    last = (
        f"SELECT {function}({_span(unit, 'one.day', 'two.day')}) AS {function}_{unit}s\nFROM placed AS one"
        f" JOIN placed AS two ON two.owner = one.owner AND two.place = {two}\nWHERE one.place = {one}"
    )
    title = f"{unit}s between the {found['one']} and {found['two']} {found['what']}".capitalize()
    return planned([rows.base], title, [rows.part], last, _told(rows))


def _gaps_of_each(found: re.Match[str], rows: _Rows, readings: Readings) -> Candidate | None:
    """The longest, the shortest or the middle one of each owner's gaps; those with one row alone have none."""
    function, unit = _FUNCTIONS.get(found["fn"].lower()), (found["unit"] or "day").lower()
    label = _columns(found["columns"], rows.owner, readings) or readings.parts.reader.resolver.label(rows.owner)
    keys = readings.parts.reader.resolver.key(rows.owner)
    if function is None or not label or len(keys) != 1:
        return None
    names = readings.sql(Query(rows.owner.key, (Col(rows.owner.key, keys[0]), *label)))
    if names is None:
        return None
    shown = [quoted(each.name) for each in label]
    named = Part("named", f"each {rows.owner.name}", with_columns(names, "owner", *(each.name for each in label)))
    listed = ", ".join(f"named.{each}" for each in shown)
    last = (
        f"SELECT {listed}, {function}({_span(unit, 'before', 'day')}) AS {function}_{unit}s\nFROM placed JOIN named"
        f" ON named.owner = placed.owner WHERE before IS NOT NULL\nGROUP BY placed.owner, {listed}"
        f" ORDER BY {len(shown) + 1} DESC, {listed}"
    )
    title = f"{found['fn']} gap between {found['what']}".capitalize()
    return planned([rows.base], title, [rows.part, named], last, _told(rows))


def _columns(said: str | None, owner: Table, readings: Readings) -> list[Col]:
    """The owner's columns that a list of columns names, all but its last, which is the figure."""
    phrases = re.split(r"\s*,\s*(?:and )?|\s+and\s+", said)[:-1] if said else []
    names = readings.parts.reader.names
    found = [names.called(tuple(token.stem for token in tokenise(each))) for each in phrases]
    own = [next((e.column for e in each if e.column and e.table.key == owner.key), None) for each in found]
    return [Col(owner.key, each.name) for each in own if each] if all(own) else []


def _soon(found: re.Match[str]) -> str:
    """That a row came within the span after the owner's first."""
    count = int(number_of(found["n"].lower()) or 1)
    return f"CAST(day AS DATE) <= CAST(first AS DATE) + INTERVAL {count} {found['unit'].upper()}"


def _followed(found: re.Match[str], rows: _Rows) -> Candidate | None:
    """How many owners came to that place so soon, or what part of all that came at all."""
    soon = f"count(*) FILTER (WHERE place = {PLACES[found['two'].lower()]} AND {_soon(found)})"
    shown = _part_of(soon, "count(*) FILTER (WHERE place = 1)", found)
    title = f"{found['two']} {found['what']} within {found['n']} {found['unit']}s".capitalize()
    return planned([rows.base], title, [rows.part], f"SELECT {shown} FROM placed", _told(rows))


def _again_by_period(found: re.Match[str], rows: _Rows, readings: Readings) -> Candidate | None:
    """The same for the owners of each period of their first row."""
    grain, when = found["grain"].lower(), found["when"]
    period = period_of(re.sub(r"^in ", "", when, flags=re.IGNORECASE)) if when else None
    start, end = period.resolve(readings.catalog.latest_day(readings.parts.reader.today)) if period else (None, None)
    if when and (start is None or end is None):
        return None
    within = f"\nWHERE first >= DATE '{start}' AND first < DATE '{end}'" if when else ""
    shown = _part_of(
        f"count(*) FILTER (WHERE place = 2 AND {_soon(found)})", "count(*) FILTER (WHERE place = 1)", found
    )
    cohort = f"CAST(date_trunc('{grain}', first) AS DATE)"
    last = f"SELECT {cohort} AS {grain}, {shown} FROM placed{within} GROUP BY 1 ORDER BY 1"
    title = f"{rows.owner.name} that came again within {found['n']} {found['unit']}s".capitalize()
    return planned([rows.base], title, [rows.part], last, _told(rows))


def _part_of(top: str, bottom: str, found: re.Match[str]) -> str:
    share = (found["share"] or "").lower()
    if not share:
        return f"{top} AS number"
    scale = "100.0 * " if share.startswith("percent") else "1.0 * "
    return f"{scale}{top} / nullif({bottom}, 0) AS {'percent' if share.startswith('percent') else 'share'}"
