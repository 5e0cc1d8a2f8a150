"""What a question says of its answer as a whole: its figures' unit, when a fiscal year begins, that it goes by time.

Taken out before the question is read; what was read is then changed by it. An aside that changes nothing is none, and
the question is read as it stands.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.asides.as_of import AsOf
from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.asides.clock import Clocks
from pluto_duck_text2sql.asides.had_then import HadThen
from pluto_duck_text2sql.asides.held_now import HeldNow
from pluto_duck_text2sql.asides.in_force import InForce
from pluto_duck_text2sql.asides.in_units import InUnits
from pluto_duck_text2sql.asides.leftouts import LeftOut
from pluto_duck_text2sql.asides.signed import Signed
from pluto_duck_text2sql.asides.staying import Staying
from pluto_duck_text2sql.asides.zeros import Zeros
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run, tried
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.calendar_days import MONTH, month_number, shift
from pluto_duck_text2sql.times.fiscal import by_one_year, with_days
from pluto_duck_text2sql.tree import (
    Bucket,
    Col,
    During,
    Later,
    Order,
    Query,
    mapped,
)
from pluto_duck_text2sql.trees.titles import title
from pluto_duck_text2sql.trees.vacuous import is_vacuous

Read = Callable[[str, Run | None], Analysis]
_FISCAL = r"(?:fiscal|financial)"
_DAY = r"(?:the )?(?:first|1st|1)(?: day)?(?: of)? "
_STARTS = r"(?:starts?|begins?|starting|beginning|runs?|running|starting off)"
_TO = rf"(?:to|through|until|till) (?:the end of )?(?:{MONTH})\b"
_BEGINS = Pattern(
    r"(?:,? ?(?:where|when|if|as|with|given that|assuming(?: that)?|and) )?(?:\b(?:our|the|a|its) )?"
    rf"(?P<what>\b(?:{_FISCAL} )?years?)?,? ?(?:which|that)? ?\b"
    rf"(?:{_STARTS} (?:on|in|with|from) |(?:(?:runs?|goes|running|is)(?: from)?"
    rf"|(?:(?<=fiscal year )|(?<=financial year ))from) (?=(?:{MONTH}) {_TO}))"
    rf"(?:{_DAY})?(?P<month>{MONTH})\b(?: 1st| 1\b)?(?: {_TO})?"
    r"(?P<named>,? and (?:it )?is (?:named|called|numbered) (?:after|by|for) the (?:calendar )?year in which it"
    r" (?P<by>starts|begins|ends))?",
    re.IGNORECASE,
)
_YEAR = Pattern(rf"\b{_FISCAL} (?=(?:years?|quarters?)\b|(?:19|20)\d\d\b)|\bFY ?(?=(?:19|20)\d\d\b)", re.IGNORECASE)
_BY_QUARTER = Pattern(r"\b(?:by|per|each|every) (?:[a-z]+ (?:and )?)?quarter\b|\bquarterly\b", re.IGNORECASE)
_QUARTER = 3

_GRAIN = r"(?:hour|day|week|month|quarter|half-year|year)s?"
_BY_TIME = Pattern(
    rf"\b(?:by|per|each|every)\b[^.?!]*\b{_GRAIN}\b|\b(?:dai|week|month|quarter|year)ly\b", re.IGNORECASE
)
_IN_TIME = Pattern(
    r",? (?:in )?(?:chronological(?:ly)?|temporal) ?(?:order)?(?=[,.?!]|$)"
    rf"|,? (?:the )?(?:oldest|earliest|first) {_GRAIN} first\b"
    rf"|,? in (?:the )?order of (?:the )?{_GRAIN}(?=[,.?!]|$)|,? (?:starting|beginning) (?:at|with) midnight\b"
    r"|,? all (?:dates|days|years) (?:together|taken together)\b",
    re.IGNORECASE,
)


class Asides:
    """Answers questions with asides; `read` answers the rest of them."""

    def __init__(self, reader: Reader, read: Read) -> None:
        self._catalog, self._joins, self._read = reader.catalog, reader.joins, read
        self._in_force, self._units = InForce(reader), InUnits(reader.catalog)
        self._clocks, self._held_now, self._as_of = Clocks(reader), HeldNow(reader), AsOf(reader)
        self._signed, self._had_then = Signed(reader.catalog, reader.names), HadThen(reader)
        self._staying, self._left_out, self._zeros = Staying(reader, self._held_now), LeftOut(reader), Zeros(reader)

    def analysis(self, question: str, run: Run | None) -> Analysis | None:
        """The answer with what the aside changes; None where there is none, or it changes nothing."""
        aside = self._fiscal(question) or self._units.aside(question) or _in_time(question)
        aside = aside or self._clocks.aside(question) or self._signed.aside(question)
        if aside:
            return self._with(aside, run)
        told = self._with(self._as_of.aside(question), run) or self._with(self._held_now.aside(question), run)
        told = told or self._with(self._in_force.aside(question), run)
        return told or self._with(self._had_then.aside(question), run)

    def of_rows(self, question: str, run: Run | None) -> Analysis | None:
        """As `analysis`, of what is said of the rows alone: that they are still so, left out, or counted with none."""
        aside = self._zeros.aside(question) or self._left_out.aside(question) or self._staying.aside(question)
        return self._with(aside, run)

    def _with(self, aside: Aside | None, run: Run | None) -> Analysis | None:
        found = self._read(aside.text, run) if aside else None
        if aside is None or found is None or found.status != "answered":
            return None
        made = [self._changed(each, aside, run) for each in found.candidates]
        if not made or made[0] is None:
            return None
        return replace(found, candidates=tuple(each for each in made if each))

    def _changed(self, candidate: Candidate, aside: Aside, run: Run | None) -> Candidate | None:
        query = aside.change(candidate.tree) if not candidate.parts else None
        is_idle = query is None or is_vacuous(query, self._catalog, self._joins)
        made = None if is_idle or query is None else tried(query, self._catalog, self._joins, run or (lambda _: []))
        if query is None or made is None:
            return None
        assumed = (*candidate.assumptions, *aside.told)
        return replace(candidate, sql=made.sql, tree=query, title=title(query), assumptions=assumed)

    def _fiscal(self, question: str) -> Aside | None:
        """`Our fiscal year starts in July. Revenue by fiscal year`."""
        found = _BEGINS.search(question) if re.search(_FISCAL, question, re.IGNORECASE) else None
        if found is None:
            return None
        by_end = (found["by"] or "ends").lower() == "ends"
        before, after = (by_one_year(each, by_end) for each in (question[: found.start()], question[found.end() :]))
        rest = f"{before} {after}"
        is_told = _YEAR.search(rest) or _BY_QUARTER.search(rest) or not found["what"]
        kept = " " if is_told else f" {found['what']} "
        month = month_number(found["month"].lower())
        months = (13 - month) % 12 if by_end else 1 - month
        told = () if found["by"] else ("A fiscal year is named after the calendar year in which it ends.",)
        in_days, quarter = with_days(f"{before}{'' if found['what'] else ' '}{after}", months)
        if quarter:
            return Aside(tidy(in_days).removeprefix(". "), lambda query: query, (*told, quarter))
        text = tidy(_YEAR.sub("", f"{before}{kept}{after}")).removeprefix(". ")
        return Aside(text, lambda query: _by_fiscal_year(query, months), told)


def _in_time(question: str) -> Aside | None:
    """`orders by month, oldest month first`: what every answer along time meets."""
    found = _IN_TIME.search(question) if _BY_TIME.search(question) else None
    return Aside(tidy(_IN_TIME.sub("", question)), _sorted_by_time) if found else None


def _sorted_by_time(query: Query) -> Query | None:
    """The query from its first bucket to its last; None where it has none."""
    buckets = [each for each in query.group if isinstance(each, Bucket)]
    if not buckets or query.limit is not None:
        return None
    return replace(query, order=tuple(map(Order, buckets)))


def _by_fiscal_year(query: Query, months: int) -> Query | None:
    """The query with years that begin so many months before the calendar's, and their quarters; None where it knows
    neither."""
    made: Query = mapped(query, lambda each: _moved(each, months))
    has_quarters = any(isinstance(each, Bucket) and each.grain == "quarter" for each in query.group)
    return made if made != query or not months or has_quarters else None


def _moved(node: object, months: int) -> object:
    if isinstance(node, Bucket) and node.grain == "year" and isinstance(node.of, Col):
        return replace(node, of=Later(node.of, months, "month"))
    if isinstance(node, Bucket) and node.grain == "quarter" and isinstance(node.of, Col) and months % _QUARTER:
        return replace(node, of=Later(node.of, months % _QUARTER, "month"))
    if isinstance(node, During) and _is_of_years(node.start, node.end):
        start, end = (shift(each, "month", -months) for each in (node.start, node.end))
        return replace(node, start=start, end=end, said=None)
    return node


def _is_of_years(start: dt.date, end: dt.date) -> bool:
    return (start.month, start.day, end.month, end.day) == (1, 1, 1, 1)
