"""A figure of what each did first, or second: `how much do customers spend on their first order on average`, `the
average total of customers' second orders`.

The figure of all rows is a question of its own; of them those are kept that are the owner's first, or second, by time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.in_order import NTH, PLACES
from pluto_duck_text2sql.plans.readings import Readings, figure
from pluto_duck_text2sql.pool import tried
from pluto_duck_text2sql.reading.frames import Deeds
from pluto_duck_text2sql.tree import Col, Inside, Order, Query, TableKey, columns_in
from pluto_duck_text2sql.trees.titles import title

_FN = r"(?P<fn>average|mean|median|total)"
_LEAD = r"^(?:(?:show|tell|give)(?: me)? |what(?:['’]s| is| was| are) )?(?:the )?"
_OWN = r"(?P<who>[a-z]+)"
PATTERNS = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:on average,? )?how much (?:do|does|did) (?:(?:an?|each|every|the|our) )?{_OWN} (?:spend|pay)"
        rf" (?:on|for|in|with) (?:their|his or her|its|the) (?P<nth>{NTH}) (?P<what>[a-z]+)(?: on average)?(?P<fn>)$",
        rf"{_LEAD}{_FN} (?P<figure>[a-z]+(?: [a-z]+)?) of (?:the |all )?(?:{_OWN}['’]s? )?"
        rf"(?P<nth>{NTH}) (?P<what>[a-z]+)$",
        rf"{_LEAD}{_FN} (?P<figure>[a-z]+(?: [a-z]+)?) of (?:an?|each|every|the|our) {_OWN}['’]s? "
        rf"(?P<nth>{NTH}) (?P<what>[a-z]+)$",
        rf"{_LEAD}{_FN} (?P<nth>{NTH}) (?P<what>[a-z]+) (?P<figure>value|amount|total|size|price|revenue)$",
    )
)
_AMOUNTS = ("amount", "value", "total", "revenue")


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The figure of the rows at that place among each owner's."""
    said = found.groupdict()
    what = found["what"].removesuffix("s")
    for asked in _asked(said.get("fn") or "average", said.get("figure"), what):
        base = readings.of(asked)
        shown = figure(base, ("avg", "median", "sum"))
        home = next((each.table for each in columns_in(shown)), None) if shown else None
        deeds = _deeds(said.get("who"), what, readings) if home else None
        if base and home and deeds and deeds.table == home:
            return _of_place(base, home, deeds, PLACES[found["nth"].lower()], readings)
    return None


def _asked(function: str, named: str | None, what: str) -> Iterator[str]:
    """The ways to ask for the figure of all rows."""
    yield from (f"{function} {what} {each}" for each in ((named,) if named else _AMOUNTS))


def _deeds(who: str | None, what: str, readings: Readings) -> Deeds | None:
    """Whose rows they are: theirs who are named, else whom figures of the business are about."""
    parts = readings.parts
    owner = (parts.table(who) or parts.table(who.rstrip("s"))) if who else readings.whom
    return parts.deeds(owner, what) if owner else None


def _of_place(base: Candidate, home: TableKey, deeds: Deeds, place: int, readings: Readings) -> Candidate | None:
    """The figure of the rows at a place, told apart by the key of their table."""
    table = readings.catalog.table(*home)
    keys = readings.parts.reader.resolver.key(table) if table else []
    if len(keys) != 1 or readings.run is None:
        return None
    key = Col(home, keys[0])
    order = (Order(deeds.date), Order(key))
    chosen = Query(home, (key,), order=order, limit=place, per=(deeds.owner,), nth=True)
    query = replace(base.tree, where=(*base.tree.where, Inside(key, chosen)))
    made = tried(query, readings.catalog, readings.joins, readings.run)
    told = f"In order of {home[1]}.{deeds.date.name}, for each {deeds.owner.name}."
    assumed = (*base.assumptions, told)
    return replace(base, sql=made.sql, tree=query, title=title(query), assumptions=assumed) if made else None
