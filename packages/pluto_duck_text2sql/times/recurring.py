"""Periods that lean on others: the same part of several years, the same days of another year.

"January to July: 1997 vs 1998", "Q1 of 2012 and of 2013", "the same days of 2012", "the same month last year". The
rules and the network's literals read periods by this; periods.py knows each alone.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.times.calendar_days import MONTH, YEAR, Range, shift
from pluto_duck_text2sql.times.grains import GrainMention
from pluto_duck_text2sql.times.periods import Period, Resolve, find_periods, period_of

_SAME = (
    rf"(?:with |to |from |in |over |during |for )?(?:the |that )?same (?:exact )?(?:days?|dates?|periods?|months?|quarter|half|weeks?|time|part|span|range|stretch)"
    rf"(?: of| in| from| for| during)? (?:the )?(?:year )?(?:(?P<year>{YEAR})|(?P<before>last year|(?:previous|prior|preceding) year|year before|year earlier|a year (?:before|earlier|ago)|one year (?:before|earlier)))"
)
_DAY = r"(?:st|nd|rd|th)?"
_PART = (
    rf"(?:from |in |for |during |only )*(?:the )?(?:(?P<part>(?:{MONTH}) (?:to|through|until|till) (?:{MONTH})|q[1-4]|h[12]"
    rf"|(?:first|second|third|fourth|last|1st|2nd|3rd|4th) (?:quarter|half)|\d\d?{_DAY} (?:{MONTH}) (?:to|through|until|till) \d\d?{_DAY} (?:{MONTH})"
    rf"))(?: only| alone)?(?: of| in)?"
)
_LISTED = frozenset("and or vs versus with against compared to".split())
_ANY = dt.date(2021, 5, 12)


def periods_in(words: Words) -> list[Period]:
    """The periods of a question, those that lean on others made whole."""
    same = words.find(_SAME)
    found = find_periods(words)
    found = _of_shared_years(_parted(_of_each_year(words, found), words), words)
    leaning = [_moved(start, end, match, found) for start, end, match in same]
    return sorted([*found, *leaning], key=lambda period: period.start)


def grains_of(words: Words, periods: list[Period]) -> list[GrainMention]:
    """`in each of the last three months`, `for every one of these quarters`: rows by the period's own unit."""
    starts = {each.start: each.grain for each in periods}
    found = words.find(r"(?:in |for |during )?(?:each|every)(?: one)?(?: of)?(?: the)?(?= •)")
    return [GrainMention(start, end, starts[end]) for start, end, _ in found if end in starts]


def _parted(found: list[Period], words: Words) -> list[Period]:
    """Where all periods are bare years, or this and the last, and a part of a year is named without one, that part of
    each of them."""
    years = [each for each in found if each.bare_year] or _told_years(found)
    parts = [(each.start, each.end, each.name) for each in found if each.name]
    if years and len(years) == len(found):
        parts = [(start, end, match["part"]) for start, end, match in words.find(_PART)]
    if not years or len(parts) != 1 or len(years) + len(parts) < len(found):
        return found
    start, end, part = parts[0]
    made = [replace(each, resolve=_in_year(part, each), bare_year=False) for each in years]
    return [*made, replace(made[0], start=start, end=end)]


def _told_years(found: list[Period]) -> list[Period]:
    """Two years that today tells, or more: `this year and last year`."""
    years = [each for each in found if each.relative and each.grain == "year" and _is_a_year(each.resolve(_ANY))]
    return years if len(years) > 1 else []


def _is_a_year(span: Range) -> bool:
    start, end = span
    return start is not None and (start.month, start.day) == (1, 1) and end == shift(start, "year", 1)


def _in_year(part: str, year: Period) -> Resolve:
    """A part of the year that a period is."""

    def resolve(anchor: dt.date) -> Range:
        first = year.resolve(anchor)[0]
        named = period_of(f"{part} {first.year}") if first else None
        return named.resolve(anchor) if named else year.resolve(anchor)

    return resolve


def _of_each_year(words: Words, found: list[Period]) -> list[Period]:
    """`December 2012 and 2013`, `Q3 this year and last year`: a year after a part of another is the same part of it."""
    made = list[Period]()
    for each in found:
        before = made[-1] if made else None
        is_listed = before is not None and bool(set(words.words(before.end, each.start)) & _LISTED)
        if before and is_listed and before.grain != "year" and _leans(each, before, words):
            each = replace(before, start=each.start, end=each.end, resolve=_shifted_to(before, each))
        made.append(each)
    return made


def _leans(year: Period, before: Period, words: Words) -> bool:
    """Whether both say their year, as a number or as today tells it, and the later one nothing else."""
    if year.bare_year:
        return not before.bare_year and not before.relative
    says_year = "year" in words.words(before.start, before.end) and not before.name
    return year.relative and _is_a_year(year.resolve(_ANY)) and before.relative and says_year


def _shifted_to(part: Period, year: Period) -> Resolve:
    def resolve(anchor: dt.date) -> Range:
        begins = year.resolve(anchor)[0]
        return _shifted(part, begins.year if begins else None)(anchor)

    return resolve


def _of_shared_years(found: list[Period], words: Words) -> list[Period]:
    """`Q3 vs Q4 2024`: a part of a year that says none is of the year that the next one says."""
    made = found[-1:]
    for each in reversed(found[:-1]):
        made = [_of_next(each, made[0], words), *made]
    return made


def _of_next(period: Period, after: Period, words: Words) -> Period:
    says_year = not after.name and (not after.relative or "year" in words.words(after.start, after.end))
    is_listed = set(words.words(period.end, after.start)) <= _LISTED
    if not period.name or not says_year or not is_listed or after.grain != period.grain or after.grain == "year":
        return period
    own, shared = period.resolve, _in_year(period.name, after)

    def resolve(anchor: dt.date) -> Range:
        return own(anchor) if shared(anchor) == after.resolve(anchor) else shared(anchor)

    return replace(period, resolve=resolve, name="", relative=after.relative)


def _moved(start: int, end: int, match: re.Match[str], found: list[Period]) -> Period:
    """The period named before (else the first after, else this month and the like) in another year."""
    base = next((each for each in reversed(found) if each.start < start), found[0] if found else _current(match[0]))
    year = int(match["year"]) if match["year"] else None
    return Period(start, end, _shifted(base, year), base.grain, base.relative)


def _current(text: str) -> Period:
    unit = next((each for each in ("week", "month", "quarter") if each in text), "month")
    named = period_of(f"this {unit}")
    assert named
    return named


def _shifted(base: Period, year: int | None) -> Resolve:
    """The range that begins in `year`, else one year earlier; its length in days may change with a leap year's."""

    def resolve(anchor: dt.date) -> Range:
        start, end = base.resolve(anchor)
        begins = start or end
        years = year - begins.year if year and begins else -1
        return start and shift(start, "year", years), end and shift(end, "year", years)

    return resolve
