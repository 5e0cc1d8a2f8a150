"""Places among those of one period, and periods that beat others: `rank categories by revenue within each quarter`, `in
how many months of 2024 were sales higher than in the same month of 2023`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, called, planned
from pluto_duck_text2sql.plans.series import FIGURE, PERIOD, series
from pluto_duck_text2sql.reading.frames import UNIT
from pluto_duck_text2sql.tree import Bucket, is_total
from pluto_duck_text2sql.trees.titles import words

_LISTED = Pattern(r"\s*,\s*(?:and )?|\s+and\s+", re.IGNORECASE)
PATTERNS = (
    Pattern(
        r"^(?:please )?rank (?:the |our |all )*(?P<who>[a-z][a-z ]*?) by (?:their |its |the |total )*"
        r"(?P<what>[a-z][a-z ]*?) (?:within|in|for|per|by|of) (?:each |every )?(?P<within>[a-z]+)"
        r"(?P<when>(?: (?:of|in|since|during) .+?)?)(?:\s*[:;] (?P<columns>.+))?$",
        re.IGNORECASE,
    ),
    Pattern(
        rf"^in how many (?P<unit>{UNIT})s of (?P<year>\d{{4}}) (?:were|was|did) (?:the |our )?(?P<what>.+?)"
        r" (?:(?P<more>higher|larger|better|above|exceed|beat|greater)|lower|worse|smaller|below)(?: than)?"
        rf"(?: in| that of| those of)?(?: the)? same (?P=unit) (?:of|in) (?P<other>\d{{4}})$",
        re.IGNORECASE,
    ),
)


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """The places, or the number of periods."""
    return _beaten(found, readings) if "other" in found.groupdict() else _ranked(found, readings)


def _ranked(found: re.Match[str], readings: Readings) -> Candidate | None:
    """Each with its figure and its place among those of its period or group; those alike share a place."""
    when = re.sub(r"^ of ", " in ", found["when"])
    base = readings.of(f"total {found['what']} by {found['within']} and {found['who']}{when}")
    tree = base.tree if base and not base.parts and base.tree.is_plain else None
    if base is None or tree is None:
        return None
    figures = [each for each in tree.select if is_total(each)]
    keys = [each for each in tree.select if each not in figures]
    within = [each for each in keys if isinstance(each, Bucket)] or keys[:1]
    if len(figures) != 1 or len(keys) != len(within) + 1 or len(within) != 1:
        return None
    shown = (*within, *(each for each in keys if each not in within), figures[0])
    sql = readings.sql(replace(tree, select=shown, order=()))
    if sql is None:
        return None
    names = [called(each) for each in shown[:-1]]
    part = Part("observed", f"{found['what']} of each", with_columns(sql, *names, FIGURE))
    first, other = map(quoted, names)
    is_place_alone = found["columns"] is not None and len(_LISTED.split(found["columns"])) == len(shown)
    figure = "" if is_place_alone else f"{FIGURE} AS {quoted(words(figures[0]))}, "
    last = (
        f"SELECT {first}, {other}, {figure}"
        f"rank() OVER (PARTITION BY {first} ORDER BY {FIGURE} DESC NULLS LAST) AS place\nFROM observed"
        f" ORDER BY {first}, place, {other}"
    )
    title = f"{found['who']} by {found['what']} within each {found['within']}".capitalize()
    return planned([base], title, [part], last, ["The first has the most; those alike share a place."])


def _beaten(found: re.Match[str], readings: Readings) -> Candidate | None:
    """In how many periods of a year the figure was above, or below, that of the same one of another."""
    unit, year, other = found["unit"].lower(), int(found["year"]), int(found["other"])
    what = f"{found['what']} by {unit} from {min(year, other)} to {max(year, other)}"
    asked = (what, f"total {what}", f"number of {what}")
    rows = next((made for each in asked if (made := series(each, unit, readings))), None)
    if rows is None or year == other or unit not in ("month", "quarter"):
        return None
    sign = ">" if found["more"] else "<"
    last = (
        f"SELECT count(*) AS {unit}s FROM observed AS one JOIN observed AS other"
        f" ON other.{PERIOD} + INTERVAL {year - other} YEAR = one.{PERIOD}\n"
        f"WHERE year(one.{PERIOD}) = {year} AND one.{FIGURE} {sign} other.{FIGURE}"
    )
    part = rows.part("observed", f"{found['what']} by {unit}")
    return planned([rows.base], f"{unit}s of {year} against {other}".capitalize(), [part], last, [])
