"""Each month beside the same month of another year: `sales per month of 2025 and in the same month of 2024`.

What is asked of the one year is read by itself; the same figure of the other year then stands beside it, in a row for
each month (or quarter) of any year. What asks for the change besides is a course (courses.py).
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.seasons import OF_A_YEAR, by_part_of_year
from pluto_duck_text2sql.tree import Agg, Bucket, During, Either, Query, is_total

_SAME = Pattern(
    r",? (?:and|with|together with|along with|next to|beside|(?:compares?|compared)(?: to| with)?|versus|vs|against)"
    r"(?: (?!same\b)[a-z]+){0,6}? (?:the )?same (?:month|quarter) (?:of|in) (?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_HOW = Pattern(
    r"^how (?:does|did|do) (?=.* (?:in|for) (?:each|every) (?:month|quarter) of (?:19|20)\d\d)", re.IGNORECASE
)
_CHANGES = Pattern(r"%|\b(?:chang\w*|differ\w*|percent\w*|growth|gr[eo]w\w*|more|fewer|less)\b", re.IGNORECASE)


class SameOfYear(Compounds):
    """Answers questions for a figure by month beside that of the same months of another year."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The figures side by side; None where the question asks no such, or asks for their change."""
        main, _ = split_spec(question)
        said = _SAME.search(main)
        if said is None or _CHANGES.search(question):
            return None
        part = self._part(tidy(_HOW.sub("", main[: said.start()] + main[said.end() :])), run)
        query = _beside(part.tree, int(said["year"])) if part else None
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _beside(tree: Query, year: int) -> Query | None:
    """A tree of one figure by months of one year, with that of the same months of another."""
    times = [each for each in tree.group if isinstance(each, Bucket) and each.grain in OF_A_YEAR]
    figures = [each for each in tree.select if is_total(each)]
    periods = [each for each in tree.where if isinstance(each, During)]
    plain = tree.is_plain
    if not plain or len(times) != 1 or len(figures) != 1 or len(periods) != 1 or not isinstance(figures[0], Agg):
        return None
    own, figure = periods[0], figures[0]
    by = year - own.start.year
    if own.left != times[0].of or not by or own.start.day != 1 or own.end.day != 1:
        return None
    other = replace(own, start=_moved(own.start, by), end=_moved(own.end, by), said=None)
    both = [replace(figure, where=(*figure.where, each)) for each in (own, other)]
    shown = tuple(part for each in tree.select for part in (both if each == figure else (each,)))
    where = (*(each for each in tree.where if each != own), Either((own, other)))
    return by_part_of_year(replace(tree, select=shown, where=where))


def _moved(day: dt.date, years: int) -> dt.date:
    """The same day so many years on; periods begin and end with months, so that there is one."""
    return day.replace(year=day.year + years)
