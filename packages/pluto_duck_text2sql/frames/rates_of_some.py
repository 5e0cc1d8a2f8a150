"""The rate of some of the rows: `attrition rate in Sales`, `churn rate for two year contracts`.

What restricts the rate restricts both of its sides. The rate is asked of all rows, and of whom it is by how many there
are; the one's conditions then restrict the other. Which flags tell such rates: terms/outcomes.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import LEAD, Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.rewording.flag_outcomes import RATE_NOUN, rows_of_rate
from pluto_duck_text2sql.tree import Agg, Query, Ratio, nodes_in

_OF_SOME = Pattern(
    rf"^(?P<rate>{RATE_NOUN} rate) (?P<way>in|for|of|among|amongst|with) (?:the |all |our )?(?P<whom>.+)$",
    re.IGNORECASE,
)
_GROUPED = Pattern(r"\b(?:by|per|each|every|and|or|vs|versus|compared|than)\b|[,;:]", re.IGNORECASE)


class RatesOfSome(Compounds):
    """Answers questions for the rate of some."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The rate of those; None where the question asks no such, or nothing tells who they are."""
        said = _OF_SOME.match(LEAD.sub("", question.strip(" .?!")).removeprefix("the "))
        rows = rows_of_rate(said["rate"], self.reader.catalog) if said else None
        if said is None or rows is None or _GROUPED.search(said["whom"]):
            return None
        rate = self._part(said["rate"], run)
        for text in _counts(said["way"].lower(), said["whom"], rows):
            some = self._part(text, run)
            query = _of_some(rate.tree, some.tree) if rate and some else None
            made = self.candidate(query, [rate, some], (), run) if query and rate and some else None
            if made:
                return Analysis("answered", (made, *plain.candidates), links=plain.links)
        return None


def _counts(way: str, whom: str, rows: str) -> Iterator[str]:
    """The questions for how many there are."""
    if way != "in":
        yield f"how many {whom}"
    else:
        yield f"how many {rows} in {whom}"
    yield f"how many {rows} with {whom}"


def _of_some(rate: Query, some: Query) -> Query | None:
    """The rate with the conditions of a number of rows; None where the one is no rate or the other no such number."""
    is_rate = any(isinstance(each, Ratio) for each in nodes_in(rate.select)) and not (rate.group or rate.where)
    is_number = len(some.select) == 1 and isinstance(some.select[0], Agg) and some.select[0].function == "count"
    is_plain = not (some.group or some.having or some.limit or some.then or some.per)
    if not (is_rate and is_number and is_plain and some.where and rate.anchor == some.anchor):
        return None
    return replace(rate, where=some.where)
