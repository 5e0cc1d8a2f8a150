"""The same part of several years: `January to the end of September 2025, and the same months of 2024`.

Such a question is asked of the last of the years as a whole; then the part of each takes that year's place, a row for
each. Where it asks for something else than the figures (their difference, one row), it is left to others.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.frames.row_a_year import by_years, without_form
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.times.calendar_days import MONTH, month_number
from pluto_duck_text2sql.tree import Agg, Col, During, Query

_MONTH = rf"(?:{MONTH})"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_PART = Pattern(
    rf"\b(?:(?:(?P<day>{_DAY}) )?(?P<month>{_MONTH})(?: (?P<after>{_DAY})\b)?"
    r"(?: (?:to|through|until|till|up to|and|-|–)"
    r"|-|–) |(?P<upto>up to|through|until|till|to) )(?:and including )?(?:the end of )?"
    rf"(?:(?P<last>{_DAY}) )?(?P<end>{_MONTH})\b"
    rf"|\b(?P<whole>{_MONTH})\b",
    re.IGNORECASE,
)
_YEAR = Pattern(r"\b(?:19|20)\d\d\b")
_BEFORE = Pattern(
    r"(?:[,:]? ?\b(?:in|of|from|for|during|between|over|the year to date|year[- ]to[- ]date)\b)*\W*$", re.IGNORECASE
)
_TO_DATE = Pattern(r"\b(?:in )?(?:the )?year[- ]to[- ]date\b ?", re.IGNORECASE)
_FORM = Pattern(
    r"[,.?:;]? ?(?:(?:please )?(?:give|show)(?: me)? )?\b(?:by year|year by year)(?=\W*$)"
    r"|(?<=[.?:;]) ?(?:(?:give|show)(?: me)? )?(?:the )?year and (?:the |its )?[a-z]+(?: [a-z]+)?"
    r"(?=,|\W*$)",
    re.IGNORECASE,
)
_COMPARE = Pattern(r"^\W*(?:please )?compare (?=the |our )", re.IGNORECASE)
_COMPARED = Pattern(r"\b(?:compare[ds]?|comparison|versus|vs|against)\b", re.IGNORECASE)
"""What is compared stands side by side where no row a year is asked for."""
_GLUE = frozenset(
    """and in of for from the same months month period part time days dates how much many was were it they that those
    compared with to versus vs against one year what did we as""".split()
)
_ELSE = Pattern(
    r"\b(?:one row|a single row|side by side|two totals|both totals|differ\w*|percent\w*|growth|grow|grew|change[ds]?"
    r"|more|less|fewer|than|increase[ds]?|decrease[ds]?|each|every|per|by (?:month|quarter|week|day))\b|%",
    re.IGNORECASE,
)
"""What asks for something else than a figure of each year."""
_LEAST = 2


@dataclass(frozen=True)
class _Part:
    """A part of any year: its first month and day, its last month and day (None: the month's last)."""

    month: int
    day: int
    last_month: int
    last_day: int | None

    def of(self, year: int) -> tuple[dt.date, dt.date]:
        """From its first day in a year to before the day after its last."""
        last = self.last_day or calendar.monthrange(year, self.last_month)[1]
        return dt.date(year, self.month, self.day), dt.date(year, self.last_month, last) + dt.timedelta(days=1)


class PartsOfYears(Compounds):
    """Answers questions about the same part of several years."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """A row for each year; None where the question says no such part, or asks for no plain figure."""
        text = tidy(_FORM.sub("", without_form(question)))
        is_compared = text == tidy(question) and _COMPARED.search(question)
        asked = None if is_compared else _asked(text)
        part = self._part(asked.text, run) if asked else None
        query = _in_years(part.tree, asked) if part and asked else None
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


@dataclass(frozen=True)
class _Asked:
    """The question of the last year alone, the years, and the part of each."""

    text: str
    years: tuple[int, ...]
    part: _Part


def _asked(question: str) -> _Asked | None:
    """What is asked of which years; None where not all of them are said with one part, and nothing else beside them."""
    text = _COMPARE.sub("", _TO_DATE.sub("", question))
    said, years = list(_PART.finditer(text)), list(_YEAR.finditer(text))
    parts = {_part(each) for each in said}
    distinct = sorted({int(each[0]) for each in years})
    if len(parts) != 1 or len(distinct) < _LEAST or _ELSE.search(question):
        return None
    spans = sorted((each.start(), each.end()) for each in (*said, *years))
    before, after = text[: spans[0][0]], text[spans[-1][1] :]
    part = parts.pop()
    if part is None or not _is_glue(_between(text, spans), before):
        return None
    return _Asked(tidy(f"{_BEFORE.sub('', before)} in {distinct[-1]}{after}"), tuple(distinct), part)


def _part(said: re.Match[str]) -> _Part | None:
    """The part that words say; None where they say no days of a year."""
    if whole := said["whole"]:
        return _Part(month_number(whole.lower()), 1, month_number(whole.lower()), None)
    first = 1 if said["upto"] else month_number(said["month"].lower())
    day, last, end = (
        _number(said["day"] or said["after"]) or 1,
        _number(said["last"]),
        month_number(said["end"].lower()),
    )
    if day > _days_of(first) or (last or 1) > _days_of(end) or (first, day) > (end, last or _days_of(end)):
        return None
    return _Part(first, day, end, None if last == _days_of(end) else last)


def _days_of(month: int) -> int:
    """How many days a month has in every year."""
    return calendar.monthrange(2023, month)[1]


def _number(day: str | None) -> int | None:
    return int(re.sub(r"\D", "", day)) if day else None


def _between(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """The words between the parts and years said."""
    for (_, end), (start, _) in pairwise(spans):
        yield from re.findall(r"\w+", text[end:start].lower())


def _is_glue(words: Iterator[str], before: str) -> bool:
    """Whether words only join one period to the next, or say again what was said before."""
    return set(words) <= _GLUE | set(re.findall(r"\w+", before.lower()))


def _in_years(tree: Query, asked: _Asked) -> Query | None:
    """The tree's one figure in the part of each year; None where it shows anything else."""
    periods = [each for each in tree.where if isinstance(each, During)]
    figure = tree.select[0] if len(tree.select) == 1 else None
    whole = [each for each in periods if each.start == dt.date(asked.years[-1], 1, 1)]
    plain = tree.is_plain and not tree.group
    if not plain or not isinstance(figure, Agg) or len(whole) != 1 or not isinstance(whole[0].left, Col):
        return None
    parts = tuple(During(whole[0].left, *asked.part.of(year)) for year in asked.years)
    return by_years(tree, figure, parts, tuple(each for each in tree.where if each != whole[0]))
