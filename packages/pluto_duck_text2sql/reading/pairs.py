"""Two periods of one measure: side by side, or the change from the one to the other.

"Revenue 2012 vs 2013 by country" is a column for each, "by what percentage did it change from 2012 to
2013" one of both.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.reading.conditions import Conditions
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Cond, During, Expr, Minus, Query, Ratio
from pluto_duck_text2sql.trees.phrases import flattened

_FALLS = frozenset(stem(each) for each in "fall drop decrease decline shrink sink".split())
_LED = Pattern(r"\b(?P<year>(?:1[6-9]|20)\d\d) (?:is |comes |goes |shown |as the )?first\b", re.IGNORECASE)


def is_side_by_side(query: Query) -> bool:
    """Whether it shows one measure for two periods, as two columns."""
    periods = [each.where[-1] for each in query.select if isinstance(each, Agg) and each.where]
    return len(periods) == 2 and all(isinstance(each, During) for each in periods) and periods[0] != periods[1]


def leading_year(question: str) -> int | None:
    """`2013 first, then 2012`: the year whose column comes first."""
    found = _LED.search(question)
    return int(found["year"]) if found else None


def led_by(query: Query, year: int | None) -> Query:
    """The query with the columns of that year before those of the other."""
    if year is None or not is_side_by_side(query):
        return query
    return replace(query, select=tuple(sorted(query.select, key=lambda each: _place(each, year))))


def _place(shown: Expr, year: int) -> int:
    if not isinstance(shown, Agg):
        return 0
    return 1 if any(isinstance(each, During) and each.start.year == year for each in shown.where) else 2


class Pairs(Conditions):
    """Edits what was read where two periods of one measure are wanted."""

    def _as_pair(self, query: Query) -> Query:
        """`revenue 2012 versus 2013 by country`: a column for each of the two periods, in the order they are named."""
        versus = any(cue.kind == "versus" for cue in self.cues)
        measures = [each for each in query.select if isinstance(each, Agg)]
        found = [each for each in flattened(query.where) if isinstance(each, During)]
        if not versus or self.grains or not measures or len(found) != 2 or found[0].left != found[1].left:
            return query
        keys = tuple(each for each in query.select if isinstance(each, Col))
        shown = tuple(replace(each, where=(*each.where, period)) for each in measures for period in found)
        rest = _undated(query)
        group = tuple(each for each in query.group if not isinstance(each, Bucket))
        order = tuple(each for each in query.order if not isinstance(each.by, Bucket))
        return replace(query, select=(*keys, *shown), where=rest, group=group, order=order)

    def _as_change(self, query: Query) -> Query:
        """`how did revenue change from 2024 to 2025`, also `by country`: before, now and the change, or that alone."""
        measure = next((each for each in query.select if isinstance(each, Agg)), None)
        by_time = any(isinstance(each, Bucket) for each in query.group)
        if not any(cue.kind == "growth" for cue in self.cues) or by_time or measure is None:
            return query
        parts = self._two_periods(query)
        if parts is None:
            return query
        before, now = (replace(measure, where=(*measure.where, each)) for each in parts)
        keys = tuple(each for each in query.select if isinstance(each, Col))
        percent = any(token.lower in ("percentage", "percent") for token in self.tokens)
        change = Ratio(Minus(now, before), before, 100 if percent else 1)
        rest = _undated(query)
        only = percent or any(token.lower in ("rate", "growth") for token in self.tokens)
        said = [token.lower for token in self.tokens]
        if said[:3] == ["by", "how", "much"] and not percent:
            falls = any(each.stem in _FALLS for each in self.tokens)
            return replace(query, select=(*keys, Minus(before, now) if falls else Minus(now, before)), where=rest)
        return replace(query, select=(*keys, *((change,) if only else (before, now, change))), where=rest)

    def _two_periods(self, query: Query) -> tuple[During, During] | None:
        found = [each for each in flattened(query.where) if isinstance(each, During)]
        if len(found) == 2:
            return min(found, key=_start), max(found, key=_start)
        years = found[0].end.year - found[0].start.year if len(found) == 1 else 0
        if years < 2:
            return None
        left, start, end = found[0].left, found[0].start, found[0].end
        first = During(left, start, start.replace(year=start.year + 1))
        return first, During(left, end.replace(year=end.year - 1), end)


def _start(period: During) -> dt.date:
    return period.start


def _undated(query: Query) -> tuple[Cond, ...]:
    """The conditions without the periods that became columns."""
    return tuple(each for each in query.where if not all(isinstance(part, During) for part in flattened((each,))))
